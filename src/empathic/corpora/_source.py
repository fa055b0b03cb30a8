"""One file of a corpus, opened so that damage is met in one way: a `Defect` with its place, and on with the rest."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from empathic.errors import DataError

__all__ = ["Defect", "Report", "Source", "present", "raise_defect"]

T = TypeVar("T")


class Defect(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something wrong in a file of data."""

    path: str
    what: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}" if self.line else f"{self.path}: {self.what}"


Report = Callable[[Defect], None]


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

    def defect(self, line: int | None, what: str) -> None:
        self.report(Defect(str(self.path), what, line))

    def companion(self, name: str) -> Source:
        """A file that belongs to this one and lies beside it."""
        return replace(self, path=self.path.with_name(name))

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines with their numbers and without their ends; one that is not UTF-8 is a defect."""
        with self._open() as file:
            for number, line in enumerate(file, 1):
                if self._is_text(line, number):
                    yield number, line.rstrip("\r\n")

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
            reader = csv.reader(
                file, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE, strict=True
            )
            header = next(self._csv_rows(reader), (1, []))[1]
            missing = [column for column in columns if column not in header]
            if missing:
                found = ", ".join(repr(name[:40]) for name in header[:12]) or "none"
                raise DataError(f"{self.path}:1: there is no column {missing[0]!r}; the columns are: {found}")
            positions = [header.index(column) if column in header else None for column in (*columns, *optional)]
            width = len(header)
            for number, row in self._csv_rows(reader):
                if len(row) != width and not (surplus and len(row) > width):
                    if row:
                        self.defect(number, f"{len(row)} fields where the header has {width}")
                    continue
                picked = tuple("" if p is None else row[p] for p in positions)
                for field in picked:
                    if not field.isascii() and not self._is_text(field, number):
                        break
                else:
                    yield number, picked

    def table(self, delimiter: str = ",") -> Iterator[tuple[int, dict[str, str]]]:
        """All columns of a table with a header, by their names."""
        with self._open() as file:
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            begin, header = next(self._csv_rows(reader), (1, []))
            if not all(self._is_text(name, begin) for name in header):
                return
            for number, row in self._csv_rows(reader):
                if len(row) == len(header):
                    if all(self._is_text(field, number) for field in row):
                        yield number, dict(zip(header, row, strict=True))
                elif row:
                    self.defect(number, f"{len(row)} fields where the header has {len(header)}")

    def _csv_rows(self, reader: Any) -> Iterator[tuple[int, list[str]]]:
        while True:
            number = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                self.defect(number, f"not a row: {error}")
                continue
            yield number, row

    def json_lines(self, kind: type[T]) -> Iterator[tuple[int, T]]:
        """One JSON value a line; empty lines are passed over."""
        decoder = msgspec.json.Decoder(kind)
        for number, line in self.lines():
            if not line.strip():
                continue
            try:
                value = decoder.decode(line)
            except (msgspec.MsgspecError, RecursionError) as error:
                self.defect(number, _plainly(error))
                continue
            yield number, value

    def json_items(self, kind: type[T]) -> Iterator[tuple[int, str, T]]:
        """The members of one JSON array or object, each with the line it begins on and its index or key.

        Members before a syntax error are read; what follows it cannot be.
        """
        with self._open() as file:
            document = file.read()
        yield from _members(self, document, kind)

    def zipped(self, member: str) -> Source | None:
        """A member of this zip archive, to be read without unpacking it to disk."""
        try:
            with zipfile.ZipFile(self.path) as archive:
                archive.getinfo(member)
        except KeyError:
            self.defect(None, f"the archive holds no {member}")
            return None
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise DataError(f"{self.path}: not a readable zip archive: {error}") from error
        return _ZippedSource(self.path, self.report, self.split, self.part, member=member)

    @contextmanager
    def _open(self) -> Iterator[IO[str]]:
        """The file as text; bytes that are not UTF-8 come through as surrogates, for `_is_text` to find."""
        try:
            with self._open_bytes() as raw:
                yield io.TextIOWrapper(raw, encoding="utf-8-sig", errors="surrogateescape", newline="")
        except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile) as error:
            raise DataError(f"{self.path}: damaged archive: {error}") from error
        except FileNotFoundError:
            raise DataError(f"{self.path}: there is no such file") from None
        except BrokenPipeError:  # not the file's: whoever was told of its defects has gone
            raise
        except OSError as error:
            raise DataError(f"{self.path}: cannot be read: {error.strerror or error}") from error

    @contextmanager
    def _open_bytes(self) -> Iterator[IO[bytes] | gzip.GzipFile]:
        if self.path.suffix == ".gz":
            with gzip.open(self.path, "rb") as compressed:
                yield compressed
        else:
            with self.path.open("rb") as plain:
                yield plain

    def _is_text(self, text: str, number: int) -> bool:
        if text.isascii():
            return True
        try:
            text.encode()
        except UnicodeEncodeError:
            self.defect(number, "not UTF-8 text")
            return False
        return True


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
                raise DataError(f"{self.path}: {self.member} cannot be read: {error}") from error
            yield file


def _members(source: Source, document: str, kind: type[T]) -> Iterator[tuple[int, str, T]]:
    decode = json.JSONDecoder().raw_decode
    position = _skip(document, 0)
    opening = document[position : position + 1]
    closing = {"[": "]", "{": "}"}.get(opening)
    if closing is None:
        raise DataError(f"{source.path}:1: expected a JSON array or object")
    counted, line = 0, 1
    index = 0
    position = _skip(document, position + 1)
    while document[position : position + 1] != closing:
        line += document.count("\n", counted, position)
        counted = position
        key = str(index)
        index += 1
        try:
            if opening == "{":
                name, position = decode(document, position)
                if not isinstance(name, str):
                    raise json.JSONDecodeError("a key must be text", document, position)
                key = name
                position = _expect(document, _skip(document, position), ":")
            value, position = decode(document, _skip(document, position))
            position = _skip(document, position)
            if document[position : position + 1] != closing:
                position = _expect(document, position, ",")
        except json.JSONDecodeError as error:
            source.defect(error.lineno, f"broken JSON, what follows is not read: {error.msg}")
            return
        except (RecursionError, ValueError) as error:
            source.defect(line, f"broken JSON, what follows is not read: {_plainly(error)}")
            return
        try:
            if not source._is_text(json.dumps([key, value], ensure_ascii=False), line):
                continue
            member = msgspec.convert(value, kind)
        except (msgspec.MsgspecError, RecursionError) as error:
            source.defect(line, f"[{key}] {_plainly(error)}")
        else:
            yield line, key, member
    rest = _skip(document, position + 1)
    if rest < len(document):
        source.defect(line + document.count("\n", counted, rest), "what follows the end of the JSON is not read")


def _skip(document: str, position: int) -> int:
    """The next position that is no white space."""
    end = len(document)
    while position < end and document[position] in " \t\n\r":
        position += 1
    return position


def _expect(document: str, position: int, mark: str) -> int:
    if document[position : position + 1] != mark:
        raise json.JSONDecodeError(f"expected {mark!r}", document, position)
    return _skip(document, position + 1)


def present(value: Any) -> Any:
    """What is not null; a null stands for a field that is not there."""
    if isinstance(value, dict):
        return {key: present(each) for key, each in value.items() if each is not None}
    return [present(each) for each in value] if isinstance(value, list) else value


def _plainly(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error).replace("\n", " ")
