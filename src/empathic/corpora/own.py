"""Files of the user's own: JSONL, CSV, TSV or Parquet, with one dialogue or one utterance a row.

Three forms are told apart by what a row holds: `turns` is the canonical form that `empathic data convert` writes,
`messages` is OpenAI's, and anything else is a table of utterances whose columns `OwnLayout` names.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from empathic.corpora._source import Source, UnreadableError, form_of, present
from empathic.dialogue import Dialogue, Inference, Role, Turn
from empathic.errors import DataError, UsageError

__all__ = ["Gathered", "Message", "OwnLayout", "Row", "Table", "is_own", "read", "rows_of", "whole_record", "write_csv"]

JSON_LINES = frozenset({".jsonl", ".ndjson"})
TABLES = frozenset({".csv", ".tsv"})
SUFFIXES = JSON_LINES | TABLES | {".parquet"}
CSV_COLUMNS = ("dialogue", "turn", "role", "text", "emotion")

_SPEAKERS = frozenset({"speaker", "user", "usr", "human", "seeker", "client", "patient"})
_LISTENERS = frozenset({"listener", "assistant", "sys", "bot", "supporter", "therapist", "counselor", "counsellor"})
_USUAL = {
    "text": ("text", "utterance", "content", "sentence"),
    "role": ("role", "speaker", "speaker_idx", "author"),
    "dialogue": ("dialogue", "dialogue_id", "conversation_id", "conv_id", "dialog_id"),
    "emotion": ("emotion", "label"),
    "split": ("split",),
    "turn": ("turn",),
}
ROWS_AT_ONCE = 1024
MOST_MISSES = 20
"""After so many rows without text, and none with any, a file is no table of utterances."""


class OwnLayout(msgspec.Struct, frozen=True, kw_only=True):
    """Which column of a table of utterances holds what; by default the usual names are looked for."""

    text: str | None = None
    role: str | None = None
    dialogue: str | None = None
    """Rows that follow each other with the same value are one dialogue; without the column, every row is one."""
    emotion: str | None = None
    speakers: tuple[str, ...] = ()
    """The values of the role column that mean the speaker; every other value then means the listener."""

    def resolve(self, columns: Iterable[str], place: str) -> dict[str, str]:
        """What each column that matters is called among `columns`."""
        there = list(columns)
        resolved = {}
        for purpose, usual in _USUAL.items():
            named = getattr(self, purpose, None)
            if named is not None and named not in there:
                raise UsageError(f"{place}: there is no column {named!r}; the columns are: {', '.join(there)[:200]}")
            found = named or next((name for name in usual if name in there), None)
            if found is not None:
                resolved[purpose] = found
        if "text" not in resolved:
            raise _NoTextError(
                f"{place}: no column holds text; the columns are: {', '.join(there)[:200] or 'none'}",
                remedy="name it with --text",
            )
        return resolved


class _NoTextError(DataError):
    """None of the columns is known to hold what is said."""


class _Part(msgspec.Struct):
    type: str
    text: str | None = None


class Message(msgspec.Struct):
    """One of OpenAI's messages."""

    role: str
    content: str | list[_Part] | None = None

    @property
    def turn(self) -> Turn | None:
        """The turn that it is; None for one of another role, or without text."""
        if self.role not in ("user", "assistant") or not (self.text or self.content == ""):
            return None
        return Turn("speaker" if self.role == "user" else "listener", self.text)

    @property
    def text(self) -> str:
        """What it says; what else it holds, such as pictures and calls of tools, is no text."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text" and part.text is not None)
        return self.content or ""


Row = Mapping[str, Any]


def is_own(path: Path) -> bool:
    """Whether a file's name says that it is one of these."""
    return form_of(path) in SUFFIXES


def read(source: Source, layout: OwnLayout) -> Iterator[tuple[int, Dialogue | Inference]]:
    """Reads a file by its suffix; every record comes with the line, or the row, that it begins on."""
    if source.form not in SUFFIXES:
        known = ", ".join(sorted(SUFFIXES))
        raise UsageError(f"{source.path}: a file's name must end with one of {known}, packed with gzip (.gz) or not")
    table = Table(source, layout)
    whole = False
    for number, cells in rows_of(source, layout):
        try:
            record = whole_record(source, number, present(cells))
        except msgspec.MsgspecError as error:
            source.defect(number, str(error))
        except RecursionError:
            source.defect(number, "nested too deeply")
        else:
            if record is not None:
                whole = True
                yield number, record
            elif whole:
                source.defect(number, "holds no turns, no messages and no inference, as the rows before it do")
            else:
                yield from ((gathered.begin, gathered.dialogue) for gathered in table.add(number, cells))
    yield from ((gathered.begin, gathered.dialogue) for gathered in table.end())


