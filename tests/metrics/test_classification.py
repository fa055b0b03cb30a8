"""Each measure by its definition, on cases that can be counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from empathic.metrics.classification import (
    accuracy,
    binary_f1,
    bootstrap,
    expected_calibration_error,
    macro_f1,
    random_guesses,
    top_k_accuracy,
    weighted_scores,
)

TRUE = np.array([0, 0, 0, 1, 1, 2])
SAID = np.array([0, 0, 1, 1, 0, 2])


def test_accuracy_is_the_share_that_is_right() -> None:
    assert accuracy(SAID, TRUE) == pytest.approx(4 / 6)


def test_macro_f1_is_the_mean_over_labels() -> None:
    assert macro_f1(SAID, TRUE) == pytest.approx((4 / 6 + 2 / 4 + 1) / 3)


def test_binary_f1_is_none_where_nothing_is_found() -> None:
    assert binary_f1(TRUE == 5, TRUE == 5) == 0
    assert binary_f1(np.array([True, True]), np.array([True, False])) == pytest.approx(2 / 3)


def test_top_k_accuracy_looks_at_the_k_highest() -> None:
    scores = np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
    true = np.array([0, 1, 0])
    assert [top_k_accuracy(scores, true, k) for k in (1, 2, 3)] == pytest.approx([1 / 3, 2 / 3, 1])


def test_calibration_error_is_none_where_confidence_is_right_as_often_as_it_says() -> None:
    right = np.array([True] * 7 + [False] * 3)
    assert expected_calibration_error(np.full(10, 0.7), right) == pytest.approx(0)
    assert expected_calibration_error(np.full(10, 1.0), right) == pytest.approx(0.3)


def test_the_interval_of_a_mean_holds_it_and_narrows_with_more_items() -> None:
    generator = np.random.default_rng(1)
    few, many = generator.normal(size=100), generator.normal(size=10_000)
    intervals = [bootstrap(lambda items, of=of: float(of[items].mean()), len(of)) for of in (few, many)]
    for (low, high), of in zip(intervals, (few, many), strict=True):
        assert low < of.mean() < high
    assert intervals[1][1] - intervals[1][0] < (intervals[0][1] - intervals[0][0]) / 5


def test_weighted_scores_are_means_over_labels_by_how_often_each_is_true() -> None:
    found = weighted_scores(SAID, TRUE, 5, samples=0)
    # of labels 0, 1, 2: precision 2/3, 1/2, 1; recall 2/3, 1/2, 1; true three times, twice, once
    assert found.precision.value == pytest.approx((3 * 2 / 3 + 2 * 1 / 2 + 1) / 6)
    assert found.recall.value == pytest.approx(accuracy(SAID, TRUE))
    assert found.f1.value == pytest.approx((3 * 4 / 6 + 2 * 2 / 4 + 1) / 6)


def test_a_label_that_is_never_said_has_no_precision_and_one_that_is_never_true_no_weight() -> None:
    found = weighted_scores(np.array([1, 1, 3]), np.array([0, 1, 1]), 4, samples=0)
    # label 1: said twice, right once, true twice; label 0: true once, never said; label 3: never true
    assert [each.value for each in found] == pytest.approx([2 / 3 * 1 / 2, 1 / 3, 2 / 3 * 1 / 2])


def test_the_interval_of_weighted_scores_holds_them_and_recall_has_items() -> None:
    generator = np.random.default_rng(0)
    true = generator.integers(0, 4, 800)
    said = np.where(generator.random(800) < 0.6, true, generator.integers(0, 4, 800))
    for each in weighted_scores(said, true, 4, samples=200):
        assert each.interval is not None
        assert each.interval.low < each.value < each.interval.high
    recall = weighted_scores(said, true, 4, samples=0).recall
    assert recall.items is not None
    assert recall.items.mean() == pytest.approx(recall.value)


def test_random_guesses_are_right_as_often_as_there_are_labels_and_precise_as_labels_are_unequal() -> None:
    true = np.repeat([0, 1, 2], [600, 300, 100])
    found = random_guesses(true, 4, samples=300)
    assert found.recall.value == pytest.approx(1 / 4)
    assert found.precision.value == pytest.approx(0.6**2 + 0.3**2 + 0.1**2)
    assert found.f1.value == pytest.approx(sum(2 * p * p / (4 * p + 1) for p in (0.6, 0.3, 0.1)))
    for each in found:
        assert each.interval is not None
        assert each.interval.low < each.value < each.interval.high
    assert random_guesses(true, 4, samples=300) == found


def test_a_single_try_at_random_lies_as_far_from_its_expectation_as_a_binomial_does() -> None:
    true = np.random.default_rng(0).choice(41, 2_000, p=np.arange(41, 0, -1) / np.arange(1, 42).sum())
    recall = random_guesses(true, 41, samples=2_000).recall
    assert recall.interval is not None
    assert recall.interval.low == pytest.approx(1 / 41 - 1.96 * (1 / 41 * 40 / 41 / 2_000) ** 0.5, abs=1e-3)
