"""Temperatures make probabilities honest and change no decision."""

from __future__ import annotations

import numpy as np
import pytest

from empathic.annotators.calibration import cut, fit_temperature, fit_threshold, probabilities
from empathic.metrics.classification import expected_calibration_error

CHANCE = np.random.default_rng(0)


def test_probabilities_of_one_label_sum_to_one_and_others_stand_alone() -> None:
    scores = np.array([[1000.0, 0.0, -1000.0]])
    assert probabilities("single", scores).sum() == pytest.approx(1)
    assert probabilities("several", scores).tolist() == [[pytest.approx(1), 0.5, pytest.approx(0)]]


@pytest.mark.parametrize("times", [0.5, 1.0, 3.0])
def test_the_temperature_of_scores_that_are_too_sure_is_found(times: float) -> None:
    honest = CHANCE.normal(size=(20_000, 4))
    labels = np.array([CHANCE.choice(4, p=row) for row in probabilities("single", honest)])
    targets = np.eye(4)[labels]
    temperature = fit_temperature("single", honest * times, targets)
    assert temperature == pytest.approx(times, rel=0.1)
    after = probabilities("single", honest * times, temperature)
    assert expected_calibration_error(after.max(1), after.argmax(1) == labels) < 0.02


def test_the_temperature_of_yes_and_no_is_found() -> None:
    honest = CHANCE.normal(size=(20_000, 1))
    targets = (CHANCE.random((20_000, 1)) < probabilities("turns", honest)).astype(float)
    assert fit_temperature("turns", honest * 2, targets) == pytest.approx(2, rel=0.1)


def test_the_threshold_at_which_few_that_are_so_are_found_best() -> None:
    true = (CHANCE.random((20_000, 1)) < 0.1).astype(float)
    scores = CHANCE.normal(size=true.shape) + 3 * true - 4
    said = probabilities("turns", scores)
    threshold = fit_threshold("turns", said, true)

    def mean_f1(at: float) -> float:
        yes, so = said >= at, true > 0
        return float(np.mean([2 * (a & b).sum() / (a.sum() + b.sum()) for a, b in ((yes, so), (~yes, ~so))]))

    assert threshold < 0.4
    assert mean_f1(threshold) > mean_f1(0.5) + 0.02
    assert mean_f1(threshold) == max(mean_f1(at) for at in np.linspace(0.05, 0.95, 91))


def test_a_cut_is_the_score_that_means_the_threshold() -> None:
    assert probabilities("words", np.array([cut(0.3, 1.7)]), 1.7) == pytest.approx(0.3)
