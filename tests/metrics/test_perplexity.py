"""Each protocol of perplexity has the value that its definition gives, worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from empathic.metrics.perplexity import PERPLEXITIES, Losses
from empathic.metrics.significance import Score


def losses(*rows: tuple[float, float, float, float]) -> Losses:
    return Losses(*np.array(rows, np.float64).T)


# A response of two tokens that costs 2 nats each, and one of eight that costs 1 each.
TWO = losses((4.0, 2, 2, 10), (8.0, 8, 6, 30))


def taken(name: str, of: Losses = TWO, samples: int = 0) -> Score:
    return PERPLEXITIES[name].take(of, samples, 0)


def test_moels_perplexity_weighs_a_short_response_as_much_as_a_long_one() -> None:
    assert taken("ppl-moel").value == pytest.approx(math.exp((2 + 1) / 2))


@pytest.mark.parametrize(("name", "units"), [("ppl-token", 10), ("ppl-word", 8), ("ppl-character", 40)])
def test_standard_perplexity_is_all_loss_over_all_units(name: str, units: int) -> None:
    assert taken(name).value == pytest.approx(math.exp(12 / units))


def test_the_protocols_agree_where_all_responses_are_as_long() -> None:
    same = losses((4.0, 4, 4, 9), (8.0, 4, 4, 9), (2.0, 4, 4, 9))
    assert taken("ppl-moel", same).value == pytest.approx(taken("ppl-token", same).value)


@pytest.mark.parametrize("name", PERPLEXITIES)
def test_items_are_nats_whose_mean_is_the_logarithm_of_the_figure(name: str) -> None:
    found = taken(name)
    assert found.items is not None
    assert found.items.mean() == pytest.approx(math.log(found.value))


@pytest.mark.parametrize("name", PERPLEXITIES)
def test_an_interval_holds_the_figure_and_narrows_with_more_responses(name: str) -> None:
    chance = np.random.default_rng(0)
    sizes = chance.integers(3, 20, 2_000).astype(np.float64)
    many = Losses(sizes * chance.normal(3.5, 0.5, 2_000), sizes, sizes - 1, 5 * sizes)
    few = Losses(*(each[:100] for each in many))
    widths = []
    for each in (few, many):
        found = taken(name, each, 300)
        assert found.interval is not None
        assert found.interval.low < found.value < found.interval.high
        widths.append(found.interval.high - found.interval.low)
    assert widths[1] < widths[0] / 2.5
    assert taken(name).interval is None


def test_a_run_that_cuts_words_into_pieces_has_the_same_perplexity_a_word() -> None:
    pieces = TWO._replace(tokens=TWO.tokens * 2)
    assert taken("ppl-word", pieces).value == taken("ppl-word").value
    assert taken("ppl-token", pieces).value < taken("ppl-token").value
