"""What holds for the reading of every corpus alike."""

from __future__ import annotations

import gzip
import json
import logging
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from empathic import corpora
from empathic.corpora import Defect, OwnLayout
from empathic.dialogue import Dialogue, Inference
from empathic.errors import DataError, UsageError

PARTS = [(corpus.name, part) for corpus in corpora.known() for part in (None, *corpus.parts)]
# The file of each corpus that lines are appended to.
LINES = {
    "comae-pec": "comae/train.txt",
    "conceptnet": "conceptnet4/conceptnet4_en_assertions.tsv.gz",
    "dailydialog": "dailydialog/data.zip",
    "edos": "edos_classifier/1. MTurk_groundtruth_labels_9K.csv",
    "empathetic-dialogues": "empatheticdialogues/train.csv",
    "empathetic-intents": "empathetic_intents/train_data/train.txt",
    "empathy-mental-health": "empathy_mental_health/emotional-reactions-reddit.csv",
    "esconv": "esconv/ESConv.json",
    "event2mind": "event2mind/train.csv",
    "film-scripts": "movie_scripts/turns.jsonl.gz",
    "goemotions": "goemotions/train.tsv",
    "pec": "hf_pec/happy/train.txt",
    "reccon": "reccon/dailydialog_train.json",
    "social-iqa": "socialiqa/train.jsonl",
    "synthetic-persona-chat": "synthetic_persona_chat/Synthetic-Persona-Chat_train.csv",
}
# Of those, the ones that are read line by line, with the lines of their headers.
BY_LINES = {
    "comae-pec": 0,
    "conceptnet": 0,
    "edos": 1,
    "empathetic-dialogues": 1,
    "empathetic-intents": 0,
    "event2mind": 1,
    "film-scripts": 0,
    "goemotions": 0,
    "pec": 0,
    "synthetic-persona-chat": 1,
}
Unpack = Callable[[Path], bytes]
Pack = Callable[[Path, bytes], None]


