"""Temperatures make probabilities honest and change no decision."""

from __future__ import annotations

import numpy as np
import pytest

from empathic.annotators.calibration import fit_temperature, probabilities
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
