"""The sample that ships with the project keeps what it promises."""

from __future__ import annotations

from collections import Counter

import pytest

from empathic import corpora
from empathic.corpora import Defect
from empathic.dialogue import Dialogue
from empathic.taxonomy import SITUATION_EMOTIONS
from empathic.text import fold


@pytest.fixture(scope="module")
def sample() -> list[Dialogue]:
    return list(corpora.read_dialogues("sample", strict=True))


def test_it_is_read_wherever_the_data_folder_is(sample: list[Dialogue]) -> None:
    assert len(sample) >= 160


def test_each_of_the_32_emotions_has_five_dialogues_or_more(sample: list[Dialogue]) -> None:
    given = Counter(dialogue.emotion for dialogue in sample)
    assert set(given) == set(SITUATION_EMOTIONS)
    assert min(given.values()) >= 5


def test_every_split_has_every_emotion(sample: list[Dialogue]) -> None:
    for split in ("train", "valid", "test"):
        assert {each.emotion for each in sample if each.split == split} == set(SITUATION_EMOTIONS)


def test_dialogues_have_two_to_six_turns_and_begin_with_the_speaker(sample: list[Dialogue]) -> None:
    assert {len(dialogue.turns) for dialogue in sample} <= {2, 3, 4, 5, 6}
    assert {dialogue.turns[0].role for dialogue in sample} == {"speaker"}
    assert all(any(True for _ in dialogue.exchanges()) for dialogue in sample)


def test_no_text_stands_there_twice(sample: list[Dialogue]) -> None:
    said = [fold(turn.text) for dialogue in sample for turn in dialogue.turns]
    situations = [fold(dialogue.situation or "") for dialogue in sample]
    assert [text for text, times in Counter(said).items() if times > 1] == []
    assert [text for text, times in Counter(situations).items() if times > 1] == []


def test_nothing_in_it_is_amiss() -> None:
    defects: list[Defect] = []
    corpora.check("sample", report=defects.append)
    assert defects == []
