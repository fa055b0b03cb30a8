"""Perplexity: how likely a responder finds what people said, by each protocol that figures are published under.

MoEL, and those that build on its code, divide each response's loss by its words and take the mean over responses, so
that a short response weighs as much as a long one. MEED2 does the same over byte-pair pieces. What differs is what a
run counts as a token, and no formula: `ppl-moel` is both, and a table states the vocabulary beside it. `ppl-token`,
`ppl-word` and `ppl-character` divide all loss by all there is of each; the last two do not depend on the vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic.metrics.significance import Interval, Score, interval_of_sums, mean_interval

__all__ = ["PERPLEXITIES", "Losses", "Perplexity"]

Floats = NDArray[np.float64]


class Losses(NamedTuple):
    """Of every response: the negative log-likelihood of all of it in nats, and how much it is, its end included."""

    nats: Floats
    tokens: Floats
    words: Floats
    characters: Floats


class Perplexity(NamedTuple):
    """A perplexity by its name.

    The items of its score are in nats, and their mean is the logarithm of the figure: a difference between two systems
    is tested there.
    """

    name: str
    protocol: str
    about: str
    take: Callable[[Losses, int, int], Score]
    """Of losses, the number of samples that an interval is drawn from, and a seed."""


PERPLEXITIES: dict[str, Perplexity] = {}
"""All protocols, in the order in which they are shown."""


def _exp(value: float) -> float:
    """A loss beyond all numbers has an infinite perplexity, and no warning."""
    with np.errstate(over="ignore"):
        return float(np.exp(value))


def _over_responses(losses: Losses, samples: int, seed: int) -> Score:
    items = losses.nats / losses.tokens
    interval = mean_interval(items, samples=samples, seed=seed)
    return Score(_exp(items.mean()), interval and Interval(*map(_exp, interval)), items)


def _over_all(unit: str, about: str) -> None:
    """The loss of all responses over all there is of a unit in them."""

    def take(losses: Losses, samples: int, seed: int) -> Score:
        units: Floats = getattr(losses, f"{unit}s")
        counted = np.stack([losses.nats, units], axis=1)

        def value(sums: Floats) -> float:
            return _exp(sums[0] / sums[1])

        interval = interval_of_sums(counted, value, samples=samples, seed=seed)
        return Score(value(counted.sum(0)), interval, losses.nats / units.mean())

    PERPLEXITIES[f"ppl-{unit}"] = Perplexity(f"ppl-{unit}", "standard", about, take)


PERPLEXITIES["ppl-moel"] = Perplexity(
    "ppl-moel",
    "moel, meed2",
    "perplexity as MoEL and MEED2 count: exp of the mean over responses of each one's loss a token",
    _over_responses,
)
_over_all("token", "perplexity a token: exp of all loss over all tokens of the run's own vocabulary")
_over_all("word", "the same a word or mark, whatever the vocabulary")
_over_all("character", "the same a character")
