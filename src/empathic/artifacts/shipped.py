"""The trained models that come with the package, each a model folder."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from empathic.artifacts.folder import is_model_folder

__all__ = ["shipped_folder", "shipped_models"]


def shipped_folder() -> Path:
    """Where they lie."""
    return Path(str(files("empathic") / "pretrained"))


def shipped_models() -> dict[str, Path]:
    """Their folders, by name: "annotators/utterance", say."""
    root = shipped_folder()
    return {
        file.parent.relative_to(root).as_posix(): file.parent
        for file in sorted(root.rglob("config.json"))
        if is_model_folder(file.parent)
    }
