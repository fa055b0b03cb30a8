"""A file of the user's own, row by row: every row comes, and one that cannot be read says why.

`own.read` gives what a file says; this gives its rows as well, so that something can be written beside each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from empathic.corpora import own
from empathic.corpora._source import LINE, Cells, Defect, Source, UnreadableError, present
from empathic.dialogue import Dialogue, Record, Turn

__all__ = ["LINES", "Passage", "Row", "read_rows"]

LINES = ".txt"
"""The form of plain text: every line is a row."""


class Row(msgspec.Struct):
    """A row of a file."""

    number: int
    """Its line, or in Parquet its number."""
    cells: Mapping[str, Any] | None
    """What stands in it, as far as it could be told; None where nothing could."""
    turn: int | None = None
    """Which turn of the passage's dialogue it is; None for a row that is no turn."""
    defect: str | None = None


class Passage(msgspec.Struct):
    """Rows that follow each other, and the dialogue that they hold."""

    rows: list[Row]
    dialogue: Dialogue | None = None
    """None where none of the rows could be read."""
    whole: bool = False
    """Whether the last row holds all of the dialogue, and the others could not be read."""


def read_rows(source: Source, layout: own.OwnLayout) -> Iterator[Passage]:
    """All rows of a file in their order, cut into passages.

    Every defect of a row is reported too. What ends the reading of the file is reported as a defect of it, after all
    that was read before.
    """
    if source.form == LINES:
        yield from _lines(source)
        return
    unread = _Unread(source)
    table = own.Table(unread.source, layout)
    waiting: list[Row] = []
    whole = False
    rows = own.rows_of(unread.source, layout)
    while True:
        try:
            read = next(rows, None)
        except UnreadableError as error:
            if not waiting and table.identity is None and not table.columns and not whole:
                raise
            source.report(error.defect)
            read = None
        waiting += unread.rows()
        if read is None:
            break
        number, cells = read
        row = Row(number, cells)
        record, flaw = _whole_record(source, number, cells)
        if isinstance(record, Dialogue):
            whole = True
            yield from _passages(table.end(), waiting)
            yield Passage([*waiting, row], record, whole=True)
            waiting.clear()
            continue
        if record is not None:
            flaw = "holds an inference, and no turns"
        elif whole and flaw is None:
            flaw = "holds no turns and no messages, as the rows before it do"
        if flaw is not None:
            row.defect = flaw
            source.defect(number, flaw)
        else:
            yield from _passages(table.add(number, cells), waiting)
            row.defect = next((each.defect for each in unread.rows()), None)
        waiting.append(row)
        if "dialogue" not in table.named:
            yield from _passages(table.end(), waiting)  # no further row can belong to it
        if waiting and table.identity is None:
            yield Passage(list(waiting))
            waiting.clear()
    yield from _passages(table.end(), waiting)
    if waiting:
        yield Passage(waiting)


def _whole_record(source: Source, number: int, cells: own.Row) -> tuple[Record | None, str | None]:
    """The record that a row holds all of, and what is wrong with it."""
    try:
        return own.whole_record(source, number, present(cells)), None
    except msgspec.MsgspecError as error:
        return None, str(error).replace("\n", " ")
    except RecursionError:
        return None, "nested too deeply"


def _lines(source: Source) -> Iterator[Passage]:
    unread = _Unread(source)
    number = 0
    try:
        for number, line in unread.source.lines():
            if lost := unread.rows():
                yield Passage(lost)
            dialogue = Dialogue(f"{source.path.stem}-{number}", (Turn("speaker", line),))
            yield Passage([Row(number, {"text": line}, turn=0)], dialogue)
    except UnreadableError as error:
        if not number:
            raise
        source.report(error.defect)
    if lost := unread.rows():
        yield Passage(lost)


class _Unread:
    """Hears of every row that cannot be read, keeps it, and tells whoever is to be told."""

    def __init__(self, source: Source) -> None:
        self.told = source.report
        self.source = replace(source, report=self._hear, lost=self._keep)
        self._cells: Cells | None = None
        self._rows: list[Row] = []

    def _keep(self, cells: Cells) -> None:
        self._cells = {"text": cells[LINE]} if self.source.form == LINES else cells

    def _hear(self, defect: Defect) -> None:
        self._rows.append(Row(defect.line or 0, self._cells, defect=defect.what))
        self._cells = None
        self.told(defect)

    def rows(self) -> list[Row]:
        """Those heard of since the last time."""
        rows, self._rows = self._rows, []
        return rows


def _passages(ended: Iterator[own.Gathered], waiting: list[Row]) -> Iterator[Passage]:
    """The dialogue that has ended, with all rows that wait."""
    for gathered in ended:
        turns = {number: turn for turn, number in enumerate(gathered.rows)}
        for row in waiting:
            row.turn = turns.get(row.number) if row.cells is not None and row.defect is None else None
        yield Passage(list(waiting), gathered.dialogue)
        waiting.clear()
