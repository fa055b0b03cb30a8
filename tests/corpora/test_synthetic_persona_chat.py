from __future__ import annotations

import time
from typing import Any

from empathic import corpora
from empathic.dialogue import Dialogue, Turn

NAME = "synthetic-persona-chat"
HEADER = "user 1 personas,user 2 personas,Best Generated Conversation\n"


def test_a_row_is_a_conversation_with_both_personas() -> None:
    assert next(corpora.read_dialogues(NAME, strict=True)) == Dialogue(
        "Synthetic-Persona-Chat_train-2",
        (
            Turn("speaker", "Good morning!"),
            Turn("listener", "Good morning. Is that bread? It smells warm."),
            Turn("speaker", "It is, from six o'clock."),
        ),
        NAME,
        "train",
        persona=("I fear water.", "I like tea."),
        speaker_persona=("I bake bread.", "I own a boat."),
    )


def test_names_in_bold_are_names_too() -> None:
    (dialogue,) = corpora.read_dialogues(NAME, split="valid", strict=True)
    assert dialogue.turns == (Turn("speaker", "Do you paint?"), Turn("listener", "I sing."))


def test_lines_without_names_take_turns() -> None:
    (dialogue,) = corpora.read_dialogues(NAME, split="test", strict=True)
    assert dialogue.turns == (Turn("speaker", "Where to?"), Turn("listener", "To the hill."))


def test_damaged_rows_are_located_and_passed_over(read_text: Any) -> None:
    text = HEADER + 'a,b,User 1: Yes.\na,b,\na,b\na,b,"---\n***"\na,b,User 2: No.\n'
    records, defects = read_text(NAME, "train.csv", text)
    assert [record.id for record in records] == ["train-2", "train-7"]
    assert defects == [
        "train.csv:3: an empty conversation",
        "train.csv:4: 2 fields where the header has 3",
        "train.csv:5: an empty conversation",
    ]


def test_a_line_of_very_many_asterisks_is_read_at_once(read_text: Any) -> None:
    begun = time.perf_counter()
    records, _ = read_text(NAME, "train.csv", f'{HEADER}a,b,"User 1: Yes.\n{"*" * 100_000}"\n')
    assert [turn.text for turn in records[0].turns] == ["Yes."]
    assert time.perf_counter() - begun < 2
