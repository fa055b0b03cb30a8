"""The sample that ships with the project keeps what it promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from math import log, sqrt

import pytest

from empathic import corpora
from empathic.corpora import Defect
from empathic.corpora.sample import FILE
from empathic.dialogue import Dialogue, from_json, to_json
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


def vocabulary(*texts: str | None) -> frozenset[str]:
    return frozenset(word for text in texts for word in fold(text or "").split())


def everything(dialogue: Dialogue) -> frozenset[str]:
    return vocabulary(dialogue.situation, *(turn.text for turn in dialogue.turns))


def too_much_alike(
    sample: list[Dialogue], said_in: Callable[[Dialogue], frozenset[str]], limit: float
) -> list[tuple[str, str, float]]:
    # The cosine of the two sets of words, each word weighed by its rarity: what every dialogue says ("I", "the") weighs
    # next to nothing, so that the words of the story count.
    found = Counter(word for dialogue in sample for word in everything(dialogue))
    weight = {word: log(len(sample) / dialogues) ** 2 for word, dialogues in found.items()}

    def weigh(words: frozenset[str]) -> float:
        return sum(weight[word] for word in words)

    alike = []
    for (one, its), (other, others) in combinations([(each.id, said_in(each)) for each in sample], 2):
        likeness = weigh(its & others) / sqrt(weigh(its) * weigh(others))
        if likeness > limit:
            alike.append((one, other, round(likeness, 3)))
    return alike


def test_no_two_situations_share_more_than_a_small_part_of_their_words(sample: list[Dialogue]) -> None:
    assert too_much_alike(sample, lambda dialogue: vocabulary(dialogue.situation), limit=0.25) == []


def test_no_two_dialogues_share_more_than_a_small_part_of_their_words(sample: list[Dialogue]) -> None:
    assert too_much_alike(sample, everything, limit=0.15) == []


def test_every_line_is_written_as_the_writer_of_records_writes_it() -> None:
    *lines, rest = FILE.read_bytes().split(b"\n")
    assert rest == b""
    assert [line for line in lines if to_json(from_json(line, Dialogue)) != line] == []


def test_nothing_in_it_is_amiss() -> None:
    defects: list[Defect] = []
    corpora.check("sample", report=defects.append)
    assert defects == []
