"""One file of a corpus, opened so that damage is met in one way: a `Defect` with its place, and on with the rest."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from empathic.corpora._json_document import JsonDocument
from empathic.errors import DataError

__all__ = ["Defect", "Report", "Source", "StandardInput", "UnreadableError", "form_of", "present", "raise_defect"]

T = TypeVar("T")
LONGEST_FIELD = 1 << 24
"""Characters of one field of a table; Python's own limit is 131,072."""
NOT_TEXT = "not UTF-8 text"
LINE = "line"
"""What a line of which nothing can be told apart is called among cells."""
ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)")
"""An escape of JSON: a pair of surrogates, half of one, or any other."""
HALF = len(r"\ud83d")


class Defect(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something wrong in a file of data."""

    path: str
    what: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}" if self.line else f"{self.path}: {self.what}"


class UnreadableError(DataError):
    """A file of which nothing more can be read; the others of its corpus can."""

    def __init__(self, path: Path, what: str, line: int | None = None) -> None:
        self.defect = Defect(str(path), what, line)
        super().__init__(str(self.defect))


Report = Callable[[Defect], None]
Cells = Mapping[str, Any]


def form_of(path: Path) -> str:
    """The ending that says which form a file has, without `.gz`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return suffixes[-2] if len(suffixes) > 1 and suffixes[-1] == ".gz" else suffixes[-1] if suffixes else ""


def raise_defect(defect: Defect) -> None:
    """The strict report: the first defect ends the reading."""
    raise DataError(str(defect))


@dataclass(frozen=True)
class Source:
    """A file to read, what is known of it from the corpus's layout, and whom to tell of its defects."""

    path: Path
    report: Report = raise_defect
    split: str | None = None
    part: str | None = None
    lost: Callable[[Cells], None] | None = None
    """Whom to give what stands in a row that cannot be read, before its defect is told."""

    @property
    def form(self) -> str:
        """The ending that says how the file is to be read."""
        return form_of(self.path)

    def defect(self, line: int | None, what: str) -> None:
        self.report(Defect(str(self.path), what, line))

    def unread(self, line: int, what: str, cells: Cells) -> None:
        """A row that cannot be read, with what stands in it as far as that can be told."""
        if self.lost is not None:
            self.lost(cells)
        self.defect(line, what)

    def companion(self, name: str) -> Source:
        """A file that belongs to this one and lies beside it."""
        return replace(self, path=self.path.with_name(name))

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines with their numbers and without their ends; one that is not UTF-8 is a defect."""
        number = 0
        try:
            with self._open() as file:
                for number, line in enumerate(file, 1):
                    if _is_text(line):
                        yield number, line.rstrip("\r\n")
                    else:
                        self.unread(number, NOT_TEXT, {LINE: _readable(line.rstrip("\r\n"))})
        except UnreadableError as error:
            if not number:
                raise
            raise UnreadableError(self.path, error.defect.what, number + 1) from error

    def rows(
        self,
        columns: Sequence[str],
        *,
        optional: Sequence[str] = (),
        quoted: bool = True,
        delimiter: str = ",",
        surplus: bool = False,
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The named columns of a table with a header, each row with the number of its first line.

        A column in `optional` that the table lacks reads as empty. With `surplus`, fields beyond the header's are
        passed over; else a row that has some is a defect.
        """
        with self._open() as file:
            csv.field_size_limit(LONGEST_FIELD)
            reader = csv.reader(
                file, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE, strict=True
            )
            header = next(self._csv_rows(reader), (1, []))[1]
            missing = [column for column in columns if column not in header]
            if missing:
                found = ", ".join(repr(name[:40]) for name in header[:12]) or "none"
                raise UnreadableError(self.path, f"there is no column {missing[0]!r}; the columns are: {found}", 1)
            positions = [header.index(column) if column in header else None for column in (*columns, *optional)]
            width = len(header)
            for number, row in self._csv_rows(reader):
                if len(row) != width and not (surplus and len(row) > width):
                    if row:
                        self.defect(number, f"{len(row)} fields where the header has {width}")
                    continue
                picked = tuple("" if p is None else row[p] for p in positions)
                for field in picked:
                    if not field.isascii() and not _is_text(field):
                        self.defect(number, NOT_TEXT)
                        break
                else:
                    yield number, picked

    def table(self, delimiter: str = ",") -> Iterator[tuple[int, dict[str, str]]]:
        """All columns of a table with a header, by their names.

        Of a row that cannot be read, the fields stand in their columns as far as they go. What is too much follows the
        last one of them, and a row that cannot be told apart stands in the last column whole.
        """
        with self._open() as file:
            csv.field_size_limit(LONGEST_FIELD)
            taken: list[str] = []
            reader = csv.reader(_noted(file, taken), delimiter=delimiter, strict=True)
            header = self._header(reader)

            def whole() -> Cells:
                text = _readable("".join(taken).rstrip("\r\n"))
                taken.clear()
                return dict.fromkeys(header) | {header[-1]: text}

            taken.clear()
            for number, row in self._csv_rows(reader, whole):
                taken.clear()
                if len(row) == len(header) and all(map(_is_text, row)):
                    yield number, dict(zip(header, row, strict=True))
                elif row:
                    fits = len(row) == len(header)
                    what = NOT_TEXT if fits else f"{len(row)} fields where the header has {len(header)}"
                    last = len(header) - 1
                    fields = row if len(row) <= last else [*row[:last], delimiter.join(row[last:])]
                    there = zip(header, map(_readable, fields), strict=False)
                    self.unread(number, what, dict.fromkeys(header) | dict(there))

    def _header(self, reader: Any) -> list[str]:
        """The names of a table's columns."""
        try:
            header: list[str] = next(filter(None, reader), [])
        except csv.Error as error:
            raise UnreadableError(self.path, f"no header that can be read: {error}", 1) from None
        if not all(map(_is_text, header)):
            raise UnreadableError(self.path, f"no header that can be read: {NOT_TEXT}", 1)
        if twice := [name for number, name in enumerate(header) if name in header[:number]]:
            raise UnreadableError(self.path, f"two columns are called {twice[0][:40]!r}", reader.line_num)
        return header

    def _csv_rows(self, reader: Any, cells: Callable[[], Cells] = dict) -> Iterator[tuple[int, list[str]]]:
        """The rows with the numbers of their first lines; `cells` are given for one that is none."""
        while True:
            number = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                swallowed = reader.line_num - number
                more = f"; it goes on to line {reader.line_num}, so that these lines are not read" if swallowed else ""
                self.unread(number, f"not a row: {error}{more}", cells())
                continue
            yield number, row

    def json_lines(self, kind: type[T]) -> Iterator[tuple[int, T]]:
        """One JSON value a line; empty lines are passed over."""
        decoder = msgspec.json.Decoder(kind)
        for number, line in self.lines():
            if not line.strip():
                continue
            try:
                value = _decoded(decoder, line)
            except (msgspec.MsgspecError, RecursionError) as error:
                self.unread(number, _plainly(error), {LINE: line})
                continue
            yield number, value

    def json_items(self, kind: type[T]) -> Iterator[tuple[int, str, T]]:
        """The members of one JSON array or object, each with the line it begins on and its index or key.

        Members before a syntax error are read; what follows it cannot be.
        """
        with self._open() as file:
            yield from _members(self, JsonDocument(file), kind)

    def zipped(self, member: str) -> Source | None:
        """A member of this zip archive, to be read without unpacking it to disk."""
        try:
            with zipfile.ZipFile(self.path) as archive:
                archive.getinfo(member)
        except KeyError:
            self.defect(None, f"the archive holds no {member}")
            return None
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise UnreadableError(self.path, f"not a readable zip archive: {error}") from error
        return _ZippedSource(self.path, self.report, self.split, self.part, member=member)

    @contextmanager
    def _open(self) -> Iterator[IO[str]]:
        """The file as text; bytes that are not UTF-8 come through as surrogates, for `_is_text` to find."""
        try:
            with self._open_bytes() as raw:
                yield io.TextIOWrapper(raw, encoding="utf-8-sig", errors="surrogateescape", newline="")
        except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile) as error:
            raise UnreadableError(self.path, f"damaged archive, what follows is not read: {error}") from error
        except FileNotFoundError:
            raise UnreadableError(self.path, "there is no such file") from None
        except BrokenPipeError:  # not the file's: whoever was told of its defects has gone
            raise
        except OSError as error:
            raise UnreadableError(self.path, f"cannot be read: {error.strerror or error}") from error

    @contextmanager
    def _open_bytes(self) -> Iterator[IO[bytes] | gzip.GzipFile]:
        if self.path.suffix == ".gz":
            with gzip.open(self.path, "rb") as compressed:
                yield compressed
        else:
            with self.path.open("rb") as plain:
                yield plain


