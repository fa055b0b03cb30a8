"""How sure one can be of a figure, and of a difference between two systems that answered the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic.errors import require

__all__ = ["Difference", "Interval", "Score", "compare", "interval_of_sums", "mean_interval"]

Floats = NDArray[np.float64]
AT_ONCE = 2_000_000
"""Numbers that are drawn at a time."""


class Interval(NamedTuple):
    """From where to where a figure lies, 95 times in a hundred."""

    low: float
    high: float


class Score(NamedTuple):
    """A figure, its 95 % interval where it has one, and what can be held against another system's item by item."""

    value: float
    interval: Interval | None = None
    items: Floats | None = None
    """Where the figure is a mean, that of every item, or NaN where an item does not count; else None."""


class Difference(NamedTuple):
    """How two systems differ in the mean, and how probable such a difference is if there is none."""

    mean: float
    interval: Interval
    t_test: float
    sign_test: float
    permutation_test: float


def mean_interval(items: Floats, *, samples: int = 1000, seed: int = 0) -> Interval | None:
    """The percentile interval of a mean whose items are drawn anew; None where nothing is drawn."""
    if not samples or not len(items):
        return None
    low, high = np.quantile(_means(items, samples, np.random.default_rng(seed)), (0.025, 0.975))
    return Interval(float(low), float(high))


def interval_of_sums(
    counted: Floats, value: Callable[[Floats], float], *, samples: int = 1000, seed: int = 0
) -> Interval | None:
    """The percentile interval of a figure that follows from sums over items, whose items are drawn anew.

    Args:
        counted: What is summed: (items, numbers).
        value: The figure that sums make.
        samples: How often items are drawn.
        seed: What is drawn follows from it.
    """
    if not samples or not len(counted):
        return None
    generator, count = np.random.default_rng(seed), len(counted)
    drawn = (np.bincount(generator.integers(0, count, count), minlength=count) for _ in range(samples))
    low, high = np.quantile([value(times @ counted) for times in drawn], (0.025, 0.975))
    return Interval(float(low), float(high))


def compare(one: Floats, other: Floats, *, samples: int = 1000, seed: int = 0) -> Difference:
    """Paired tests of the items of two systems, two-sided.

    Args:
        one: A figure for every item.
        other: The other system's figures for the same items.
        samples: How often items are drawn, and signs are turned round at random.
        seed: What is drawn follows from it.
    """
    stats = require("scipy.stats", extra="report", purpose="a significance test")
    differences = one - other
    apart = differences[differences != 0]
    generator = np.random.default_rng(seed)
    if not len(apart):
        return Difference(0.0, Interval(0.0, 0.0), 1.0, 1.0, 1.0)
    signs = stats.binomtest(int((apart > 0).sum()), len(apart)).pvalue
    # A difference that is the same everywhere has no spread that t could be measured by.
    t_test = stats.ttest_rel(one, other).pvalue if np.ptp(differences) else 0.0
    turned = _turned(differences, samples, generator)
    extreme = int((np.abs(turned) >= abs(differences.mean()) - 1e-12).sum())
    interval = mean_interval(differences, samples=samples, seed=seed) or Interval(float("nan"), float("nan"))
    return Difference(float(differences.mean()), interval, float(t_test), float(signs), (extreme + 1) / (samples + 1))


def _means(items: Floats, samples: int, generator: np.random.Generator) -> Floats:
    count = len(items)
    at_once = max(1, AT_ONCE // count)
    parts = [
        items[generator.integers(0, count, (min(at_once, samples - done), count))].mean(1)
        for done in range(0, samples, at_once)
    ]
    return np.concatenate(parts)


def _turned(differences: Floats, samples: int, generator: np.random.Generator) -> Floats:
    """Means of the differences, each with its sign turned round or not."""
    at_once = max(1, AT_ONCE // len(differences))
    parts = [
        (generator.integers(0, 2, (min(at_once, samples - done), len(differences))) * 2 - 1) @ differences
        for done in range(0, samples, at_once)
    ]
    return np.concatenate([np.empty(0), *parts]) / len(differences)
