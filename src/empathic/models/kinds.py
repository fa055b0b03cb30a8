"""The models that are trained to reply, by what their recipes call them; a model folder of one, saved and loaded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import torch
from torch import Tensor

from empathic.artifacts import Manifest, load_model, save_model
from empathic.decoding import Decoding
from empathic.errors import ArtifactError
from empathic.models.layout import Layout
from empathic.models.meed2 import MEED2, MEED2Settings
from empathic.models.mime import MIME, MIMESettings
from empathic.models.moel import MoEL, MoELSettings
from empathic.models.reply_model import ReplyModel
from empathic.models.rounding import restored
from empathic.models.transformer import Transformer, TransformerSettings
from empathic.models.vocabulary import Units, Vocabulary, load_vocabulary

__all__ = [
    "KIND",
    "ModelSettings",
    "Trained",
    "TrainedSettings",
    "build",
    "is_parted",
    "load_responder",
    "save_responder",
]

KIND = "responder"
ModelSettings: TypeAlias = TransformerSettings | MoELSettings | MIMESettings | MEED2Settings


class TrainedSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a trained responder is built from."""

    model: ModelSettings
    units: Units
    longest: int
    longest_response: int
    turns: int
    measured_on: str
    intents: bool
    """Whether the turns of a context carry an emotion or intent each."""
    decoding: Decoding
    recipe: str = ""


class Trained(msgspec.Struct, frozen=True):
    """A responder that has been trained."""

    name: str
    model: ReplyModel
    layout: Layout
    settings: TrainedSettings
    digest: str
    """Of its weights."""


def build(settings: ModelSettings, size: int) -> ReplyModel:
    """The model that settings describe, over a vocabulary of that size, with weights drawn by chance."""
    match settings:
        case TransformerSettings():
            return Transformer(settings, size)
        case MoELSettings():
            return MoEL(settings, size)
        case MIMESettings():
            return MIME(settings, size)
        case MEED2Settings():
            return MEED2(settings, size)


def is_parted(settings: ModelSettings) -> bool:
    """Whether the model reads a mark behind every turn."""
    return isinstance(settings, MEED2Settings)


def save_responder(
    folder: Path,
    tensors: Mapping[str, Tensor],
    vocabulary: Vocabulary,
    settings: TrainedSettings,
    *,
    about: str,
    licence: str,
    figures: Mapping[str, Any],
    card: str,
) -> None:
    """Writes a model folder; its tensors are weights as `rounded` gives them."""
    manifest = Manifest(
        kind=KIND,
        name=settings.recipe,
        about=about,
        licence=licence,
        settings=msgspec.to_builtins(settings),
        figures=dict(figures),
    )
    save_model(folder, manifest, tensors, tokenizer=vocabulary.dumped(), card=card)


def load_responder(folder: Path, *, device: torch.device | None = None) -> Trained:
    """Loads a model folder; `ArtifactError` says why it is none, or not of this version."""
    artifact = load_model(folder, kind=KIND)
    try:
        settings = msgspec.convert(artifact.manifest.settings, TrainedSettings)
    except msgspec.ValidationError as error:
        raise ArtifactError(f"{folder}: not the settings of a responder of this version: {error}") from error
    vocabulary = load_vocabulary(artifact.tokenizer_file, settings.units)
    model = build(settings.model, vocabulary.size)
    wanted = {name: weight.shape for name, weight in model.own_weights().items()}
    weights = restored(artifact.tensors)
    found = {name: weight.shape for name, weight in weights.items()}
    if wrong := sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name)):
        raise ArtifactError(
            f"{folder}: its weights do not fit a {settings.model.__struct_config__.tag} with {vocabulary.size:,} "
            f"tokens: {wrong[0]}",
            remedy=f"empathic models verify {folder}",
        )
    model.load_state_dict(weights, strict=False)
    model.requires_grad_(False).train(mode=False)
    layout = Layout(
        vocabulary,
        longest=settings.longest,
        longest_response=settings.longest_response,
        parted=is_parted(settings.model),
    )
    digest = "".join(digest for file, digest in artifact.manifest.sha256.items() if file.endswith(".safetensors"))
    return Trained(artifact.manifest.name, model.to(device), layout, settings, digest)
