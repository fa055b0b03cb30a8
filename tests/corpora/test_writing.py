"""Records are written in the form that the file's ending names, whole or not at all."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from empathic import corpora
from empathic.corpora.arrow import DIALOGUE_SCHEMA
from empathic.dialogue import Dialogue, Inference, Turn
from empathic.errors import DataError, UsageError

DIALOGUES = [
    Dialogue("a", (Turn("speaker", 'He said "no", twice'), Turn("listener", "No?")), emotion="sad"),
    Dialogue("b", ()),
]
WRITER = """
import sys, time
from pathlib import Path
from empathic import corpora
from empathic.dialogue import Dialogue, Turn

def dialogues():
    for number in range(10_000):
        yield Dialogue(str(number), (Turn("speaker", "All of this again. " * 10),))
    print("ready", flush=True)
    time.sleep(60)

corpora.write(dialogues(), Path(sys.argv[1]))
"""


def test_jsonl_is_one_record_a_line_without_defaults(tmp_path: Path) -> None:
    assert corpora.write(DIALOGUES, tmp_path / "out.jsonl") == 2
    assert (tmp_path / "out.jsonl").read_text() == (
        '{"id":"a","turns":[{"role":"speaker","text":"He said \\"no\\", twice"},{"role":"listener","text":"No?"}],'
        '"emotion":"sad"}\n'
        '{"id":"b","turns":[]}\n'
    )


def test_csv_is_a_table_of_utterances(tmp_path: Path) -> None:
    corpora.write(DIALOGUES, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == (
        'dialogue,turn,role,text,emotion\na,0,speaker,"He said ""no"", twice",sad\na,1,listener,No?,sad\nb,0,,,\n'
    )


def test_parquet_has_the_schema_of_its_records_in_batches(tmp_path: Path) -> None:
    assert corpora.write((DIALOGUES[0] for _ in range(5_000)), tmp_path / "out.parquet") == 5_000
    with pq.ParquetFile(tmp_path / "out.parquet") as file:
        assert file.schema_arrow == DIALOGUE_SCHEMA
        assert file.num_row_groups == 2


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_no_records_make_an_empty_file_that_can_be_read(tmp_path: Path, suffix: str) -> None:
    assert corpora.write([], tmp_path / f"out{suffix}") == 0
    assert list(corpora.read(tmp_path / f"out{suffix}", strict=True)) == []


def test_a_file_of_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"out\.txt: .* must end with one of: \.jsonl, \.parquet, \.csv"):
        corpora.write(DIALOGUES, tmp_path / "out.txt")


def test_inferences_make_no_csv(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no utterances to make a CSV of \(write \.jsonl or \.parquet\)"):
        corpora.write([Inference("a", "xReact", "b")], tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_records_that_fail_halfway_leave_the_old_file(tmp_path: Path, suffix: str) -> None:
    def failing() -> Iterator[Dialogue]:
        yield DIALOGUES[0]
        raise DataError("on purpose")

    target = tmp_path / f"out{suffix}"
    target.write_bytes(b"old")
    with pytest.raises(DataError, match="on purpose"):
        corpora.write(failing(), target)
    gc.collect()
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [(target.name, b"old")]


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
@pytest.mark.parametrize("before", [None, b"old"], ids=["where none was", "over an old one"])
def test_a_writer_that_is_killed_leaves_the_old_file_or_none(
    tmp_path: Path, kill_at_work: Callable[..., int], suffix: str, before: bytes | None
) -> None:
    target = tmp_path / f"out{suffix}"
    if before is not None:
        target.write_bytes(before)
    process = kill_at_work(WRITER, target)
    assert (target.read_bytes() if target.exists() else None) == before
    leftover = tmp_path / f".out{suffix}.{process}.partial"
    assert leftover.stat().st_size > 0
    corpora.write(DIALOGUES, target)
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("turned_round", [False, True])
def test_dialogues_and_inferences_do_not_go_into_one_parquet_file(tmp_path: Path, turned_round: bool) -> None:
    records = [DIALOGUES[0], Inference("a", "xWant", "b")]
    with pytest.raises(DataError, match="record 2 is of another kind than those before"):
        corpora.write(reversed(records) if turned_round else records, tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_what_is_no_text_is_refused_in_words(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(DataError, match="record"):
        corpora.write([Dialogue("a", (Turn("speaker", "\ud800"),))], tmp_path / f"out{suffix}")
    assert list(tmp_path.iterdir()) == []
