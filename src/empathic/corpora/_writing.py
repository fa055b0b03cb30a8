"""Writing records to a file of the canonical forms, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO

from empathic.corpora.own import write_csv
from empathic.dialogue import Dialogue, Record, to_json
from empathic.errors import DataError, UsageError
from empathic.storage import whole_file

__all__ = ["write"]


def write(records: Iterable[Record], path: Path) -> int:
    """Writes dialogues or inferences in the form that the file's ending names; returns how many."""
    writers = {".jsonl": _write_jsonl, ".parquet": _write_parquet, ".csv": _write_dialogues_as_csv}
    writer = writers.get(path.suffix)
    if writer is None:
        raise UsageError(f"{path}: the file's name must end with one of: {', '.join(writers)}")
    counter = _Counter(records)
    with whole_file(path) as file:
        writer(counter, file)
    return counter.seen


class _Counter:
    """Passes records on and remembers how many."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.records = records
        self.seen = 0

    def __iter__(self) -> Iterator[Record]:
        for record in self.records:
            self.seen += 1
            yield record


def _write_jsonl(records: Iterable[Record], file: IO[bytes]) -> None:
    for number, record in enumerate(records, 1):
        try:
            file.write(to_json(record) + b"\n")
        except UnicodeEncodeError as error:
            raise DataError(f"record {number} holds what is no text: {error}") from error


def _write_parquet(records: Iterable[Record], file: IO[bytes]) -> None:
    import pyarrow.parquet as pq

    from empathic.corpora.arrow import schema_of, to_batches

    rest = iter(records)
    first = next(rest, None)
    kind = Dialogue if first is None else type(first)
    with pq.ParquetWriter(file, schema_of(kind), compression="zstd") as parquet:
        for batch in to_batches(_all_of(kind, chain(() if first is None else (first,), rest)), kind):
            parquet.write_batch(batch)


def _all_of(kind: type[Record], records: Iterable[Record]) -> Iterator[Record]:
    for number, record in enumerate(records, 1):
        if not isinstance(record, kind):
            raise DataError(
                f"record {number} is of another kind than those before: a Parquet file holds dialogues or inferences",
                remedy="write .jsonl",
            )
        yield record


def _write_dialogues_as_csv(records: Iterable[Record], file: IO[bytes]) -> None:
    write_csv(_dialogues(records), file)


def _dialogues(records: Iterable[Record]) -> Iterator[Dialogue]:
    for record in records:
        if not isinstance(record, Dialogue):
            raise DataError("inferences have no utterances to make a CSV of", remedy="write .jsonl or .parquet")
        yield record
