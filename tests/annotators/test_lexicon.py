"""Lexicons are read in every layout that is handed on, and a damaged one is named with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.annotators.lexicon import Tone, read_lexicon
from empathic.errors import DataError, UsageError


def test_lines_and_an_object_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Word\tValence\tArousal\tDominance\ncalm\t0.8\t0.1\t0.5\n\n")
    (tmp_path / "a.json").write_text('{"Calm": [0.8, 0.1, 0.5]}')
    lines, json = (read_lexicon(tmp_path / name).tones for name in ("a.txt", "a.json"))
    assert lines == json == {"calm": Tone(0.8, 0.1, 0.5)}


def test_a_scale_from_minus_one_becomes_one_from_zero(tmp_path: Path) -> None:
    (tmp_path / "v2.txt").write_text("term\tvalence\tarousal\tdominance\ngrief\t-1\t0\t0.5\nglee\t1\t0.5\t0\n")
    assert read_lexicon(tmp_path / "v2.txt").tones["grief"] == Tone(0.0, 0.5, 0.75)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("calm\t0.8\t0.1\n", r"lexicon:1: not a word and three numbers"),
        ("calm\t0.8\t0.1\t0.5\nglee 1 2 3\n", r"lexicon:2: not a word and three numbers"),
        ("calm\t8\t0.1\t0.5\n", r"lexicon:1: 'calm' has a number that is not between -1 and 1"),
        ('{"calm": [0.1, 0.2]}', "not an object of words with three numbers each"),
        ("", "holds no words"),
    ],
)
def test_damage_is_named_with_its_place(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "lexicon").write_text(text)
    with pytest.raises(DataError, match=what):
        read_lexicon(tmp_path / "lexicon")


def test_a_lexicon_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no lexicon"):
        read_lexicon(tmp_path / "none")
