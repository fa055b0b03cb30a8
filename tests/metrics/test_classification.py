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
    top_k_accuracy,
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
