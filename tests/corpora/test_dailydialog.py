from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from empathic import corpora
from empathic.corpora import Defect
from empathic.dialogue import Dialogue, Turn
from empathic.errors import DataError


def test_the_archive_is_read_with_an_emotion_and_an_act_on_every_turn() -> None:
    assert next(corpora.read_dialogues("dailydialog", strict=True)) == Dialogue(
        "dailydialog-train-0",
        (
            Turn("speaker", "Is the report done?", labels={"emotion": "no emotion", "act": "question"}),
            Turn("listener", "It is, and bound.", labels={"emotion": "happiness", "act": "inform"}),
        ),
        "dailydialog",
        "train",
        labels={"topic": "Work"},
    )


@pytest.mark.parametrize(
    ("split", "identity"),
    [
        ("train", "dailydialog-train-0"),
        ("valid", "dailydialog-validation-0"),
        ("test", "dailydialog-test-0"),
    ],
)
def test_a_split_is_what_the_dialogues_themselves_say(published: Path, split: str, identity: str) -> None:
    for path in (None, published / "dailydialog", published / "dailydialog" / "data.zip"):
        dialogues = list(corpora.read_dialogues("dailydialog", split=split, path=path, strict=True))
        assert [(dialogue.id, dialogue.split) for dialogue in dialogues] == [(identity, split)]


def test_damaged_dialogues_are_located_and_passed_over(read_text: Any) -> None:
    def dialogue(identity: str, **changed: Any) -> str:
        turn = {"speaker": "user", "utterance": "Yes."}
        return json.dumps({"dialogue_id": identity, "data_split": "train", "turns": [turn]} | changed)

    empty = [{"speaker": "user", "utterance": " "}]
    items = [dialogue("a"), dialogue("b", turns=[]), dialogue("c", turns=empty), dialogue("d", turns=3), dialogue("e")]
    records, defects = read_text("dailydialog", "dialogues.json", "[\n" + ",\n".join(items) + "\n]\n")
    assert [record.id for record in records] == ["a", "e"]
    assert defects == [
        "dialogues.json:3: [b] holds no turns, or an empty one",
        "dialogues.json:4: [c] holds no turns, or an empty one",
        "dialogues.json:5: [3] Expected `array`, got `int` - at `$.turns`",
    ]


def test_an_archive_without_the_member_is_a_defect(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.writestr("data/ontology.json", "{}")
    defects: list[Defect] = []
    assert list(corpora.read("dailydialog", path=tmp_path, report=defects.append)) == []
    assert [defect.what for defect in defects] == ["the archive holds no data/dialogues.json"]


def encrypted(whole: bytes) -> bytes:
    """The archive with the flag of encryption set, in the member's header and in the directory's."""
    changed = bytearray(whole)
    changed[whole.index(b"PK\x03\x04") + 6] |= 1
    changed[whole.index(b"PK\x01\x02") + 8] |= 1
    return bytes(changed)


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda whole: b"no archive", "not a readable zip archive: File is not a zip file"),
        (lambda whole: whole[:-30], "not a readable zip archive"),
        (lambda whole: whole.replace(b"report", b"parrot"), "damaged archive, what follows is not read: Bad CRC-32"),
        (encrypted, "data/dialogues.json cannot be read: .*encrypted"),
    ],
    ids=["no archive", "cut off", "changed", "encrypted"],
)
def test_a_damaged_archive_is_named(published: Path, tmp_path: Path, damage: Any, complaint: str) -> None:
    file = tmp_path / "data.zip"
    file.write_bytes(damage((published / "dailydialog" / "data.zip").read_bytes()))
    with pytest.raises(DataError, match=rf"data\.zip: {complaint}"):
        list(corpora.read("dailydialog", path=file, strict=True))


def test_an_archive_damaged_inside_its_lzma_stream_is_named(published: Path, tmp_path: Path) -> None:
    file = tmp_path / "data.zip"
    with zipfile.ZipFile(published / "dailydialog" / "data.zip") as archive:
        document = archive.read("data/dialogues.json")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("data/dialogues.json", document)
    whole = bytearray(file.read_bytes())
    whole[100] ^= 0xFF
    file.write_bytes(whole)
    with pytest.raises(DataError, match=r"data\.zip: damaged archive"):
        list(corpora.read("dailydialog", path=file, strict=True))
