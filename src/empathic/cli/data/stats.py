"""`empathic data stats`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from empathic.cli._terminal import console, note, say, status, visible
from empathic.cli._which import Which, read

if TYPE_CHECKING:
    from empathic.corpora import Statistics

__all__ = ["stats"]

SHOWN = 45


def stats(
    corpus: str = "sample",
    /,
    *,
    which: Which | None = None,
    plot: Path | None = None,
    json: bool = False,
) -> int:
    """Count what a corpus holds: records, turns, lengths in words, and how often each label was given.

    Args:
        corpus: A corpus by name, or a JSONL, CSV, TSV or Parquet file of your own.
        plot: Draw lengths and labels into this SVG, PNG or PDF file.
        json: Print the figures as JSON.
    """
    import msgspec

    from empathic import corpora

    with status(f"Reading {corpus} ..."):
        counted = corpora.count(read(corpus, which or Which()))
    if plot is not None:
        from empathic.cli.data._plot import draw

        draw(counted, corpus, plot)
        note(f"Drawn into {plot}.")
    if json:
        say(msgspec.json.format(msgspec.json.encode(counted), indent=2).decode())
    else:
        _print(counted)
    return 0


def _print(counted: Statistics) -> None:
    from rich.table import Table

    screen = console()
    splits = ", ".join(f"{name} {number:,}" for name, number in counted.splits.items())
    say(f"records    {counted.records:,}" + (f" ({splits})" if splits else ""))
    if counted.turns:
        roles = ", ".join(f"{name} {number:,}" for name, number in counted.roles.items())
        say(f"turns      {counted.turns:,} ({roles})")
        say(f"exchanges  {counted.exchanges:,} listener turns with something before them")
    lengths = {
        "turns in a dialogue": counted.turns_per_dialogue,
        "words in a turn": counted.words_per_turn,
        "words in a context": counted.words_per_context,
        "words in a response": counted.words_per_response,
    }
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("length")
    for column in ("mean", "median", "95 %", "most"):
        table.add_column(column, justify="right")
    for name, length in lengths.items():
        if length is not None:
            table.add_row(name, f"{length.mean:,.2f}", f"{length.median:,}", f"{length.p95:,}", f"{length.max:,}")
    if table.row_count:
        say()
        screen.print(table)
    for name, given in counted.labels.items():
        total = sum(given.values())
        most = max(given.values())
        say(f"\n{visible(name)}: {len(given)} labels, {total:,} given")
        for label, number in list(given.items())[:SHOWN]:
            bar = "█" * round(24 * number / most)
            say(f"  {visible(label[:28]):<28} {number:>9,} {number / total:>6.1%} {bar}".rstrip())
        if len(given) > SHOWN:
            say(f"  ... and {len(given) - SHOWN} more")
