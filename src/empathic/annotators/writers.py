"""The forms that annotated rows are written in."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar

import msgspec

from empathic.annotators.columns import PREFIX, columns, columns_of
from empathic.corpora import Passage, Row
from empathic.corpora.own import CSV_COLUMNS, JSON_LINES, Message
from empathic.dialogue import Dialogue, Factors, Turn
from empathic.errors import UsageError
from empathic.storage import whole_file

__all__ = ["Writer", "writer_for"]

T = TypeVar("T")
ERROR = "error"
NOTHING = Factors()
TABLES = {".csv": ",", ".tsv": "\t"}
PARQUET = ".parquet"


class Writer(Protocol):
    """A form that annotated rows are written in, line by line."""

    def heading(self) -> bytes:
        """What stands before all rows."""

    def lines(self, passage: Passage) -> bytes:
        """A line for every row of a passage; for every turn where turns are what is written."""

    def finish(self, written: Path, target: Path) -> None:
        """Makes the target of all lines, where they are not yet what it is to be."""


def writer_for(form: str, first: Sequence[Passage], factors: Sequence[str], source: Path, read_as: str) -> Writer:
    """The writer of a form.

    Args:
        form: The ending of the file that is written.
        first: The first passages that were read, which show what the rows are.
        factors: Which ones are written.
        source: Where the rows come from.
        read_as: The ending of the file that is read; nothing for a corpus.
    """
    dialogues = not first or first[-1].whole
    if form in JSON_LINES:
        return _JsonLines(str(source))
    if form in TABLES:
        if not dialogues and read_as in JSON_LINES | {PARQUET}:
            raise UsageError(f"rows of {read_as} are written as .jsonl{' or .parquet' * (read_as == PARQUET)}")
        cells = CSV_COLUMNS if dialogues else next(list(row.cells) for row in first[-1].rows if row.cells is not None)
        return _Table(str(source), TABLES[form], cells, columns_of(factors), of_turns=dialogues)
    if form == PARQUET:
        if not dialogues and read_as != PARQUET:
            raise UsageError(f"rows of {read_as} are written as .jsonl{', .csv or .tsv' * (read_as not in JSON_LINES)}")
        return _ParquetOfDialogues(str(source)) if dialogues else _ParquetBeside(str(source), source)
    raise UsageError(
        f"what is written must be called .jsonl, .csv, .tsv or .parquet, not {form or 'without an ending'}"
    )


def _error(place: str, row: Row) -> str:
    return f"{place}:{row.number}: {row.defect}" if row.number else f"{place}: {row.defect}"


class _JsonLines:
    """The row as it was, and `factors` beside or within it."""

    def __init__(self, place: str) -> None:
        self.place = place

    def heading(self) -> bytes:
        return b""

    def lines(self, passage: Passage) -> bytes:
        return b"".join(msgspec.json.encode(each, enc_hook=str) + b"\n" for each in self.objects(passage))

    def objects(self, passage: Passage) -> Iterator[Any]:
        """What is written, object by object."""
        for row in passage.rows:
            if row.defect is not None or passage.dialogue is None:
                yield _given(row) | {ERROR: _error(self.place, row)}
            elif passage.whole:
                yield _whole(row, passage.dialogue)
            elif row.turn is None:
                yield _given(row)
            else:
                yield _given(row) | {"factors": passage.dialogue.turns[row.turn].factors}

    def finish(self, written: Path, target: Path) -> None:
        pass


def _given(row: Row) -> dict[str, Any]:
    """The cells of a row without what an earlier annotation added to them."""
    return {name: cell for name, cell in (row.cells or {}).items() if not name.startswith(PREFIX)}


def _whole(row: Row, dialogue: Dialogue) -> Any:
    """A dialogue in the form that its row has: the canonical one, or OpenAI's messages."""
    messages = None if row.cells is None or "turns" in row.cells else row.cells.get("messages")
    if row.cells is None or messages is None:
        return dialogue
    turns = iter(dialogue.turns)
    are_turns = [msgspec.convert(each, Message).turn is not None for each in messages]
    told = [
        {**each, "factors": next(turns).factors} if is_turn else each
        for each, is_turn in zip(messages, are_turns, strict=True)
    ]
    return {**row.cells, "messages": told}


