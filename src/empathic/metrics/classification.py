"""How well labels were given: accuracy, F1, top-k, calibration, and how sure one can be of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic.metrics.significance import Interval, Score

__all__ = [
    "Weighted",
    "accuracy",
    "binary_f1",
    "bootstrap",
    "expected_calibration_error",
    "macro_f1",
    "random_guesses",
    "top_k_accuracy",
    "weighted_scores",
]

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


class Weighted(NamedTuple):
    """Means over labels, each label weighing as often as it is true; recall is then accuracy."""

    precision: Score
    recall: Score
    f1: Score


def weighted_scores(predicted: Labels, true: Labels, labels: int, *, samples: int = 1000, seed: int = 0) -> Weighted:
    """Precision, recall and F1 weighted by how often each label is true; 0 for a label that is never said.

    Args:
        predicted: The label that was said of every item.
        true: The right one.
        labels: How many there are.
        samples: How often items are drawn anew for the intervals.
        seed: What is drawn follows from it.
    """
    right = (predicted == true).astype(np.float64)

    def scores(times: Floats) -> Floats:
        hits = _counts(true, labels, right * times)
        return _weighted(hits, _counts(predicted, labels, times), _counts(true, labels, times))

    values = scores(np.ones(len(true)))
    generator = np.random.default_rng(seed)
    draws = (generator.integers(0, len(true), len(true)) for _ in range(samples))
    drawn = [scores(_counts(draw, len(true))) for draw in draws]
    precision, recall, f1 = _with_intervals(values, drawn)
    return Weighted(precision, recall._replace(items=right), f1)


def random_guesses(true: Labels, labels: int, *, samples: int = 1000, seed: int = 0) -> Weighted:
    """What comes of saying any label as likely as any other: in the long run, and how far a single try may be from it.

    The figures are those of hits, and of labels said, as often as is to be expected of each; recall is then 1 / labels.
    """
    often = np.bincount(true, minlength=labels).astype(np.float64)
    expected = _weighted(often / labels, np.full(labels, len(true) / labels), often)
    generator = np.random.default_rng(seed)
    tries = []
    for _ in range(samples):
        drawn = true[generator.integers(0, len(true), len(true))]
        said = generator.integers(0, labels, len(true))
        tries.append(_weighted(*(_counts(which, labels) for which in (drawn[said == drawn], said, drawn))))
    return _with_intervals(expected, tries)


def _with_intervals(values: Floats, drawn: list[Floats]) -> Weighted:
    """Precision, recall and F1 with what they lie between, 95 times in a hundred of those drawn."""
    if not drawn:
        return Weighted(*(Score(value) for value in values.tolist()))
    edges = np.quantile(drawn, (0.025, 0.975), axis=0).T.tolist()
    return Weighted(*(Score(value, Interval(*edge)) for value, edge in zip(values.tolist(), edges, strict=True)))


def _counts(which: Labels, labels: int, weights: Floats | None = None) -> Floats:
    return np.bincount(which, weights, labels).astype(np.float64)


def _weighted(hits: Floats, said: Floats, true: Floats) -> Floats:
    """Precision, recall and F1 of counts by label."""
    weights = true / true.sum()
    by_label = (
        np.divide(hits, said, out=np.zeros_like(hits), where=said > 0),
        np.divide(hits, true, out=np.zeros_like(hits), where=true > 0),
        np.divide(2 * hits, said + true, out=np.zeros_like(hits), where=said + true > 0),
    )
    return np.array([(weights * each).sum() for each in by_label])


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
