"""No bytes crash a reader: they are records, defects, or an error that says what is wrong."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from empathic import corpora
from empathic.corpora import Defect
from empathic.dialogue import to_json
from empathic.errors import EmpathicError

PARTS = [(corpus.name, part) for corpus in corpora.known() for part in (None, *corpus.parts) if corpus.name != "sample"]
OWN = ("dialogues.jsonl", "inferences.jsonl", "messages.jsonl", "table.ndjson", "table.csv", "table.tsv")
OWN_PACKED = ("dialogues.parquet", "table.parquet")
INPUTS = 300
assert INPUTS * (len(PARTS) + len(OWN) + len(OWN_PACKED)) >= 10_000


def read_all(name: str | Path, part: str | None = None, path: Path | None = None) -> None:
    """Reads everything; whatever is read, and whatever is said of it, can be written down."""
    said: list[str] = []

    def report(defect: Defect) -> None:
        said.append(str(defect))

    try:
        for record in corpora.read(name, part=part, path=path, report=report):
            to_json(record)
    except EmpathicError as error:
        said.append(str(error))
    "".join(said).encode()


@pytest.fixture
def folder(published: Path, tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a corpus's published sample that a test may damage."""
    return lambda name: shutil.copytree(published / corpora.find(name).folder, tmp_path / "damaged")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small files of one's own in every form."""
    folder = tmp_path_factory.mktemp("own")
    corpora.write(corpora.read("sample", split="test"), folder / "whole.jsonl")
    lines = (folder / "whole.jsonl").read_text().splitlines(keepends=True)
    (folder / "dialogues.jsonl").write_text("".join(lines[:3]))
    corpora.write(corpora.read(folder / "dialogues.jsonl"), folder / "dialogues.parquet")
    corpora.write(corpora.read(folder / "dialogues.jsonl"), folder / "table.csv")
    (folder / "inferences.jsonl").write_text(
        '{"head": "rain", "relation": "Causes", "tail": "mud", "weight": 1.5}\n' * 3
    )
    (folder / "messages.jsonl").write_text('{"messages": [{"role": "user", "content": "Hello?"}]}\n' * 3)
    (folder / "table.ndjson").write_text('{"text": "Hello?", "role": "Ida", "dialogue": 3, "emotion": "sad"}\n' * 3)
    (folder / "table.tsv").write_text("text\trole\tdialogue\temotion\n" + "Hello?\tIda\t3\tsad\n" * 3)
    pq.write_table(pa.table({"text": ["Hello?", "Ida?"], "dialogue": [1, 1]}), folder / "table.parquet")
    return folder


def cut(whole: bytes, chance: random.Random) -> bytes:
    begin, end = sorted((chance.randint(0, len(whole)), chance.randint(0, len(whole))))
    return whole[:begin] + whole[end:] if chance.random() < 0.7 else whole[begin:end]


def repeat(whole: bytes, chance: random.Random) -> bytes:
    begin, end = sorted((chance.randint(0, len(whole)), chance.randint(0, len(whole))))
    return whole[:end] + whole[begin:end] * chance.randint(1, 3) + whole[end:]


def swap(whole: bytes, chance: random.Random) -> bytes:
    first, second, third = sorted(chance.randint(0, len(whole)) for _ in range(3))
    return whole[:first] + whole[second:third] + whole[first:second] + whole[third:]


def flip(whole: bytes, chance: random.Random) -> bytes:
    changed = bytearray(whole)
    for _ in range(chance.randint(1, 8) if whole else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def insert(whole: bytes, chance: random.Random) -> bytes:
    depth = chance.choice((3, 400, 990, 5_000))
    piece = chance.choice(
        (
            chance.randbytes(chance.randint(1, 20)),
            chance.choice((b'"', b"'", b",", b"\t", b"\n", b"\r", b"\0", b"|", b"\\", b"{", b"]", b":")),
            chance.choice((b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\\ud800", b"\xc3", b"\xe2\x80\xa8", b"null", b"NaN")),
            chance.choice((b"9" * 5_000, b"-1e999", b"1e-999", b"18446744073709551616", b"-0")),
            b"[" * depth,
            b'{"a":' * depth,
            b"[" * depth + b"]" * depth,
        )
    )
    at = chance.randint(0, len(whole))
    return whole[:at] + piece + whole[at:]


def damaged(whole: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 3)):
        whole = chance.choice((cut, repeat, swap, flip, insert))(whole, chance)
    return whole


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_a_published_file_damaged_in_any_way_crashes_no_reader(
    folder: Callable[[str], Path],
    content: Callable[[Path], bytes],
    put: Callable[[Path, bytes], None],
    name: str,
    part: str | None,
) -> None:
    path = folder(name)
    files = sorted(file for file in path.rglob("*") if file.is_file())
    for seed in range(INPUTS):
        chance = random.Random(f"{name} {part} {seed}")
        file = chance.choice(files)
        whole = file.read_bytes()
        if chance.random() < 0.5:
            file.write_bytes(damaged(whole, chance))
        else:
            put(file, damaged(content(file), chance))
        try:
            read_all(name, part, path)
        except Exception as error:
            error.add_note(f"{name} {part}: {file.name} damaged by seed {seed}")
            raise
        file.write_bytes(whole)


@pytest.mark.parametrize("name", [*OWN, *OWN_PACKED])
def test_a_file_of_one_s_own_damaged_in_any_way_crashes_no_reader(own: Path, tmp_path: Path, name: str) -> None:
    whole = (own / name).read_bytes()
    for seed in range(INPUTS):
        chance = random.Random(f"{name} {seed}")
        (tmp_path / name).write_bytes(damaged(whole, chance))
        try:
            read_all(tmp_path / name)
        except Exception as error:
            error.add_note(f"{name} damaged by seed {seed}")
            raise


pieces = st.sampled_from(
    '" , \t \n \r\n [ ] { } : \\ | - 0 1 40 true null a é \ud7ff \0 _comma_ <SEP> ---+--- ******************** '
    '"dialog" "turns" "text" "speaker" "usr" "user 1:" text,role dialogue messages head relation tail'.split(" ")
).map(str.encode)
anything = st.binary(max_size=200) | st.lists(pieces, max_size=40).map(b"".join)


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_any_bytes_in_all_files_of_a_corpus_crash_no_reader(
    folder: Callable[[str], Path], put: Callable[[Path, bytes], None], name: str, part: str | None
) -> None:
    path = folder(name)
    files = [file for file in path.rglob("*") if file.is_file()]

    @settings(max_examples=40)
    @given(anything)
    def read_anything(said: bytes) -> None:
        for write in (put, Path.write_bytes):
            for file in files:
                write(file, said)
            read_all(name, part, path)

    read_anything()


@pytest.mark.parametrize("suffix", sorted({Path(name).suffix for name in (*OWN, *OWN_PACKED)}))
def test_any_bytes_in_a_file_of_one_s_own_crash_no_reader(tmp_path: Path, suffix: str) -> None:
    @given(anything)
    def read_anything(said: bytes) -> None:
        (tmp_path / f"mine{suffix}").write_bytes(said)
        read_all(tmp_path / f"mine{suffix}")

    read_anything()
