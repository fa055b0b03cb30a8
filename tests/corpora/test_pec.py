from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from empathic import corpora
from empathic.corpora import Defect
from empathic.dialogue import Dialogue, Turn

END = "*" * 20


def test_who_gives_the_response_is_the_listener_and_has_the_persona() -> None:
    assert list(corpora.read("pec", split="train", part="happy", strict=True)) == [
        Dialogue(
            "happy-train-1",
            (
                Turn("speaker", "I ran ten miles and my dog ran too", name="ann"),
                Turn("listener", "both of you? wow", name="ben"),
            ),
            "pec",
            "train",
            persona=("i run .",),
            labels={"domain": "happy"},
        ),
        Dialogue(
            "happy-train-5",
            (
                Turn("speaker", "we moved in", name="cat"),
                Turn("speaker", "how is it", name="dan"),
                Turn("speaker", "it leaks", name="cat"),
                Turn("listener", "congratulations all the same", name="ann"),
            ),
            "pec",
            "train",
            persona=("i like snow .", "i keep a goat ."),
            labels={"domain": "happy"},
        ),
    ]


@pytest.mark.parametrize(
    ("part", "identities"),
    [
        (None, ["happy-test-1", "offmychest-test-1"]),
        ("happy", ["happy-test-1"]),
        ("offmychest", ["offmychest-test-1"]),
    ],
)
def test_a_part_is_a_forum(part: str | None, identities: list[str]) -> None:
    dialogues = corpora.read_dialogues("pec", split="test", part=part, strict=True)
    assert [dialogue.id for dialogue in dialogues] == identities


def test_damage_is_located_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "happy").mkdir()
    file = tmp_path / "happy" / "train.txt"
    file.write_text(
        f"stray words\na---+---one\nb---+---two\n{END}\na---+---alone\n{END}\na---+---three\nb---+---four\n{END}\n"
        "a---+---five\nb---+---cut off\n"
    )
    (tmp_path / "happy" / "persona.txt").write_text(f"b\ni count .\n{END}\n")
    defects: list[Defect] = []
    dialogues = list(corpora.read_dialogues("pec", path=file, report=defects.append))
    assert [dialogue.id for dialogue in dialogues] == ["happy-train-1", "happy-train-7"]
    assert [(defect.line, defect.what) for defect in defects] == [
        (1, "expected SPEAKER---+---TEXT"),
        (5, "a conversation without a response"),
        (10, "the conversation does not end"),
    ]


def test_without_the_personas_conversations_are_read_all_the_same(read_text: Any) -> None:
    records, defects = read_text("pec", "happy/train.txt", f"a---+---one\nb---+---two\n{END}\n")
    assert [record.persona for record in records] == [()]
    assert len(defects) == 1
    assert "read without personas: " in defects[0]
