from __future__ import annotations

import json
from typing import Any

from empathic import corpora
from empathic.dialogue import Dialogue, Turn


def test_the_published_array_keeps_strategies_feedback_and_scores() -> None:
    assert list(corpora.read("esconv", strict=True)) == [
        Dialogue(
            "ESConv-0",
            (
                Turn("speaker", "Our workshop may close."),
                Turn("listener", "How long have you been there?", labels={"strategy": "Question"}),
                Turn("speaker", "Nine years.", labels={"feedback": "5"}),
            ),
            "esconv",
            situation="The workshop may close.",
            labels={
                "experience": "Previous Experience",
                "emotion": "anxiety",
                "problem": "job crisis",
                "seeker.initial_emotion_intensity": "5",
                "seeker.empathy": "4",
                "seeker.final_emotion_intensity": "1",
                "supporter.relevance": "5",
            },
        )
    ]


def test_the_form_with_one_conversation_a_line_has_splits() -> None:
    records = list(corpora.read_dialogues("esconv", part="lines", strict=True))
    assert [(record.id, record.split) for record in records] == [
        ("train-1", "train"),
        ("valid-1", "valid"),
        ("test-1", "test"),
    ]
    assert records[0] == Dialogue(
        "train-1",
        (
            Turn("speaker", "They drum at night."),
            Turn("listener", "Every night?", labels={"strategy": "Question"}),
        ),
        "esconv",
        "train",
        situation="Drums at night.",
        labels={"emotion": "anger", "problem": "neighbours"},
    )


def test_the_failed_conversations_name_roles_and_strategies_otherwise() -> None:
    (record,) = corpora.read_dialogues("esconv", part="failed", strict=True)
    assert record.id == "FailedESConv-0"
    assert record.turns == (
        Turn("speaker", "He left."),
        Turn("listener", "When?", labels={"strategy": "Question"}),
    )


def test_damaged_conversations_of_the_array_are_located_and_the_rest_is_read(read_text: Any) -> None:
    said = {"speaker": "seeker", "content": "Hello."}
    dialogs = [[said], [said | {"speaker": "cat"}, said], [said | {"content": ""}], "none", [said]]
    text = "[\n" + ",\n".join(json.dumps({"dialog": dialog}) for dialog in dialogs) + "\n]"
    records, defects = read_text("esconv", "ESConv.json", text)
    assert [(record.id, len(record.turns)) for record in records] == [("ESConv-0", 1), ("ESConv-1", 1), ("ESConv-4", 1)]
    assert defects == [
        "ESConv.json:3: [1] 'cat' is neither seeker nor supporter",
        "ESConv.json:4: [2] holds an empty utterance",
        "ESConv.json:4: [2] holds no turns",
        "ESConv.json:5: [3] Expected `array`, got `str` - at `$.dialog`",
    ]


def test_damaged_lines_are_located_and_passed_over(read_text: Any) -> None:
    good = json.dumps({"dialog": [{"speaker": "usr", "text": "Hello."}]})
    records, defects = read_text("esconv", "train.txt", f"{good}\n{good[:-9]}\n\n[1]\n{good}\n")
    assert [record.id for record in records] == ["train-1", "train-5"]
    assert defects == [
        "train.txt:2: Input data was truncated",
        "train.txt:4: Expected `object`, got `array`",
    ]
