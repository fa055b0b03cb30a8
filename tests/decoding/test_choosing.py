"""Choosing the next token of each row."""

from collections import Counter

import pytest
import torch

from empathic.decoding import Decoding
from empathic.decoding.choosing import chances, choose
from empathic.decoding.limits import penalise

SCORES = torch.tensor([2.0, 1.0, 0.0, -1.0])


def drawn(settings: Decoding, scores: torch.Tensor = SCORES, times: int = 2000) -> Counter[int]:
    return Counter(choose(scores.expand(times, -1), settings, chances([0], times)[0]).tolist())


def test_without_chance_the_likeliest_is_taken() -> None:
    rows = torch.stack([SCORES, SCORES.flip(0), SCORES.roll(1)])
    assert choose(rows, Decoding(), None).tolist() == [0, 3, 1]


def test_tokens_are_drawn_by_their_probability() -> None:
    found = drawn(Decoding())
    expected = torch.softmax(SCORES, -1) * 2000
    assert all(abs(found[token] - expected[token]) < 80 for token in range(4))


def test_a_lower_temperature_favours_the_likely() -> None:
    assert drawn(Decoding(temperature=0.3))[0] > drawn(Decoding())[0] + 300


def test_the_lowest_temperature_takes_the_likeliest() -> None:
    assert drawn(Decoding(temperature=1e-30)) == {0: 2000}


@pytest.mark.parametrize(
    ("top_p", "kept"), [(0.01, {0}), (0.6, {0}), (0.7, {0, 1}), (0.95, {0, 1, 2}), (1.0, {0, 1, 2, 3})]
)
def test_top_p_keeps_the_likeliest_that_reach_it_together(top_p: float, kept: set[int]) -> None:
    assert set(drawn(Decoding(top_p=top_p))) == kept


@pytest.mark.parametrize(("top_k", "kept"), [(1, {0}), (3, {0, 1, 2}), (4, {0, 1, 2, 3}), (9, {0, 1, 2, 3})])
def test_top_k_keeps_so_many(top_k: int, kept: set[int]) -> None:
    assert set(drawn(Decoding(top_k=top_k))) == kept


def test_top_p_is_of_what_top_k_keeps() -> None:
    # Of the first two alone, the first has 0.73.
    assert set(drawn(Decoding(top_k=2, top_p=0.7))) == {0}
    assert set(drawn(Decoding(top_k=2, top_p=0.75))) == {0, 1}


def test_what_may_not_come_is_never_drawn() -> None:
    scores = SCORES.masked_fill(torch.tensor([True, False, True, False]), float("-inf"))
    assert set(drawn(Decoding(temperature=10), scores)) == {1, 3}
    assert choose(scores[None], Decoding(), torch.tensor([1.0])).item() in {1, 3}


def test_the_penalty_makes_what_was_said_unlikelier_whatever_its_sign() -> None:
    penalised = penalise(SCORES[None], torch.tensor([[0, 3, 0]]), 4.0)
    assert penalised.tolist() == [[0.5, 1.0, 0.0, -4.0]]


def test_scores_are_left_as_they_were() -> None:
    scores = SCORES.expand(2, -1).clone()
    choose(penalise(scores, torch.tensor([[0], [1]]), 2.0), Decoding(top_p=0.5), torch.tensor([0.1, 0.9]))
    assert torch.equal(scores, SCORES.expand(2, -1))


def test_chance_follows_from_each_seed_alone() -> None:
    rows = chances([3, 5, 3], 40)
    assert torch.equal(rows[0], rows[2])
    assert not torch.equal(rows[0], rows[1])
    assert torch.equal(chances([5], 40)[0], rows[1])


def test_a_greater_length_leaves_the_chance_of_the_first_tokens_as_it_was() -> None:
    assert torch.equal(chances([7], 100)[:, :9], chances([7], 9))


def test_flat_scores_are_drawn_from_to_the_last_token() -> None:
    found = drawn(Decoding(), torch.zeros(1000), times=4000)
    assert len(found) > 900


def test_a_row_is_drawn_from_alike_whether_its_neighbours_are_flat_or_steep() -> None:
    slopes = torch.tensor([5.0, 0.001, 0.2, 0.0, 0.004])
    rows = -slopes[:, None] * torch.arange(1000.0)
    settings, chance = Decoding(top_p=0.9), torch.tensor([0.1, 0.99, 0.9, 0.5, 0.7])
    together = choose(rows, settings, chance)
    alone = [choose(rows[at : at + 1], settings, chance[at : at + 1]).item() for at in range(5)]
    assert together.tolist() == alone
    assert together[1] > 256
