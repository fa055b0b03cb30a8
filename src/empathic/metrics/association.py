"""How two labels go together: how often they meet, and how much one says about the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Information", "information", "meetings", "mutual_information"]

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]


class Information(NamedTuple):
    """Mutual information in bits with its 95 % interval, and as a share of all there is to know about each label."""

    bits: float
    low: float
    high: float
    share_of_x: float
    share_of_y: float


def meetings(x: Labels, y: Labels, shape: tuple[int, int], weights: Floats | None = None) -> Floats:
    """How often each label of x meets each label of y: a table with a row for each label of x."""
    return np.bincount(x * shape[1] + y, weights, shape[0] * shape[1]).reshape(shape).astype(np.float64)


def mutual_information(counts: Floats) -> float:
    """The sum of p(x, y) log2 [p(x, y) / (p(x) p(y))] over a table of counts, in bits."""
    total = counts.sum()
    if not total:
        return float("nan")
    joint = counts / total
    apart = joint.sum(1, keepdims=True) * joint.sum(0, keepdims=True)
    there = joint > 0
    return float((joint[there] * np.log2(joint[there] / apart[there])).sum())


def information(
    x: Labels, y: Labels, shape: tuple[int, int], groups: Labels, *, samples: int = 1000, seed: int = 0
) -> Information:
    """Mutual information, with what chance adds to it in a finite sample taken off.

    Whole groups are drawn anew, with replacement, since what is said in one conversation hangs together. A table of
    counts makes mutual information too large, and a table drawn from it again by as much; twice the first less the
    second is near the truth (the basic bootstrap of Davison & Hinkley 1997, section 5.2).

    Args:
        x: A label for every item.
        y: The other label for every item.
        shape: How many labels each has.
        groups: The group of every item.
        samples: How often the groups are drawn.
        seed: What is drawn follows from it.
    """
    counts = meetings(x, y, shape)
    found = mutual_information(counts)
    generator = np.random.default_rng(seed)
    among = int(groups.max()) + 1 if len(groups) else 0
    drawn = []
    for _ in range(samples if among else 0):
        times = np.bincount(generator.integers(0, among, among), minlength=among).astype(np.float64)
        drawn.append(mutual_information(meetings(x, y, shape, times[groups])))
    bits, low, high = found, float("nan"), float("nan")
    if drawn:
        low, high = (max(0.0, 2 * found - float(edge)) for edge in np.quantile(drawn, (0.975, 0.025)))
        bits = max(0.0, 2 * found - float(np.mean(drawn)))
    shares = (bits / whole if (whole := _entropy(counts.sum(axis))) else 0.0 for axis in (1, 0))
    return Information(bits, low, high, *shares)


def _entropy(counts: Floats) -> float:
    chances = counts[counts > 0] / counts.sum()
    return float(-(chances * np.log2(chances)).sum())
