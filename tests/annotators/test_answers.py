"""What scores say: labels in order, yes and no, and words that begin and end where words do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empathic.annotators.answers import labels_chosen, likeliest, several_chosen, strongest_run, words_shown, yes_levels
from empathic.annotators.readings import Line, Text, lay_out
from empathic.models.encoder import load_encoder

SAID = "Oh no, I am so sorry... 😀 Twice?"


@pytest.fixture
def text(tiny_encoder: Path) -> Text:
    (laid_out,) = lay_out(
        load_encoder(str(tiny_encoder)), [(Line("speaker", "Hm."), Line("listener", SAID))], longest=99, offsets=True
    )
    return laid_out


def marked(text: Text, *spans: tuple[int, int]) -> np.ndarray:
    """Probabilities that mark the tokens of these characters of the second turn."""
    return np.array(
        [
            0.9 if turn == 1 and any(begin < last and end > first for first, last in spans) else 0.1
            for turn, (begin, end) in zip(text.turns, text.offsets, strict=True)
        ]
    )


def test_the_likeliest_labels_come_first_and_as_many_as_are_asked_for() -> None:
    said = np.array([[0.1, 0.6, 0.3], [0.5, 0.2, 0.3]])
    assert likeliest("abc", said, 1) == [{"b": 0.6}, {"a": 0.5}]
    assert [list(each) for each in likeliest("abc", said, 2)] == [["b", "c"], ["a", "c"]]
    assert [list(each) for each in likeliest("abc", said, 9)] == [["b", "c", "a"], ["a", "c", "b"]]


def test_of_several_labels_those_beyond_the_threshold_hold_and_one_in_any_case() -> None:
    said = np.array([[0.4, 0.35, 0.1], [0.1, 0.2, 0.05]])
    chosen = several_chosen(said, 0.3)
    assert chosen.tolist() == [[True, True, False], [False, True, False]]
    assert labels_chosen("abc", chosen) == [("a", "b"), ("b",)]


def test_a_mechanism_shows_where_weak_and_strong_together_are_likelier_than_none() -> None:
    assert yes_levels(np.array([[0.45, 0.3, 0.25], [0.45, 0.2, 0.35], [0.6, 0.3, 0.1]])).tolist() == [1, 2, 0]


def test_runs_of_marked_words_are_whole_words_without_the_marks_before_them(text: Text) -> None:
    comma, sorry = SAID.index(","), SAID.index("sorry")
    assert words_shown(text, 1, SAID, marked(text, (comma, sorry + 1))) == ("I am so sorry",)
    twice = SAID.index("Twice")
    assert words_shown(text, 1, SAID, marked(text, (0, 2), (twice, twice + 6))) == ("Oh", "Twice?")
    assert words_shown(text, 1, SAID, marked(text)) == ()
    assert words_shown(text, 0, "Hm.", marked(text, (0, 99))) == ()


def test_the_strongest_run_bridges_a_weak_word_and_no_run_is_none(text: Text) -> None:
    begin, end = SAID.index("I am"), SAID.index("...")
    bridged = marked(text, (begin, SAID.index("so")), (SAID.index("sorry"), end))
    so = (SAID.index("so"), SAID.index("so") + 2)
    bridged[marked(text, so) > 0.5] = 0.45
    assert strongest_run(text, 1, SAID, bridged) == "I am so sorry"
    assert strongest_run(text, 1, SAID, marked(text)) is None
