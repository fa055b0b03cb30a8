"""`empathic compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from empathic.cli._compared import compare_folders
from empathic.cli._measuring import Measuring
from empathic.cli._terminal import console, note, say
from empathic.errors import UsageError

if TYPE_CHECKING:
    from empathic.experiments.comparison import Comparison, Test

__all__ = ["compare"]

COLUMN = 18
"""What a column takes on a screen."""
ENDINGS = {".md": "markdown", ".tex": "latex", ".json": "json"}


def compare(
    *runs: Path,
    against: Path | None = None,
    replies: str | None = None,
    metrics: str | None = None,
    test: Literal["permutation", "sign", "t"] = "permutation",
    form: Annotated[Literal["terminal", "markdown", "latex", "json"] | None, Parameter(name="--format")] = None,
    to: Path | None = None,
    measuring: Measuring | None = None,
) -> int:
    """Compare responders' runs on the same items: a row a run, a column a figure, marks for what is hardly chance.

    Runs of one recipe that only their seeds tell apart are one row, with the mean and the standard deviation.

    Args:
        runs: Folders of runs, as empathic train makes them.
        against: The run that the others are tested against; the first by default.
        replies: The decoding whose replies are compared; greedy by default, or the only one that the runs share.
        metrics: Which figures, parted by commas; all by default.
        test: The paired test that the marks tell of; JSON has all three.
        form: How the table is written; by default as the ending of --to says, and else for the terminal.
        to: The file that it is written to.
    """
    named = form or _form_of(to)
    found = compare_folders(runs, against, replies, metrics, measuring or Measuring()).comparison
    if named == "terminal":
        _print(found, test)
        return 0
    text = _text(found, named, test)
    if to is None:
        say(text, end="")
        return 0
    from empathic.storage import whole_file

    with whole_file(to) as file:
        file.write(text.encode())
    note(f"written to {to}")
    return 0


def _form_of(to: Path | None) -> str:
    if to is None:
        return "terminal"
    if to.suffix not in ENDINGS:
        raise UsageError(f"{to} ends in none of {', '.join(ENDINGS)}", remedy="--format markdown, latex or json")
    return ENDINGS[to.suffix]


def _text(found: Comparison, form: str, test: Test) -> str:
    import msgspec

    from empathic.experiments.comparison_tables import as_latex, as_markdown

    if form == "json":
        return msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n"
    return as_latex(found, test) if form == "latex" else as_markdown(found, test)


def _print(found: Comparison, test: Test) -> None:
    """As many figures beside each other as there is room for."""
    from rich.table import Table
    from rich.text import Text

    from empathic.experiments.comparison_tables import best_rows, legend, mark, row_name, written

    screen = console()
    names = max(len(row_name(row)) for row in found.rows)
    at_once = max(1, (screen.width - names) // COLUMN)
    for begin in range(0, len(found.figures), at_once):
        figures = found.figures[begin : begin + at_once]
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("")
        for figure in figures:
            table.add_column(figure, justify="right", no_wrap=True)
        for row in found.rows:
            cells = [
                Text(written(cell) + mark(cell, test), style="bold" if row.name in best_rows(found, figure) else "")
                if (cell := row.cells.get(figure))
                else Text("-")
                for figure in figures
            ]
            table.add_row(Text(row_name(row)), *cells)
        screen.print(table)
        say()
    say(legend(found, test))
