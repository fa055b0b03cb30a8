from __future__ import annotations

import json
from typing import Any

import pytest

from empathic import corpora
from empathic.dialogue import Cause, Dialogue, Factors, Turn

EVIDENCE = "expanded emotion cause evidence"
SPANS = "expanded emotion cause span"


def test_turns_name_their_causes_and_background_is_none_of_them() -> None:
    assert next(corpora.read_dialogues("reccon", strict=True)) == Dialogue(
        "tr_1",
        (
            Turn(
                "speaker",
                "I won the raffle .",
                name="A",
                factors=Factors(causes=(Cause(0, "won the raffle"),)),
                labels={"emotion": "happiness"},
            ),
            Turn(
                "listener",
                "Good for you !",
                name="B",
                factors=Factors(causes=(Cause(0, "I won the raffle ."),)),
                labels={"emotion": "happiness"},
            ),
            Turn("speaker", "It is a goat .", name="A", labels={"emotion": "neutral"}),
        ),
        "reccon",
        "train",
    )


def test_an_emotion_whose_only_cause_is_background_has_no_causes() -> None:
    (dialogue,) = corpora.read_dialogues("reccon", split="valid", strict=True)
    assert dialogue.turns[0].factors is None


@pytest.mark.parametrize(
    ("part", "read"),
    [(None, [("tr_1", "train"), ("va_1", "valid"), ("te_1", "test")]), ("iemocap", [("Ses01", "test")])],
)
def test_a_part_holds_its_own_dialogues(part: str | None, read: list[tuple[str, str]]) -> None:
    dialogues = corpora.read_dialogues("reccon", part=part, strict=True)
    assert [(dialogue.id, dialogue.split) for dialogue in dialogues] == read


def test_damaged_dialogues_are_located_and_passed_over(read_text: Any) -> None:
    def turn(**changed: Any) -> dict[str, Any]:
        return {"turn": 1, "speaker": "A", "utterance": "Hm .", "emotion": "neutral"} | changed

    dialogues = {
        "whole": [[turn()]],
        "wordless": [[turn(utterance=" ")]],
        "empty": [],
        "wrong": [[turn(turn="one")]],
        "also whole": [[turn(**{EVIDENCE: [1], SPANS: ["Hm"]})]],
    }
    text = "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in dialogues.items()) + "\n}"
    records, defects = read_text("reccon", "dailydialog_train.json", text)
    assert [record.id for record in records] == ["whole", "also whole"]
    assert defects == [
        "dailydialog_train.json:3: [wordless] holds an empty utterance",
        "dailydialog_train.json:4: [empty] holds no turns",
        "dailydialog_train.json:5: [wrong] Expected `int`, got `str` - at `$[0][0].turn`",
    ]


def test_a_cause_in_a_turn_that_is_not_there_is_left_out(read_text: Any) -> None:
    turn = {"turn": 1, "speaker": "A", "utterance": "Hm .", "emotion": "fear", EVIDENCE: [0, 1, 9], SPANS: ["", "", ""]}
    (record,), _ = read_text("reccon", "dailydialog_train.json", json.dumps({"d": [[turn]]}))
    assert record.turns[0].factors == Factors(causes=(Cause(0),))