class _Table:
    """The cells as they were, and a column for each thing that a factor says."""

    def __init__(
        self, place: str, delimiter: str, cells: Sequence[str], factors: Sequence[str], *, of_turns: bool
    ) -> None:
        self.place = place
        self.delimiter = delimiter
        self.of_turns = of_turns
        self.columns = [*(name for name in cells if not name.startswith(PREFIX)), *factors, PREFIX + ERROR]

    def heading(self) -> bytes:
        return self._written([dict(zip(self.columns, self.columns, strict=True))])

    def lines(self, passage: Passage) -> bytes:
        return self._written(self._turns(passage) if self.of_turns else self._rows(passage))

    def finish(self, written: Path, target: Path) -> None:
        pass

    def _rows(self, passage: Passage) -> Iterator[dict[str, Any]]:
        for row in passage.rows:
            cells = _given(row)
            if row.defect is not None or passage.dialogue is None:
                cells[PREFIX + ERROR] = _error(self.place, row)
            elif row.turn is not None:
                cells |= columns(passage.dialogue.turns[row.turn].factors or NOTHING)
            yield cells

    def _turns(self, passage: Passage) -> Iterator[dict[str, Any]]:
        for row in passage.rows:
            if row.defect is not None:
                yield {PREFIX + ERROR: _error(self.place, row)}
        if passage.dialogue is not None:
            for number, turn in enumerate(passage.dialogue.turns):
                yield _cells(passage.dialogue, number, turn) | columns(turn.factors or NOTHING)

    def _written(self, rows: Iterable[dict[str, Any]]) -> bytes:
        text = io.StringIO(newline="")
        table = csv.writer(text, delimiter=self.delimiter, lineterminator="\n")
        for row in rows:
            table.writerow(["" if (cell := row.get(name)) is None else cell for name in self.columns])
        return text.getvalue().encode("utf-8", "replace")


def _cells(dialogue: Dialogue, number: int, turn: Turn) -> dict[str, Any]:
    return dict(zip(CSV_COLUMNS, (dialogue.id, number, turn.role, turn.text, dialogue.emotion), strict=True))


class _ParquetOfDialogues(_JsonLines):
    """Lines of JSON while they grow, a table of dialogues at the end."""

    def objects(self, passage: Passage) -> Iterator[Any]:
        for row in passage.rows:
            if row.defect is not None or passage.dialogue is None:
                # Such a table has no place for what is no dialogue but a dialogue's own labels.
                there = msgspec.json.encode(row.cells, enc_hook=str).decode()
                yield Dialogue(f"row-{row.number}", (), labels={"row": there, ERROR: _error(self.place, row)})
            else:
                yield passage.dialogue

    def finish(self, written: Path, target: Path) -> None:
        import pyarrow.parquet as pq

        from empathic.corpora.arrow import DIALOGUE_SCHEMA, to_batches

        with (
            whole_file(target) as file,
            written.open("rb") as lines,
            pq.ParquetWriter(file, DIALOGUE_SCHEMA, compression="zstd") as parquet,
        ):
            for batch in to_batches(_decoded(lines, Dialogue), Dialogue):
                parquet.write_batch(batch)
        written.unlink()


class _Beside(msgspec.Struct, omit_defaults=True):
    """What is added to a row."""

    factors: Factors | None = None
    error: str | None = None


class _ParquetBeside(_JsonLines):
    """Lines of what is added to each row while they grow; at the end the table that was read, with two more columns."""

    def __init__(self, place: str, source: Path) -> None:
        super().__init__(place)
        self.source = source

    def objects(self, passage: Passage) -> Iterator[Any]:
        for row in passage.rows:
            if row.defect is not None or passage.dialogue is None:
                yield _Beside(error=_error(self.place, row))
            else:
                yield _Beside(None if row.turn is None else passage.dialogue.turns[row.turn].factors)

    def finish(self, written: Path, target: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        from empathic.corpora.arrow import factors_array

        table = pq.ParquetFile(self.source)
        kept = [field for field in table.schema_arrow if field.name not in ("factors", ERROR)]
        added = (pa.field("factors", factors_array([]).type), pa.field(ERROR, pa.string()))
        schema = pa.schema([*kept, *added])
        with (
            whole_file(target) as file,
            written.open("rb") as lines,
            pq.ParquetWriter(file, schema, compression="zstd") as parquet,
        ):
            beside = _decoded(lines, _Beside)
            for batch in table.iter_batches(columns=[field.name for field in kept]):
                rows = list(islice(beside, batch.num_rows))
                said = (
                    factors_array([row.factors for row in rows]),
                    pa.array([row.error for row in rows], pa.string()),
                )
                parquet.write_batch(pa.RecordBatch.from_arrays([*batch.columns, *said], schema=schema))
        written.unlink()


def _decoded(lines: IO[bytes], kind: type[T]) -> Iterator[T]:
    decoder = msgspec.json.Decoder(kind)
    return (decoder.decode(line) for line in lines)