def write_csv(dialogues: Iterable[Dialogue], file: IO[bytes]) -> None:
    """A table of utterances: what a dialogue says, by whom, and its emotion; nothing else of it survives."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    table = csv.writer(text)
    table.writerow(CSV_COLUMNS)
    for dialogue in dialogues:
        for position, turn in enumerate(dialogue.turns):
            table.writerow((dialogue.id, position, turn.role, turn.text, dialogue.emotion or ""))
        if not dialogue.turns:
            table.writerow((dialogue.id, 0, "", "", dialogue.emotion or ""))
    text.detach()


def rows_of(source: Source, layout: OwnLayout) -> Iterator[tuple[int, Row]]:
    """The rows of a file by its form, each with its line or its number."""
    if source.form == ".parquet":
        return _parquet_rows(source)
    if source.form in TABLES:
        return _csv_rows(source, layout)
    return source.json_lines(dict[str, Any])


def _csv_rows(source: Source, layout: OwnLayout) -> Iterator[tuple[int, Row]]:
    named = [name for name in (layout.text, layout.role, layout.dialogue, layout.emotion) if name]
    for number, cells in source.table("\t" if source.form == ".tsv" else ","):
        if named and (missing := [name for name in named if name not in cells]):
            raise UsageError(
                f"{source.path}:1: there is no column {missing[0]!r}; the columns are: {', '.join(cells)[:200]}"
            )
        yield number, cells


def _parquet_rows(source: Source) -> Iterator[tuple[int, Row]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        for batch in pq.ParquetFile(source.path).iter_batches(ROWS_AT_ONCE):
            for row in batch.to_pylist(maps_as_pydicts="strict"):
                number += 1
                yield number, row
    except FileNotFoundError:
        raise UnreadableError(source.path, "there is no such file") from None
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        raise UnreadableError(
            source.path, f"not a readable Parquet file, after row {number}: {str(error)[:200]}"
        ) from error


def whole_record(source: Source, number: int, row: Row) -> Dialogue | Inference | None:
    """The record that a row holds all of, or None for a row of a table of utterances."""
    if source.form in TABLES:
        return None
    says_something = any(name in row for name in _USUAL["text"])

    def holds(name: str) -> bool:
        """Whether that is what the row is about, and no further column of a table of utterances."""
        return name in row and (isinstance(row[name], list) or not says_something)

    if holds("turns"):
        return msgspec.convert(row, Dialogue)
    if holds("head") and "relation" in row:
        return msgspec.convert(row, Inference)
    if holds("messages"):
        return _from_messages(source, number, row)
    return None


def _from_messages(source: Source, number: int, row: Row) -> Dialogue:
    messages = msgspec.convert(row["messages"], list[Message])
    system = "\n".join(message.text for message in messages if message.role in ("system", "developer"))
    turns = tuple(turn for message in messages if (turn := message.turn) is not None)
    if messages and not turns:
        raise msgspec.ValidationError("none of its messages is a turn with text")
    for message in messages:
        if message.role in ("user", "assistant") and message.turn is None:
            source.defect(number, f"a message of the {message.role} without text is left out")
        elif message.role not in ("user", "assistant", "system", "developer"):
            source.defect(number, f"a message of role {message.role[:40]!r} is left out")
    said = {name: row[name] for name in ("id", "split", "emotion") if isinstance(row.get(name), str)}
    return Dialogue(
        said.get("id", f"{source.path.stem}-{number}"),
        turns,
        split=said.get("split"),
        emotion=said.get("emotion"),
        labels={"system": system} if system else {},
    )


class Gathered(NamedTuple):
    """A dialogue out of a table of utterances."""

    begin: int
    """The line, or the row, of the first of them."""
    dialogue: Dialogue
    rows: tuple[int, ...]
    """The line, or the row, of every turn."""


class Table:
    """Gathers the rows of a table of utterances into dialogues."""

    def __init__(self, source: Source, layout: OwnLayout) -> None:
        self.source = source
        self.layout = layout
        self.columns: dict[str, None] = {}
        self.named: dict[str, str] = {}
        self.begun = 0
        self.identity: str | None = None
        self.emotion: str | None = None
        self.split: str | None = None
        self.turns: list[tuple[str, str]] = []
        self.rows: list[int] = []
        self.misses = 0

    def add(self, number: int, row: Row) -> Iterator[Gathered]:
        """Takes a row in; yields the dialogue that it ends."""
        if not row.keys() <= self.columns.keys() or not self.named:
            self.columns |= dict.fromkeys(row)
            try:
                self.named = self.layout.resolve(self.columns, f"{self.source.path}:{number}")
            except _NoTextError as error:
                # Rows of JSON may be of any make: one without text is a defect while others may still have some.
                self.misses += 1
                if self.source.form not in JSON_LINES or self.misses > MOST_MISSES:
                    raise
                self.source.defect(number, str(error).partition(f"{number}: ")[2])
                return
        cells = {purpose: row.get(column) for purpose, column in self.named.items()}
        if not isinstance(cells["text"], str):
            self.source.defect(number, f"the column {self.named['text']!r} holds no text")
            return
        identity = str(cells["dialogue"]) if cells.get("dialogue") is not None else f"{self.source.path.stem}-{number}"
        if identity != self.identity or str(cells.get("turn")) == "0":
            yield from self.end()
            self.identity, self.begun, self.emotion = identity, number, None
            self.split = str(cells["split"]) if cells.get("split") not in (None, "") else None
        if self.emotion is None and cells.get("emotion") not in (None, ""):
            self.emotion = str(cells["emotion"])
        if "role" in self.named:
            role = str(cells.get("role") if cells.get("role") is not None else "")
        else:
            role = "listener" if len(self.turns) % 2 else "speaker"
        if role or cells["text"]:
            self.turns.append((role, cells["text"]))
            self.rows.append(number)

    def end(self) -> Iterator[Gathered]:
        """The dialogue that no further row belongs to."""
        if self.identity is not None:
            first = self.turns[0][0] if self.turns else ""
            turns = tuple(Turn(self._role(role, first), text) for role, text in self.turns)
            dialogue = Dialogue(self.identity, turns, split=self.split, emotion=self.emotion)
            yield Gathered(self.begun, dialogue, tuple(self.rows))
        self.identity, self.turns, self.rows = None, [], []

    def _role(self, written: str, first: str) -> Role:
        """By the values named, by the usual names, or else: who speaks first is the speaker."""
        if self.layout.speakers:
            return "speaker" if written in self.layout.speakers else "listener"
        if written.lower() in _SPEAKERS:
            return "speaker"
        if written.lower() in _LISTENERS:
            return "listener"
        return "speaker" if written == first else "listener"