@pytest.fixture
def folder(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the published samples that a test may change."""
    shutil.copytree(published, tmp_path / "data")
    monkeypatch.setenv("EMPATHIC_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def test_every_corpus_that_is_not_shipped_has_a_published_sample() -> None:
    assert {*LINES, "sample"} == {corpus.name for corpus in corpora.known()}


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_the_published_sample_is_read_without_a_defect_and_every_record_names_its_corpus(
    name: str, part: str | None
) -> None:
    records = list(corpora.read(name, part=part, strict=True))
    assert records
    assert {record.corpus for record in records} == {name}
    kind = Dialogue if corpora.find(name).kind == "dialogues" else Inference
    assert {type(record) for record in records} == {kind}


@pytest.mark.parametrize("name", [corpus.name for corpus in corpora.known()])
def test_the_splits_together_are_the_whole(name: str) -> None:
    splits = corpora.find(name).splits
    if splits:
        read = [record for split in splits for record in corpora.read(name, split=split, strict=True)]
        assert sorted(map(repr, read)) == sorted(map(repr, corpora.read(name, strict=True)))


@pytest.mark.parametrize("name", LINES)
def test_a_stray_last_line_is_a_defect_with_its_place_and_all_else_is_read(
    folder: Path, name: str, content: Unpack, put: Pack
) -> None:
    before = list(corpora.read(name, strict=True))
    file = folder / LINES[name]
    whole = content(file)
    put(file, whole + b"stray\n")
    defects: list[Defect] = []
    assert list(corpora.read(name, report=defects.append)) == before
    assert {(defect.path, defect.line) for defect in defects} == {(str(file), whole.count(b"\n") + 1)}


@pytest.mark.parametrize(("name", "header"), BY_LINES.items())
def test_a_stray_first_line_is_a_defect_with_its_place_and_all_else_is_read(
    folder: Path, name: str, header: int, content: Unpack, put: Pack
) -> None:
    before = [said(record) for record in corpora.read(name, strict=True)]
    file = folder / LINES[name]
    lines = content(file).splitlines(keepends=True)
    put(file, b"".join([*lines[:header], b"stray\n", *lines[header:]]))
    defects: list[Defect] = []
    after = [said(record) for record in corpora.read(name, report=defects.append)]
    assert after == before
    assert {(defect.path, defect.line) for defect in defects} == {(str(file), header + 1)}


def said(record: Dialogue | Inference) -> list[str]:
    """What stays the same when the lines of a file move."""
    return [record.head, record.tail] if isinstance(record, Inference) else [turn.text for turn in record.turns]


def test_a_file_of_which_nothing_can_be_read_is_a_defect_where_others_can(folder: Path) -> None:
    (folder / "empatheticdialogues" / "train.csv").write_text("another,header\n1,2\n")
    defects: list[Defect] = []
    splits = {record.split for record in corpora.read("empathetic-dialogues", report=defects.append)}
    assert splits == {"valid", "test"}
    assert [(defect.path, defect.line) for defect in defects] == [(f"{folder}/empatheticdialogues/train.csv", 1)]


def test_a_corpus_of_which_no_file_can_be_read_is_an_error_with_its_place(folder: Path) -> None:
    for split in ("train", "valid", "test"):
        (folder / "empatheticdialogues" / f"{split}.csv").write_text("another,header\n1,2\n")
    with pytest.raises(DataError, match=r"train\.csv:1: there is no column 'conv_id'"):
        list(corpora.read("empathetic-dialogues", report=lambda _: None))


def test_what_stands_before_the_cut_in_an_archive_is_read_and_the_cut_has_a_place(folder: Path) -> None:
    file = folder / LINES["film-scripts"]
    chance = random.Random(0)
    films = [{"title": f"{n}", "turns": [["IDA", "".join(chance.choices("abcdefgh ", k=500))]]} for n in range(1000)]
    packed = gzip.compress("".join(json.dumps(film) + "\n" for film in films).encode())
    file.write_bytes(packed[: len(packed) // 2])
    defects: list[Defect] = []
    read = list(corpora.read("film-scripts", report=defects.append))
    assert 300 < len(read) < 700
    assert [(defect.path, defect.line) for defect in defects] == [(str(file), len(read) + 1)]


@pytest.mark.parametrize("name", LINES)
def test_strict_reading_ends_at_the_first_defect_and_says_where(
    folder: Path, name: str, content: Unpack, put: Pack
) -> None:
    file = folder / LINES[name]
    whole = content(file)
    put(file, whole + b"stray\n")
    last = whole.count(b"\n") + 1
    with pytest.raises(DataError) as caught:
        list(corpora.read(name, strict=True))
    assert str(caught.value).startswith(f"{file}:{last}: ")


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(
    "change",
    [
        lambda whole: whole.replace(b"\n", b"\r\n"),
        lambda whole: b"\xef\xbb\xbf" + whole,
        lambda whole: whole.removesuffix(b"\n"),
    ],
    ids=["CRLF", "byte order mark", "no last line end"],
)
def test_how_a_file_is_saved_makes_no_difference(
    folder: Path, name: str, change: Callable[[bytes], bytes], content: Unpack, put: Pack
) -> None:
    before = list(corpora.read(name, strict=True))
    for file in (folder / LINES[name]).parent.iterdir():
        if file.is_file():
            put(file, change(content(file)))
    after = list(corpora.read(name, strict=True))
    assert [repr(record).replace("\\r\\n", "\\n") for record in after] == list(map(repr, before))


@pytest.mark.parametrize("name", LINES)
def test_a_line_that_is_not_utf_8_is_a_defect_and_no_record(
    folder: Path, name: str, content: Unpack, put: Pack
) -> None:
    file = folder / LINES[name]
    header, line_end, rest = content(file).partition(b"\n")
    put(file, header + line_end + rest.replace(b"e", b"\xe9"))
    with pytest.raises(DataError, match="not UTF-8 text"):
        list(corpora.read(name, strict=True))


@pytest.mark.parametrize("name", LINES)
def test_without_its_files_a_corpus_says_how_to_get_it(tmp_path: Path, name: str) -> None:
    corpus = corpora.find(name)
    remedy = f"empathic data get {name}" if corpus.downloads else f"it is to be had at {corpus.home}"
    with pytest.raises(DataError, match="there is no ") as caught:
        list(corpora.read(name, path=tmp_path))
    assert remedy in str(caught.value)


def test_a_file_missing_among_others_is_a_defect(folder: Path) -> None:
    (folder / "goemotions" / "dev.tsv").unlink()
    defects: list[Defect] = []
    assert {record.split for record in corpora.read("goemotions", report=defects.append)} == {"train", "test"}
    assert defects == [Defect(str(folder / "goemotions" / "dev.tsv"), "there is no such file")]


def test_another_folder_or_file_can_be_read_instead(published: Path, tmp_path: Path) -> None:
    elsewhere = shutil.copytree(published / "goemotions", tmp_path / "elsewhere")
    assert len(list(corpora.read("goemotions", path=elsewhere))) == 5
    assert [record.split for record in corpora.read("goemotions", path=elsewhere / "dev.tsv")] == ["valid"]


def test_a_file_of_another_name_is_of_the_split_that_is_asked_for(published: Path, tmp_path: Path) -> None:
    mine = shutil.copy(published / "goemotions" / "dev.tsv", tmp_path / "mine.tsv")
    assert [record.split for record in corpora.read("goemotions", path=Path(mine), split="test")] == ["test"]
    assert [record.split for record in corpora.read("goemotions", path=Path(mine))] == [None]


def test_defects_are_logged_unless_a_report_is_given(
    folder: Path, caplog: pytest.LogCaptureFixture, content: Unpack, put: Pack
) -> None:
    file = folder / "goemotions" / "train.tsv"
    put(file, b"stray\n" + content(file))
    with caplog.at_level(logging.WARNING, "empathic.corpora"):
        list(corpora.read("goemotions"))
    assert caplog.messages == [f"{file}:1: expected TEXT, LABELS and ID with tabs between"]


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"name": "goemotion"}, "no corpus is called 'goemotion'; did you mean 'goemotions'?"),
        ({"name": "goemotions", "split": "tset"}, "goemotions has no split 'tset'; did you mean 'test'?"),
        ({"name": "edos", "split": "train"}, "edos has no split 'train'; it has none"),
        ({"name": "edos", "part": "worker"}, "edos has no part 'worker'; did you mean 'workers'?"),
        ({"name": "goemotions", "part": "manual"}, "goemotions has no part 'manual'; it has none"),
        ({"name": "goemotions", "layout": OwnLayout(text="said")}, "goemotions has a layout of its own"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(asked: dict[str, str], complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        list(corpora.read(**asked))  # type: ignore[arg-type]
    assert str(caught.value).startswith(complaint)


def test_dialogues_and_inferences_are_not_taken_for_each_other() -> None:
    with pytest.raises(DataError, match="event2mind holds inferences, not dialogues"):
        list(corpora.read_dialogues("event2mind"))
    with pytest.raises(DataError, match="goemotions holds dialogues, not inferences"):
        list(corpora.read_inferences("goemotions"))


def test_the_registry_lists_corpora_by_name_with_all_there_is_to_know() -> None:
    names = [corpus.name for corpus in corpora.known()]
    assert names == sorted(names)
    for corpus in corpora.known():
        assert corpus.title
        assert corpus.holds
        assert corpus.licence
        assert corpus.citation
        assert corpus.home.startswith("https://") or corpus.name in ("film-scripts", "sample")
        assert set(corpus.parts) == set(corpus.layout) - {None}
