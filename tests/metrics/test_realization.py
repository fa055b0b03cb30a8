"""Realization: plans held against what annotators read of the replies; and items told apart by polarity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empathic.annotators import Annotator
from empathic.dialogue import Factors, Level, Mechanism, Mechanisms, Plan, Turn
from empathic.metrics.grouping import by_polarity
from empathic.metrics.realization import read_replies, realization


def mechanisms(*levels: Level) -> Mechanisms:
    return Mechanisms(*map(Mechanism, levels))


PLANS = [
    Plan(mechanisms=mechanisms(2, 0, 0), act="consoling"),
    Plan(mechanisms=mechanisms(1, 0, 1), act="questioning"),
    Plan(mechanisms=mechanisms(0, 0, 0)),
    None,
]
FOUND = [
    Factors(mechanisms=mechanisms(1, 0, 0), act="consoling"),
    Factors(mechanisms=mechanisms(1, 0, 0), act="others"),
    Factors(mechanisms=mechanisms(0, 1, 0), act="others"),
    Factors(mechanisms=mechanisms(2, 2, 2), act="wishing"),
]


def test_realization_is_the_share_of_planned_replies_in_which_the_plan_is_found() -> None:
    values = {name: score.value for name, score in realization(PLANS, FOUND, samples=0).items()}
    assert values == {
        "realized-mechanisms": pytest.approx(100 / 3),  # the first alone is as planned in all three
        "realized-emotional-reaction": 100,  # planned for two, and shown, how strongly does not matter
        "realized-exploration": 0,  # planned for one that does not ask
        "realized-act": 50,
    }


def test_what_no_plan_decides_is_no_figure_and_an_unplanned_reply_is_no_item() -> None:
    assert realization([None, Plan()], FOUND[:2]) == {}
    items = realization(PLANS, FOUND)["realized-act"].items
    assert items is not None
    assert np.isnan(items).tolist() == [False, False, True, True]
    assert items[:2].tolist() == [100, 0]


def test_a_mechanism_that_the_plan_leaves_open_may_be_either() -> None:
    plan = Plan(mechanisms=Mechanisms(emotional_reaction=Mechanism(1)))
    assert realization([plan], [FOUND[3]], samples=0)["realized-mechanisms"].value == 100


def test_what_was_not_read_is_not_held_against_a_plan() -> None:
    assert realization([Plan(act="consoling")], [Factors(mechanisms=mechanisms(1, 1, 1))]) == {}


def test_replies_are_read_as_answers_to_what_the_speaker_said_last(
    tiny_annotators: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMPATHIC_CACHE", str(tmp_path))
    annotator = Annotator(("act", "mechanisms"), models=tiny_annotators, device="cpu")
    said, answered = Turn("speaker", "My dog died."), Turn("listener", "Oh no.")
    contexts = [(said,), (Turn("speaker", "I won."), answered, said), (said, answered)]
    alone, later, after = read_replies(annotator, contexts, ["I am sorry."] * 3)
    assert alone.act is not None
    assert alone.mechanisms is not None
    assert alone == later == after


def test_items_are_told_apart_by_the_polarity_of_what_the_speaker_feels() -> None:
    emotions = ["joyful", "sad", None, "surprised", "nostalgic", "happy"]
    assert by_polarity(emotions) == {"positive": [0, 3], "negative": [1, 4]}
    assert by_polarity([None, "sad"]) == {"negative": [1]}
