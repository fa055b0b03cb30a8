from __future__ import annotations

import json
from typing import Any

import pytest

from empathic import corpora
from empathic.dialogue import Dialogue, Factors, Mechanism, Mechanisms, Turn


def mechanisms(emotional_reaction: int, interpretation: int, exploration: int) -> Mechanisms:
    return Mechanisms(Mechanism(emotional_reaction), Mechanism(interpretation), Mechanism(exploration))


def test_labels_written_as_names_are_kept() -> None:
    assert next(corpora.read_dialogues("comae-pec", strict=True)) == Dialogue(
        "train-1",
        (
            Turn("speaker", "we won the cup", factors=Factors(mechanisms(0, 0, 0), act="others", emotion="joy")),
            Turn(
                "listener",
                "what a day that must be ! which cup ?",
                factors=Factors(mechanisms(1, 0, 1), act="questioning", emotion="gratitude"),
            ),
        ),
        "comae-pec",
        "train",
    )


def test_labels_written_as_numbers_are_those_of_the_released_lists() -> None:
    dialogue = list(corpora.read_dialogues("comae-pec", split="train", strict=True))[1]
    assert dialogue.turns == (
        Turn("speaker", "we lost the cup"),
        Turn("listener", "next year , then", factors=Factors(mechanisms(0, 1, 0), act="others", emotion="joy")),
    )


def test_turns_without_mechanisms_have_none() -> None:
    (dialogue,) = corpora.read_dialogues("comae-pec", split="valid", strict=True)
    assert dialogue.turns[1].factors == Factors(act="acknowledging", emotion="surprise")


@pytest.mark.parametrize(
    ("part", "identities"),
    [
        (None, ["test_happy-1", "test_offmychest-1"]),
        ("happy", ["test_happy-1"]),
        ("offmychest", ["test_offmychest-1"]),
    ],
)
def test_the_test_set_has_a_part_a_forum(part: str | None, identities: list[str]) -> None:
    dialogues = corpora.read_dialogues("comae-pec", split="test", part=part, strict=True)
    assert [dialogue.id for dialogue in dialogues] == identities


def test_damaged_lines_are_located_and_passed_over(read_text: Any) -> None:
    def line(**labels: Any) -> str:
        return json.dumps({"dialog": [{"text": "yes", "speaker": "usr"} | labels]}) + "\n"

    text = line() + line(dialact=8) + line(emotion="glee") + line(speaker="cat") + line(text=" ") + line(er=2) + line()
    records, defects = read_text("comae-pec", "train.txt", text)
    assert [record.id for record in records] == ["train-1", "train-7"]
    assert defects == [
        "train.txt:2: there is no label 8; they run from 0 to 7",
        "train.txt:3: 'glee' is no label that CoMAE uses",
        "train.txt:4: Invalid enum value 'cat' - at `$.dialog[0].speaker`",
        "train.txt:5: a conversation with no turns, or with an empty one",
        "train.txt:6: Invalid enum value 2 - at `$.dialog[0].er`",
    ]
