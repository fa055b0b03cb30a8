"""An annotator as a model folder: what training changed, the temperatures, and by which encoder and reading."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from empathic.annotators.calibration import EVEN, probabilities
from empathic.annotators.factors import Reading, reading
from empathic.artifacts import Manifest, load_model, save_model
from empathic.errors import ArtifactError
from empathic.models.adapter import merge_adapters
from empathic.models.annotator import AnnotatorModel, Head
from empathic.models.encoder import Encoder, load_encoder

__all__ = ["KIND", "AnnotatorSettings", "TrainedReading", "load_reading", "save_reading"]

KIND = "annotator"


class AnnotatorSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a trained annotator is built from."""

    reading: str
    encoder: str
    adapter: int
    temperatures: dict[str, float]
    thresholds: dict[str, float] = {}
    recipe: str = ""


class TrainedReading(msgspec.Struct, frozen=True):
    """A reading that has been learned: the model, its encoder, and what its scores mean."""

    reading: Reading
    encoder: Encoder
    model: AnnotatorModel
    temperatures: dict[str, float]
    thresholds: dict[str, float]

    def probabilities(self, head: Head, scores: NDArray[np.floating]) -> NDArray[np.float64]:
        """What the scores of a head mean."""
        return probabilities(head.kind, scores, self.temperatures.get(head.name, 1.0))

    def threshold(self, head: Head) -> float:
        """The probability from which on a head says yes."""
        return self.thresholds.get(head.name, EVEN)


def save_reading(
    folder: Path,
    model: AnnotatorModel,
    settings: AnnotatorSettings,
    *,
    about: str,
    licence: str,
    figures: Mapping[str, Any],
    card: str,
) -> None:
    """Writes what training changed, in half precision."""
    manifest = Manifest(
        kind=KIND,
        name=folder.name if folder.name != "model" else settings.recipe,
        about=about,
        licence=licence,
        settings=msgspec.to_builtins(settings),
        figures=dict(figures),
    )
    save_model(folder, manifest, {name: weight.half() for name, weight in model.learned().items()}, card=card)


def load_reading(folder: Path, *, encoder: str | None = None) -> TrainedReading:
    """Loads an annotator; its adapters are merged into the encoder, so that they cost nothing.

    Args:
        folder: The model folder.
        encoder: Where the encoder lies, if not where its name leads.
    """
    artifact = load_model(folder, kind=KIND)
    try:
        settings = msgspec.convert(artifact.manifest.settings, AnnotatorSettings)
    except msgspec.ValidationError as error:
        raise ArtifactError(f"{folder}: not the settings of an annotator of this version: {error}") from error
    what = reading(settings.reading)
    base = load_encoder(encoder or settings.encoder)
    model = AnnotatorModel(base, what.heads, rank=settings.adapter)
    trained = model.learned()
    if (missing := sorted(trained.keys() ^ artifact.tensors.keys())) or any(
        trained[name].shape != tensor.shape for name, tensor in artifact.tensors.items()
    ):
        raise ArtifactError(
            f"{folder}: its weights do not fit {settings.encoder}: {missing[0] if missing else 'shapes'}"
        )
    model.load_state_dict({name: tensor.float() for name, tensor in artifact.tensors.items()}, strict=False)
    merge_adapters(model.encoder)
    model.requires_grad_(False).train(mode=False)
    return TrainedReading(what, base, model, settings.temperatures, settings.thresholds)
