"""One file, opened so that damage is met in one way."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from empathic.corpora import Defect, Source, raise_defect
from empathic.corpora._source import LONGEST_FIELD
from empathic.errors import DataError

Open = Callable[..., tuple[Source, list[tuple[int | None, str]]]]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    """A source of these bytes, and the list that its defects go to."""

    def open_source(content: bytes, name: str = "file") -> tuple[Source, list[tuple[int | None, str]]]:
        (tmp_path / name).write_bytes(content)
        defects: list[tuple[int | None, str]] = []
        report: Callable[[Defect], None] = lambda defect: defects.append((defect.line, defect.what))  # noqa: E731
        return Source(tmp_path / name, report), defects

    return open_source


@pytest.mark.parametrize(
    ("defect", "written"),
    [
        (Defect("a/b.csv", "an empty row", 7), "a/b.csv:7: an empty row"),
        (Defect("a/b.csv", "there is no such file"), "a/b.csv: there is no such file"),
    ],
)
def test_a_defect_is_written_with_its_place(defect: Defect, written: str) -> None:
    assert str(defect) == written
    with pytest.raises(DataError, match=written):
        raise_defect(defect)


def test_lines_come_with_their_numbers_and_without_their_ends(opened: Open) -> None:
    source, defects = opened(b"one\r\ntwo\n\nlatin \xe9\nthr\xc3\xa9e")
    assert list(source.lines()) == [(1, "one"), (2, "two"), (3, ""), (5, "thrée")]
    assert defects == [(4, "not UTF-8 text")]


def test_rows_are_the_named_columns_in_the_order_asked_for(opened: Open) -> None:
    source, defects = opened(b'c,b,a\n1,"2\n2",3\n4,5,6\n')
    assert list(source.rows(("a", "b"), optional=("d",))) == [(2, ("3", "2\n2", "")), (4, ("6", "5", ""))]
    assert defects == []


def test_a_column_that_is_not_there_ends_the_reading_with_those_that_are(opened: Open) -> None:
    source, _ = opened(b"c,b\n1,2\n")
    with pytest.raises(DataError, match="file:1: there is no column 'a'; the columns are: 'c', 'b'"):
        list(source.rows(("a",)))


def test_a_field_longer_than_a_row_can_be_is_a_defect(opened: Open) -> None:
    source, defects = opened(b'a\none\n"' + b"x" * (LONGEST_FIELD + 1) + b'"\nthree\n')
    assert list(source.rows(("a",))) == [(2, ("one",)), (4, ("three",))]
    assert defects == [(3, f"not a row: field larger than field limit ({LONGEST_FIELD})")]


@pytest.mark.parametrize(
    ("row", "complaint", "after"),
    [
        (b'3,"4', "unexpected end of data; it goes on to line 4, so that these lines are not read", []),
        (b'3,"4" or 5', "',' expected after '\"'", [(4, ("5",))]),
    ],
    ids=["never closed", "closed too early"],
)
def test_a_quote_out_of_place_is_a_defect_where_its_row_begins(
    opened: Open, row: bytes, complaint: str, after: list[Any]
) -> None:
    source, defects = opened(b"a,b\n1,2\n" + row + b"\n5,6\n")
    assert list(source.rows(("a",))) == [(2, ("1",)), *after]
    assert defects == [(3, f"not a row: {complaint}")]


def test_json_lines_pass_over_damage_and_empty_lines(opened: Open) -> None:
    source, defects = opened(b'{"a": 1}\n\n{"a": \n{"b": "x"}\n{"a": 2}')
    assert list(source.json_lines(dict[str, int])) == [(1, {"a": 1}), (5, {"a": 2})]
    assert [line for line, _ in defects] == [3, 4]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (rb"half \ud83d of it", "half \ufffd of it"),
        (rb"\uDE00\uD83D", "\ufffd\ufffd"),
        (rb"\ud83d\ude00\ud83d", "\U0001f600\ufffd"),
        (rb"\\ud83d \\\ud83d", "\\ud83d \\\ufffd"),
    ],
)
def test_half_a_pair_of_surrogates_in_a_json_line_is_read_as_a_mark(opened: Open, written: bytes, read: str) -> None:
    source, defects = opened(b'{"a": "' + written + b'"}\n')
    assert list(source.json_lines(dict[str, str])) == [(1, {"a": read})]
    assert defects == []


@pytest.mark.parametrize(
    ("document", "members"),
    [
        (b"[]", []),
        (b" [ 1 ,\n2 ] ", [(1, "0", 1), (2, "1", 2)]),
        (b'{"a": 1,\n\n"b": 2}', [(1, "a", 1), (3, "b", 2)]),
    ],
)
def test_json_items_come_with_line_and_key(opened: Open, document: bytes, members: list[Any]) -> None:
    source, defects = opened(document)
    assert list(source.json_items(int)) == members
    assert defects == []


@pytest.mark.parametrize(
    ("document", "read", "defects"),
    [
        (b'[1,\n"two",\n3]', [1, 3], [(2, "[1] Expected `int`, got `str`")]),
        (b"[1,\n2,\n3", [1, 2], [(3, "broken JSON, what follows is not read: expected ','")]),
        (b"[1,\n2", [1], [(2, "broken JSON, what follows is not read: expected ','")]),
        (b'{"a": 1,\n2: 3}', [1], [(2, "broken JSON, what follows is not read: a key must be text")]),
        (b'{"a": 1,\n"b" 3}', [1], [(2, "broken JSON, what follows is not read: expected ':'")]),
        (b"[1]\n\n[2]\n", [1], [(3, "what follows the end of the JSON is not read")]),
        (b'{"a": 1,\n"\\ud800": 2,\n"c": 3}', [1, 3], [(2, "not UTF-8 text")]),
        (b'{"a": 1,\n"\xe9": 2,\n"c": 3}', [1, 3], [(2, "not UTF-8 text")]),
    ],
)
def test_json_items_locate_damage_and_read_what_stands_before_it(
    opened: Open, document: bytes, read: list[int], defects: list[tuple[int, str]]
) -> None:
    source, found = opened(document)
    assert [item for _, _, item in source.json_items(int)] == read
    assert found == defects


@pytest.mark.parametrize("document", [b"", b"3", b"words"])
def test_json_that_is_no_array_or_object_is_refused(opened: Open, document: bytes) -> None:
    source, _ = opened(document)
    with pytest.raises(DataError, match="file:1: expected a JSON array or object"):
        list(source.json_items(int))


LIMIT = sys.getrecursionlimit()


@pytest.mark.parametrize(
    "depths", [range(LIMIT - 150, LIMIT + 10), [50 * LIMIT]], ids=["about the limit", "far beyond"]
)
def test_json_nested_to_any_depth_is_read_or_a_defect(opened: Open, depths: Iterable[int]) -> None:
    for depth in depths:
        nested = b"[" * depth + b"]" * depth
        source, defects = opened(b"[1, " + nested + b"]")
        items = list(source.json_items(object))
        assert len(items) + len(defects) == 2, f"{depth} deep"
        source, defects = opened(b"1\n" + nested + b"\n2")
        lines = list(source.json_lines(object))
        assert len(lines) + len(defects) == 3, f"{depth} deep"


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("missing", None, "missing: there is no such file"),
        ("packed.gz", b"not gzip", r"packed\.gz: damaged archive, what follows is not read: Not a gzipped file"),
        ("packed.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff", r"packed\.gz: damaged archive"),
    ],
)
def test_a_file_that_cannot_be_opened_is_named(
    tmp_path: Path, name: str, content: bytes | None, complaint: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=complaint):
        list(Source(tmp_path / name).lines())


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        list(Source(tmp_path).lines())


def test_a_report_that_nobody_reads_any_more_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    def gone(defect: Defect) -> None:
        raise BrokenPipeError

    (tmp_path / "file").write_text("a,b\n1\n")
    with pytest.raises(BrokenPipeError):
        list(Source(tmp_path / "file", gone).rows(("a",)))


def test_a_long_json_document_is_read_as_it_is_needed(tmp_path: Path) -> None:
    file = tmp_path / "long.json"
    count, size = 400, 50_000
    with file.open("w") as written:
        written.write("[" + ",\n".join(f'{{"n": {n}, "text": "{"x" * size}"}}' for n in range(count)) + "]")
    tracemalloc.start()
    seen = [(line, item["n"]) for line, _, item in Source(file).json_items(dict[str, Any])]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seen == [(n + 1, n) for n in range(count)]
    assert peak < count * size / 10


@pytest.mark.parametrize("cut", range(60_000, 70_000, 997))
def test_members_that_lie_across_two_pieces_of_a_document_are_read_whole(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "long.json"
    filler = " " * (cut - 20)
    file.write_text(f'[{filler}{{"a": 1234567}}, 123456789, {{"b": [1, 2, "\\u00e9"]}}]')
    assert [item for _, _, item in Source(file).json_items(object)] == [
        {"a": 1_234_567},
        123_456_789,
        {"b": [1, 2, "é"]},
    ]
