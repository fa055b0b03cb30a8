"""How well labels were given: accuracy, F1, top-k, calibration, and how sure one can be of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic.metrics.significance import Interval, Score, interval_of_sums

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
    each = np.eye(labels)
    hits = each[true] * (predicted == true)[:, None]
    counted = np.concatenate([hits, each[predicted], each[true]], axis=1)

    def scores(which: int) -> Score:
        def value(sums: Floats) -> float:
            return float(_weighted(*sums.reshape(3, labels))[which])

        return Score(value(counted.sum(0)), interval_of_sums(counted, value, samples=samples, seed=seed))

    precision, recall, f1 = map(scores, range(3))
    return Weighted(precision, recall._replace(items=(predicted == true).astype(np.float64)), f1)


def random_guesses(true: Labels, labels: int, *, samples: int = 1000, seed: int = 0) -> Weighted:
    """What comes of saying any label as likely as any other: in the long run, and how far a single try may be from it.

    The figures are those of hits, and of labels said, as often as is to be expected of each; recall is then 1 / labels.
    """
    often = np.bincount(true, minlength=labels).astype(np.float64)
    expected = _weighted(often / labels, np.full(labels, len(true) / labels), often)
    if not samples:
        return Weighted(*(Score(float(value)) for value in expected))
    generator = np.random.default_rng(seed)
    tries = []
    for _ in range(samples):
        drawn = true[generator.integers(0, len(true), len(true))]
        said = generator.integers(0, labels, len(true))
        counts = (np.bincount(which, minlength=labels) for which in (drawn[said == drawn], said, drawn))
        tries.append(_weighted(*(count.astype(np.float64) for count in counts)))
    edges = np.quantile(tries, (0.025, 0.975), axis=0).T.tolist()
    return Weighted(*(Score(float(value), Interval(*between)) for value, between in zip(expected, edges, strict=True)))


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
