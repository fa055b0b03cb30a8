from __future__ import annotations

from typing import Any

import pytest

from empathic import corpora
from empathic.dialogue import Dialogue, Factors, Turn


def test_the_last_turn_carries_the_label_and_the_made_label_says_which_file() -> None:
    assert next(corpora.read_dialogues("edos", strict=True)) == Dialogue(
        "workers-2-7001",
        (
            Turn("speaker", "The bridge is out ."),
            Turn("listener", "Then we swim .", factors=Factors(intent="prepared")),
        ),
        "edos",
        labels={"label": "Prepared", "made": "workers"},
    )


def test_raters_who_disagreed_leave_the_turn_without_a_label() -> None:
    dialogue = list(corpora.read_dialogues("edos", part="workers", strict=True))[1]
    assert [(turn.role, turn.factors) for turn in dialogue.turns] == [
        ("speaker", None),
        ("listener", None),
        ("speaker", None),
    ]
    assert dialogue.labels["label"] == "-"


def test_a_label_among_others_of_the_workers_counts_as_that_label() -> None:
    dialogue = list(corpora.read_dialogues("edos", part="workers", strict=True))[2]
    assert dialogue.turns[-1].factors == Factors(act="suggesting", intent="suggesting")
    assert dialogue.labels["label"] == "Suggesting (Other)"


@pytest.mark.parametrize(
    ("part", "identities", "texts", "intent"),
    [
        ("similar", ["similar-2-8001"], ["Quite so .", "Very well ."], "acknowledging"),
        ("self-labelled", ["self-labelled-2-8002"], ["The lamp went out .", "I do not like it ."], "afraid"),
        ("similar-self", ["similar-self-2-8003"], ["Half past nine .", "Half past nine ."], "neutral"),
    ],
)
def test_each_further_file_is_a_part_with_its_own_columns(
    part: str, identities: list[str], texts: list[str], intent: str
) -> None:
    dialogues = list(corpora.read_dialogues("edos", part=part, strict=True))
    assert [dialogue.id for dialogue in dialogues] == identities
    assert [turn.text for turn in dialogues[0].turns] == texts
    assert dialogues[0].turns[-1].factors is not None
    assert dialogues[0].turns[-1].factors.intent == intent


def test_all_four_files_are_read_by_default() -> None:
    made = [dialogue.labels["made"] for dialogue in corpora.read_dialogues("edos", strict=True)]
    assert made == ["workers", "workers", "workers", "similar", "self-labelled", "similar-self"]


def test_damaged_rows_are_located_and_passed_over(read_text: Any) -> None:
    text = (
        ",emotion,cos_sim,amt_dialog_id,amt_dialog,os_dialog_id,os_dialog\n"
        '0,Sad,0.9,1,- A .,2,"- It sank .\n- It did ."\n'
        "1,Merry,0.9,1,- A .,3,- It floats .\n"
        "2,Sad,0.9,1,- A .,4, \n"
        "3,Sad,0.9\n"
        "4,Joyful,0.9,1,- A .,5,- It floats .\n"
    )
    records, defects = read_text("edos", "2._Similar_dialogs_3K.csv", text)
    assert [record.id for record in records] == ["similar-2-2", "similar-7-5"]
    assert defects == [
        "2._Similar_dialogs_3K.csv:4: 'Merry' is none of the 41 labels, nor '-' for raters who disagreed",
        "2._Similar_dialogs_3K.csv:5: an empty dialogue",
        "2._Similar_dialogs_3K.csv:6: 3 fields where the header has 7",
    ]
