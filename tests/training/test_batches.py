"""Batches hold what is of like length, every item once an epoch, in an order that the seed and the epoch decide."""

from __future__ import annotations

import random

import pytest

from empathic.training import Batches

LENGTHS = [random.Random(0).randint(1, 60) for _ in range(5_000)]


def test_every_item_is_in_every_epoch_once() -> None:
    batches = Batches(LENGTHS, tokens=500)
    for number in range(2):
        assert sorted(item for batch in batches.epoch(number) for item in batch) == list(range(5_000))


def test_a_batch_padded_to_its_longest_item_keeps_to_its_tokens_and_wastes_few() -> None:
    padded = [len(batch) * max(LENGTHS[item] for item in batch) for batch in Batches(LENGTHS, tokens=500).epoch(0)]
    assert max(padded) <= 500
    assert sum(LENGTHS) / sum(padded) > 0.9


def test_an_item_longer_than_a_batch_comes_alone() -> None:
    assert sorted(map(sorted, Batches([3, 900, 3], tokens=10).epoch(0))) == [[0, 2], [1]]


def test_a_fixed_number_of_items_makes_batches_of_that_many() -> None:
    sizes = [len(batch) for batch in Batches(LENGTHS[:4_096], tokens=1, items=16).epoch(0)]
    assert set(sizes) == {16}


def test_the_order_follows_from_the_seed_and_the_epoch() -> None:
    batches = Batches(LENGTHS, tokens=500, seed=1)
    assert batches.epoch(3) == Batches(LENGTHS, tokens=500, seed=1).epoch(3)
    assert batches.epoch(3) != batches.epoch(4)
    assert batches.epoch(3) != Batches(LENGTHS, tokens=500, seed=2).epoch(3)


@pytest.mark.parametrize("tokens", [500, 2_000])
def test_long_and_short_batches_are_mixed(tokens: int) -> None:
    longest = [max(LENGTHS[item] for item in batch) for batch in Batches(LENGTHS, tokens=tokens).epoch(0)]
    half = len(longest) // 2
    assert abs(sum(longest[:half]) / half - sum(longest[half:]) / (len(longest) - half)) < 15
