from __future__ import annotations

from typing import Any

import pytest

from empathic import corpora
from empathic.dialogue import Dialogue, Factors, Turn

NAME = "empathetic-intents"


def single(identity: str, turn: Turn, split: str | None) -> Dialogue:
    return Dialogue(identity, (turn,), NAME, split)


def test_an_emotion_makes_a_speaker_s_turn_and_an_intent_a_listener_s() -> None:
    assert list(corpora.read(NAME, strict=True)) == [
        single(
            "train-1",
            Turn("speaker", "I passed the ladder test before anyone else.", factors=Factors(intent="proud")),
            "train",
        ),
        single(
            "train-2",
            Turn("listener", "Which ladder was it?", factors=Factors(act="questioning", intent="questioning")),
            "train",
        ),
        single(
            "train-3",
            Turn("listener", "The ladder is in the shed.", factors=Factors(act="others", intent="neutral")),
            "train",
        ),
        single(
            "valid-1",
            Turn("listener", "Yes, that is just how it goes.", factors=Factors(act="agreeing", intent="agreeing")),
            "valid",
        ),
        single("test-1", Turn("speaker", "I heard steps on the stairs.", factors=Factors(intent="afraid")), "test"),
    ]


def test_the_lexical_part_reads_a_file_an_intent_the_misspelled_one_too() -> None:
    records = list(corpora.read_dialogues(NAME, part="lexical", strict=True))
    assert [(record.id, record.split, record.turns[0].factors) for record in records] == [
        ("lexical-train-acknowleding-1", "train", Factors(act="acknowledging", intent="acknowledging")),
        ("lexical-train-encouraging-1", "train", Factors(act="encouraging", intent="encouraging")),
        ("lexical-valid-encouraging-1", "valid", Factors(act="encouraging", intent="encouraging")),
        ("lexical-test-encouraging-1", "test", Factors(act="encouraging", intent="encouraging")),
    ]


def test_the_manual_part_keeps_the_finer_intent_and_maps_it_to_an_act() -> None:
    assert list(corpora.read(NAME, part="manual", strict=True)) == [
        single(
            "sharing_experience-1",
            Turn(
                "listener",
                "I once lost my keys at sea too.",
                factors=Factors(act="others"),
                labels={"intent": "sharing_experience"},
            ),
            None,
        ),
        single(
            "wishing-1",
            Turn("listener", "Good luck on Monday!", factors=Factors(act="wishing"), labels={"intent": "wishing"}),
            None,
        ),
        single(
            "wishing-2",
            Turn("listener", "Many happy returns.", factors=Factors(act="wishing"), labels={"intent": "wishing"}),
            None,
        ),
    ]


def test_the_annotated_part_is_conversations_with_a_label_on_every_utterance() -> None:
    first, second = corpora.read(NAME, part="annotated", strict=True)
    assert first == Dialogue(
        "hit:1_conv:2",
        (
            Turn("speaker", "My nephew fixed the old clock, all alone!", factors=Factors(intent="proud")),
            Turn(
                "listener",
                "A whole clock? How old is he?",
                factors=Factors(act="questioning", intent="questioning"),
            ),
        ),
        NAME,
        None,
        "proud",
        "My nephew fixed the old clock, all alone.",
        labels={"situation.intent": "proud"},
    )
    assert (second.id, second.emotion, second.situation) == ("hit:5_conv:6", "sad", "The bakery closed")


def test_damaged_lines_are_located_and_passed_over(read_text: Any) -> None:
    text = (
        "29 <SEP> A parcel came.\n"
        "no separator\n"
        "41 <SEP> No such label.\n"
        "40 <SEP> \n"
        "joyful <SEP> A word for a label.\n"
        "39 <SEP> Good luck!\n"
    )
    records, defects = read_text(NAME, "train.txt", text)
    assert [record.id for record in records] == ["train-1", "train-6"]
    assert defects == [
        "train.txt:2: expected a line 'LABEL <SEP> TEXT'",
        "train.txt:3: there is no label 41; they run from 0 to 40",
        "train.txt:4: expected a line 'LABEL <SEP> TEXT'",
        "train.txt:5: expected a line 'LABEL <SEP> TEXT'",
    ]


def test_damaged_rows_of_the_annotated_part_are_located_and_passed_over(read_text: Any) -> None:
    text = (
        "Dialog_ID,Type,Actor,Text,Label\n"
        "c1,situation,none,It snowed,joyful\n"
        "c1,utterance,speaker,It snowed!,merry\n"
        "c1,utterance,narrator,Snow falls.,neutral\n"
        "c1,utterance,speaker,Knee deep!,joyful\n"
        "c1,utterance\n"
        "c1,utterance,listener,Lovely.,agreeing\n"
    )
    records, defects = read_text(NAME, "joyful.csv", text, part="annotated")
    assert [[turn.text for turn in record.turns] for record in records] == [["Knee deep!", "Lovely."]]
    assert defects == [
        "joyful.csv:3: 'merry' is none of the 41 labels",
        "joyful.csv:4: expected a situation, or an utterance of the speaker or the listener",
        "joyful.csv:6: 2 fields where the header has 5",
    ]


@pytest.mark.parametrize(
    ("name", "defects"),
    [
        ("wishing.txt", ["wishing.txt:2: an empty line"]),
        ("hoping.txt", ["hoping.txt: 'hoping' is no intent of the manual annotation"]),
    ],
)
def test_damage_in_the_manual_part_is_located(read_text: Any, name: str, defects: list[str]) -> None:
    records, found = read_text(NAME, name, "Good luck!\n\nAll the best.\n", part="manual")
    assert found == defects
    assert [record.id for record in records] == (["wishing-1", "wishing-3"] if name == "wishing.txt" else [])
