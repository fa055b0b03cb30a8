"""Choosing the next token."""

from collections import Counter

import pytest
import torch

from empathic.decoding import Sampling, choose

SCORES = torch.tensor([2.0, 1.0, 0.0, -1.0])


def drawn(sampling: Sampling, said: list[int] | None = None, times: int = 2000) -> Counter[int]:
    generator = torch.Generator().manual_seed(0)
    return Counter(choose(SCORES, sampling, said=said or [], generator=generator) for _ in range(times))


def test_temperature_zero_takes_the_likeliest() -> None:
    assert drawn(Sampling(temperature=0), times=20) == {0: 20}


def test_tokens_are_drawn_by_their_probability() -> None:
    found = drawn(Sampling(temperature=1, top_p=1, repetition_penalty=1))
    expected = torch.softmax(SCORES, -1) * 2000
    assert all(abs(found[token] - expected[token]) < 80 for token in range(4))


def test_a_lower_temperature_favours_the_likely() -> None:
    assert drawn(Sampling(temperature=0.3, top_p=1))[0] > drawn(Sampling(temperature=1.0, top_p=1))[0] + 300


@pytest.mark.parametrize(
    ("top_p", "kept"), [(0.01, {0}), (0.6, {0}), (0.7, {0, 1}), (0.95, {0, 1, 2}), (1.0, {0, 1, 2, 3})]
)
def test_top_p_keeps_the_likeliest_that_reach_it_together(top_p: float, kept: set[int]) -> None:
    assert set(drawn(Sampling(temperature=1, top_p=top_p, repetition_penalty=1))) == kept


def test_the_penalty_makes_what_was_said_unlikelier_whatever_its_sign() -> None:
    greedy = Sampling(temperature=0, repetition_penalty=3)
    assert drawn(greedy, said=[0], times=1) == {1: 1}
    free, penalised = (
        drawn(Sampling(temperature=1, top_p=1, repetition_penalty=penalty), said=[3]) for penalty in (1, 5)
    )
    assert penalised[3] < free[3] / 2


def test_scores_are_left_as_they_were() -> None:
    before = SCORES.clone()
    drawn(Sampling(repetition_penalty=2), said=[0, 1], times=3)
    assert torch.equal(SCORES, before)


def test_the_same_seed_draws_the_same() -> None:
    assert drawn(Sampling()) == drawn(Sampling())
