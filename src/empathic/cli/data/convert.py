"""`empathic data convert`."""

from __future__ import annotations

from pathlib import Path

from empathic.cli._terminal import note, progress
from empathic.cli._which import Which, read
from empathic.errors import UsageError

__all__ = ["convert"]


def convert(corpus: str, to: Path, /, *, which: Which | None = None) -> int:
    """Convert any corpus to canonical JSONL or Parquet, or its utterances to CSV.

    JSONL and Parquet keep everything; CSV keeps what is said, by whom, and the dialogue's emotion. The file is there
    when all of it is written, and not before.

    Args:
        corpus: A corpus by name, or a JSONL, CSV, TSV or Parquet file of your own.
        to: The file to write; its ending, .jsonl, .parquet or .csv, says the form.
    """
    from empathic import corpora

    which = which or Which()
    if Path(corpus).exists() and to.exists() and Path(corpus).samefile(to):
        raise UsageError(f"{to} would be written over itself")
    defects: list[str] = []

    def report(defect: corpora.Defect) -> None:
        defects.append(str(defect))
        note(str(defect))

    with progress() as shown:
        task = shown.add_task(f"{corpus} ▸ {to.name}", total=None)
        records = read(corpus, which, report=report)
        written = corpora.write(shown.track(records, task_id=task), to)
    passed_over = f", {len(defects):,} {'defect' if len(defects) == 1 else 'defects'} passed over" if defects else ""
    note(f"{written:,} records in {to}{passed_over}")
    return 1 if defects else 0
