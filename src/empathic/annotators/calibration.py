"""Calibration: one temperature a head, fitted where nothing was learned, so that 0.7 is right seven times in ten.

Guo et al. 2017, On Calibration of Modern Neural Networks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from empathic.errors import require
from empathic.models.annotator import Kind

__all__ = ["fit_temperature", "probabilities"]

Floats = NDArray[np.floating]


def probabilities(kind: Kind, scores: Floats | Sequence[Floats], temperature: float = 1.0) -> NDArray[np.float64]:
    """What scores mean: of one label among all, or of yes and no for each."""
    scaled = np.asarray(scores, np.float64) / temperature
    if kind == "single":
        odds = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
        return odds / odds.sum(axis=-1, keepdims=True)  # type: ignore[no-any-return]
    return 1 / (1 + np.exp(-np.clip(scaled, -50, 50)))


def fit_temperature(kind: Kind, scores: Floats, targets: Floats) -> float:
    """The temperature under which the answers are likeliest; scores and targets are (items, labels)."""
    minimize_scalar = require("scipy.optimize", extra="train", purpose="fitting a temperature").minimize_scalar

    def loss(log_temperature: float) -> float:
        said = np.clip(probabilities(kind, scores, float(np.exp(log_temperature))), 1e-12, 1 - 1e-12)
        likely = targets * np.log(said)
        if kind != "single":
            likely = likely + (1 - targets) * np.log(1 - said)
        return -float(likely.sum()) / len(targets)

    return float(np.exp(minimize_scalar(loss, bounds=(-3, 3), method="bounded").x))
