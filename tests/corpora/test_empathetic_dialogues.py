from __future__ import annotations

from typing import Any

import pytest

from empathic import corpora
from empathic.dialogue import Dialogue, Turn

HEADER = "conv_id,utterance_idx,context,prompt,speaker_idx,utterance,selfeval,tags\n"


def test_a_conversation_keeps_commas_quotes_emotion_and_situation() -> None:
    assert next(corpora.read_dialogues("empathetic-dialogues", strict=True)) == Dialogue(
        "hit:1_conv:2",
        (
            Turn("speaker", "My nephew fixed the old clock, all alone!"),
            Turn("listener", "A whole clock? How old is he?"),
            Turn("speaker", 'Eleven. He said "it only wanted oil", and it did.'),
            Turn("listener", '"Only oil" sounds like a watchmaker.'),
        ),
        "empathetic-dialogues",
        "train",
        "proud",
        "My nephew fixed the old clock, all alone.",
    )


@pytest.mark.parametrize(
    ("split", "identities"),
    [
        ("train", ["hit:1_conv:2", "hit:3_conv:4", "hit:3_conv:5", "hit:3_conv:6", "hit:6_conv:7"]),
        ("valid", ["hit:8_conv:9"]),
        ("test", ["hit:9_conv:1"]),
    ],
)
def test_a_split_is_the_file_of_its_name(split: str, identities: list[str]) -> None:
    dialogues = list(corpora.read_dialogues("empathetic-dialogues", split=split, strict=True))
    assert [dialogue.id for dialogue in dialogues] == identities
    assert {dialogue.split for dialogue in dialogues} == {split}


def test_whoever_speaks_first_is_the_speaker_whatever_the_number() -> None:
    dialogues = {dialogue.id: dialogue for dialogue in corpora.read_dialogues("empathetic-dialogues", split="train")}
    assert [turn.role for turn in dialogues["hit:3_conv:4"].turns] == ["speaker", "listener"]
    assert [turn.role for turn in dialogues["hit:3_conv:5"].turns] == ["speaker", "listener"]


def test_damaged_rows_are_located_and_passed_over(read_text: Any) -> None:
    text = HEADER + (
        "c1,1,sad,It broke,0,It broke.,,\n"
        "c1,2,sad,It broke,1,Oh, no.,,\n"
        "c1,3,sad,It broke,0,  ,,\n"
        "\n"
        "c1,4,sad,It broke,1,The lamp?,,\n"
        "half of a row\n"
        "c2,1,joyful,It works,0,It works!,,\n"
    )
    records, defects = read_text("empathetic-dialogues", "train.csv", text)
    assert [(record.id, [turn.text for turn in record.turns]) for record in records] == [
        ("c1", ["It broke.", "The lamp?"]),
        ("c2", ["It works!"]),
    ]
    assert defects == [
        "train.csv:3: a bare comma: the fields after it are not where they should be",
        "train.csv:4: an empty utterance",
        "train.csv:7: 1 fields where the header has 8",
    ]


def test_a_bare_quote_does_not_swallow_the_rows_after_it(read_text: Any) -> None:
    text = HEADER + 'c1,1,sad,Rain,0,"It rained.,,\nc1,2,sad,Rain,1,All day?,,\n'
    records, defects = read_text("empathetic-dialogues", "train.csv", text)
    assert [turn.text for turn in records[0].turns] == ['"It rained.', "All day?"]
    assert defects == []


@pytest.fixture
def published_examples() -> list[Any]:
    dialogues = corpora.read_dialogues("empathetic-dialogues", split="train", strict=True)
    return list(corpora.moel_examples(dialogues))


def test_moel_s_examples_have_no_double_quotes(published_examples: list[Any]) -> None:
    assert published_examples[1].response.text == "Only oil sounds like a watchmaker."
    assert published_examples[1].context[-1].text == "Eleven. He said it only wanted oil, and it did."


def test_moel_s_examples_join_neighbours_that_share_a_situation(published_examples: list[Any]) -> None:
    joined = published_examples[2:]
    assert {example.situation for example in joined} == {"The quiet flat"}
    assert [(len(example.context), example.response.text) for example in joined] == [
        (1, "That sounds like a long evening."),
        (3, "Which station?"),
        (5, "All of them?"),
    ]


def test_moel_s_examples_lose_the_last_conversation_of_a_split(published_examples: list[Any]) -> None:
    assert len(published_examples) == 5
    assert "Thunder over the tent" not in {example.situation for example in published_examples}


def test_candidate_replies_in_a_ninth_field_are_passed_over(read_text: Any) -> None:
    text = (
        HEADER + "c1,1,sad,It broke,7,It broke.,5|5|5_2|2|5,,\nc1,2,sad,It broke,3,The lamp?,5|5|5_2|2|5,,Hi.|Oh no.\n"
    )
    records, defects = read_text("empathetic-dialogues", "train.csv", text)
    assert [turn.text for turn in records[0].turns] == ["It broke.", "The lamp?"]
    assert defects == []
