"""`empathic data check`."""

from __future__ import annotations

from empathic.cli._terminal import note, say, status
from empathic.cli._which import Which

__all__ = ["check"]


def check(
    corpus: str = "sample",
    /,
    *,
    which: Which | None = None,
    json: bool = False,
) -> int:
    """Find every defect, with its file and line; exit with 1 if there is any.

    Args:
        corpus: A corpus by name, or a JSONL, CSV, TSV or Parquet file of your own.
        json: Print each defect as one line of JSON.
    """
    import msgspec

    from empathic import corpora

    which = which or Which()
    found = 0

    def report(defect: corpora.Defect) -> None:
        nonlocal found
        if which.strict:
            corpora.raise_defect(defect)
        found += 1
        say(msgspec.json.encode(defect).decode() if json else str(defect))

    with status(f"Checking {corpus} ..."):
        records = corpora.check(
            corpus, split=which.split, part=which.part, path=which.source, report=report, layout=which.layout()
        )
    if not json:
        note(f"{records:,} records read, {found:,} {'defect' if found == 1 else 'defects'} found")
    return 1 if found else 0
