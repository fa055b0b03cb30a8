"""How well labels were given: accuracy, F1, top-k, calibration, and how sure one can be of each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["accuracy", "binary_f1", "bootstrap", "expected_calibration_error", "macro_f1", "top_k_accuracy"]

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]


def accuracy(predicted: Labels, true: Labels) -> float:
    """The share that is right."""
    return float((predicted == true).mean()) if len(true) else float("nan")


def top_k_accuracy(scores: Floats, true: Labels, k: int) -> float:
    """The share whose true label is among the k that score highest."""
    best = np.argpartition(-scores, k - 1, axis=1)[:, :k]
    return float((best == true[:, None]).any(axis=1).mean())


def macro_f1(predicted: Labels, true: Labels) -> float:
    """The mean over labels of 2 TP / (2 TP + FP + FN); labels that neither side has do not count."""
    scores = [binary_f1(predicted == label, true == label) for label in np.union1d(predicted, true)]
    return float(np.mean(scores)) if scores else float("nan")


def binary_f1(predicted: NDArray[np.bool_], true: NDArray[np.bool_]) -> float:
    """2 TP / (2 TP + FP + FN); 0 where there is nothing to find and nothing was found."""
    hits = int((predicted & true).sum())
    return 2 * hits / max(1, int(predicted.sum()) + int(true.sum()))


def expected_calibration_error(confidence: Floats, right: NDArray[np.bool_], *, bins: int = 15) -> float:
    """How far confidence is from the share that is right, over bins of equal width (Guo et al. 2017)."""
    which = np.minimum((confidence * bins).astype(int), bins - 1)
    total = 0.0
    for one in range(bins):
        inside = which == one
        if inside.any():
            total += float(inside.mean()) * abs(float(right[inside].mean()) - float(confidence[inside].mean()))
    return total


def bootstrap(
    measure: Callable[[NDArray[np.int64]], float], count: int, *, samples: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """The 95 % interval of a measure of items, which are drawn anew, with replacement, `samples` times."""
    generator = np.random.default_rng(seed)
    drawn = [measure(generator.integers(0, count, count)) for _ in range(samples)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)
