"""Calibration: one temperature a head, fitted where nothing was learned, so that 0.7 is right seven times in ten.

Guo et al. 2017, On Calibration of Modern Neural Networks. Where yes or no is said of many things, of which few are a
yes, the probability from which on it is a yes is fitted there as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from empathic.errors import require
from empathic.models.annotator import Kind

__all__ = ["EVEN", "cut", "fit_temperature", "fit_threshold", "probabilities"]

Floats = NDArray[np.floating]
EVEN = 0.5
"""From here on a yes is likelier than a no."""
TRIED = np.linspace(0.05, 0.95, 91)


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


def fit_threshold(kind: Kind, said: Floats, targets: Floats) -> float:
    """The probability from which on yes is said, so that the mean F1 of all labels, or of yes and no, is highest."""
    true = targets > 0

    def mean_f1(threshold: float) -> float:
        yes = said >= threshold
        sides = [(yes, true)] if kind == "several" else [(yes, true), (~yes, ~true)]
        hits = np.array([(one & other).sum(0) for one, other in sides])
        return float((2 * hits / np.maximum(1, [one.sum(0) + other.sum(0) for one, other in sides])).mean())

    found = [mean_f1(threshold) for threshold in TRIED]
    # Of several that are best, the middle one is the least a matter of chance.
    best = np.flatnonzero(np.isclose(found, max(found)))
    return float(TRIED[best[len(best) // 2]])


def cut(threshold: float, temperature: float) -> float:
    """The score that means a probability under a temperature, where yes or no is said."""
    return temperature * float(np.log(threshold / (1 - threshold)))
