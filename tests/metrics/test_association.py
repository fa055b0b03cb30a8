"""Mutual information: nothing where labels are apart, all of it where one decides the other."""

from __future__ import annotations

import numpy as np
import pytest

from empathic.metrics.association import information, meetings, mutual_information


def test_labels_that_decide_each_other_share_all_and_those_apart_share_nothing() -> None:
    assert mutual_information(np.diag([5.0, 5.0, 5.0, 5.0])) == pytest.approx(2.0)
    assert mutual_information(np.outer([1.0, 3.0], [2.0, 5.0, 1.0])) == pytest.approx(0.0, abs=1e-12)


def test_mutual_information_is_the_difference_of_entropies() -> None:
    counts = np.array([[8.0, 1.0], [2.0, 5.0], [0.0, 4.0]])

    def entropy(of: np.ndarray) -> float:
        chances = of.ravel()[of.ravel() > 0] / of.sum()
        return float(-(chances * np.log2(chances)).sum())

    expected = entropy(counts.sum(0)) + entropy(counts.sum(1)) - entropy(counts)
    assert mutual_information(counts) == pytest.approx(expected)


def test_meetings_count_every_pair() -> None:
    x, y = np.array([0, 0, 1]), np.array([2, 2, 0])
    assert meetings(x, y, (2, 3)).tolist() == [[0, 0, 2], [1, 0, 0]]


def test_what_chance_adds_is_taken_off() -> None:
    generator = np.random.default_rng(0)
    x, y = generator.integers(0, 9, 500), generator.integers(0, 10, 500)
    groups = np.arange(500)
    plain = mutual_information(meetings(x, y, (9, 10)))
    found = information(x, y, (9, 10), groups, samples=200)
    assert plain > 0.09
    assert found.bits < plain / 3
    assert found.low == 0.0


def test_the_interval_holds_what_is_known_and_knows_about_groups() -> None:
    generator = np.random.default_rng(1)
    # Each group says one thing over and over: there are 60 items of news in 600 items.
    x = np.repeat(generator.integers(0, 2, 60), 10)
    y = np.where(np.repeat(generator.random(60) < 0.9, 10), x, 1 - x)
    together = information(x, y, (2, 2), np.repeat(np.arange(60), 10), samples=400)
    apart = information(x, y, (2, 2), np.arange(600), samples=400)
    known = 1 + 0.9 * np.log2(0.9) + 0.1 * np.log2(0.1)
    assert together.low <= known <= together.high
    assert together.high - together.low > 2 * (apart.high - apart.low)
    assert together.share_of_x == pytest.approx(together.bits, rel=0.05)


def test_the_same_seed_gives_the_same_interval() -> None:
    x, y, groups = np.array([0, 1, 0, 1, 1]), np.array([0, 1, 1, 1, 0]), np.arange(5)
    assert information(x, y, (2, 2), groups, seed=3) == information(x, y, (2, 2), groups, seed=3)