@dataclass(frozen=True)
class StandardInput(Source):
    """What is piped in, in a form that must be told."""

    path: Path = Path("standard input")
    piped: IO[bytes] = field(default_factory=lambda: sys.stdin.buffer)
    told: str = ""

    @property
    def form(self) -> str:
        return self.told

    @contextmanager
    def _open_bytes(self) -> Iterator[IO[bytes]]:
        yield self.piped


@dataclass(frozen=True)
class _ZippedSource(Source):
    member: str = ""

    @contextmanager
    def _open_bytes(self) -> Iterator[IO[bytes]]:
        with ExitStack() as opened:
            try:
                archive = opened.enter_context(zipfile.ZipFile(self.path))
                file = opened.enter_context(archive.open(self.member))
            except (RuntimeError, ValueError) as error:  # encrypted, compressed in a way not known here, a damaged name
                raise UnreadableError(self.path, f"{self.member} cannot be read: {error}") from error
            yield file


def _members(source: Source, document: JsonDocument, kind: type[T]) -> Iterator[tuple[int, str, T]]:
    opening = document.peek()
    closing = {"[": "]", "{": "}"}.get(opening)
    if closing is None:
        raise UnreadableError(source.path, "expected a JSON array or object", 1)
    document.take(opening)
    index = 0
    while document.peek() != closing:
        line = document.place(document.at)
        key = str(index)
        index += 1
        try:
            if opening == "{":
                name = document.value()
                if not isinstance(name, str):
                    raise json.JSONDecodeError("a key must be text", document.text, document.at)
                key = name
                document.take(":")
            value = document.value()
            if document.peek() != closing:
                document.take(",")
        except json.JSONDecodeError as error:
            where = document.place(error.pos)
            source.defect(where, f"broken JSON, what follows is not read: {error.msg}")
            return
        except (RecursionError, ValueError) as error:
            source.defect(line, f"broken JSON, what follows is not read: {_plainly(error)}")
            return
        try:
            if not _is_text(json.dumps([key, value], ensure_ascii=False)):
                source.defect(line, NOT_TEXT)
                continue
            member = msgspec.convert(value, kind)
        except (msgspec.MsgspecError, RecursionError) as error:
            source.defect(line, f"[{key}] {_plainly(error)}")
        else:
            yield line, key, member
    document.take(closing)
    if document.peek():
        source.defect(document.place(document.at), "what follows the end of the JSON is not read")


def _is_text(text: str) -> bool:
    """Whether all of it was UTF-8."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _readable(text: str) -> str:
    """Text with a mark in the place of each byte that is not UTF-8."""
    return text.encode(errors="surrogateescape").decode(errors="replace")


def _noted(lines: Iterable[str], taken: list[str]) -> Iterator[str]:
    """The same lines; each is noted when it is taken."""
    for line in lines:
        taken.append(line)
        yield line


def _decoded(decoder: msgspec.json.Decoder[T], line: str) -> T:
    """A JSON value; half a pair of surrogates, which Python's `json` writes and no text can hold, is read as U+FFFD."""
    try:
        return decoder.decode(line)
    except msgspec.MsgspecError:
        whole = ESCAPE.sub(lambda escape: r"\ufffd" if len(escape[0]) == HALF else escape[0], line)
        if whole == line:
            raise
        return decoder.decode(whole)


def present(value: Any) -> Any:
    """What is not null; a null stands for a field that is not there."""
    if isinstance(value, dict):
        return {key: present(each) for key, each in value.items() if each is not None}
    return [present(each) for each in value] if isinstance(value, list) else value


def _plainly(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error).replace("\n", " ")
