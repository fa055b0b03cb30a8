"""Artifacts: model folders saved and loaded, base weights found and verified, GGUF read."""

from empathic.artifacts.base import BASES, Base, Found
from empathic.artifacts.base import find as find_base
from empathic.artifacts.folder import (
    Artifact,
    Manifest,
    is_model_folder,
    load_model,
    read_manifest,
    refuse_pickles,
    save_model,
    verify_model,
)
from empathic.artifacts.gguf import GGUF, read_gguf
from empathic.artifacts.shipped import shipped_folder, shipped_models

__all__ = [
    "BASES",
    "GGUF",
    "Artifact",
    "Base",
    "Found",
    "Manifest",
    "find_base",
    "is_model_folder",
    "load_model",
    "read_gguf",
    "read_manifest",
    "refuse_pickles",
    "save_model",
    "shipped_folder",
    "shipped_models",
    "verify_model",
]
