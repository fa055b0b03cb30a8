"""A comparison as a table: for a terminal, for Markdown, for LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from empathic.experiments.comparison import Cell, Comparison, Row, Test
from empathic.experiments.figures import FIGURES

__all__ = ["Marked", "as_latex", "as_markdown", "best_rows", "legend", "mark", "row_name", "written"]

Marked = Literal["", "†", "‡"]
LATEX = {"†": r"$^{\dagger}$", "‡": r"$^{\ddagger}$"}
NOT_THERE = "-"
_SPECIAL = re.compile(r"([&%$#_{}])")


def mark(cell: Cell, test: Test) -> Marked:
    """Whether a difference is one that chance makes less often than five times, or once, in a hundred."""
    if cell.difference is None:
        return ""
    probable = float(getattr(cell.difference, test))
    return "‡" if probable < 0.01 else "†" if probable < 0.05 else ""


def written(cell: Cell) -> str:
    """A figure, with its standard deviation over seeds."""
    return f"{cell.value:.2f}" + ("" if cell.spread is None else f" ± {cell.spread:.2f}")


def row_name(row: Row) -> str:
    """The row's name, with how many runs it stands for."""
    return row.name if len(row.runs) == 1 else f"{row.name} (n = {len(row.runs)})"


def best_rows(comparison: Comparison, figure: str) -> set[str]:
    """The rows whose figure is best as it is printed, where one is better than another."""
    better = FIGURES[figure].better
    there = {row.name: round(row.cells[figure].value, 2) for row in comparison.rows if figure in row.cells}
    if better == "neither" or len(set(there.values())) < 2:
        return set()
    best = (max if better == "higher" else min)(there.values())
    return {name for name, value in there.items() if value == best}


def legend(comparison: Comparison, test: Test) -> str:
    """What the marks mean, in a sentence or two."""
    parts = [f"{comparison.count:,} items of {comparison.split}"]
    if comparison.decoding:
        parts[0] += f", replies by {comparison.decoding}"
    if any(len(row.runs) > 1 for row in comparison.rows):
        parts.append("± standard deviation over n seeds")
    if any(cell.difference for row in comparison.rows for cell in row.cells.values()):
        parts.append(f"† p < 0.05, ‡ p < 0.01 beside {comparison.against} (paired {test} test, two-sided)")
    return "; ".join(parts) + "."


def as_markdown(comparison: Comparison, test: Test) -> str:
    """A table in Markdown; the best of a column is bold."""
    lines = [["", *comparison.figures], ["---", *("---:" for _ in comparison.figures)]]
    for row in comparison.rows:
        cells = [_emphasised(comparison, row, figure, test, "**{}**") for figure in comparison.figures]
        lines.append([row_name(row).replace("|", r"\|"), *cells])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{table}\n\n{legend(comparison, test)}\n"


def as_latex(comparison: Comparison, test: Test) -> str:
    """A `tabular` with booktabs' rules; the best of a column is bold."""

    def line(cells: Sequence[str]) -> str:
        return "  " + " & ".join(cells) + r" \\"

    rows = []
    for row in comparison.rows:
        cells = [_emphasised(comparison, row, figure, test, r"\textbf{{{}}}") for figure in comparison.figures]
        rows.append(line([_escaped(row_name(row)), *map(_in_latex, cells)]))
    return "\n".join(
        [
            f"% {legend(comparison, test)}",
            r"\begin{tabular}{l" + "r" * len(comparison.figures) + "}",
            r"  \toprule",
            line(["", *map(_escaped, comparison.figures)]),
            r"  \midrule",
            *rows,
            r"  \bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _emphasised(comparison: Comparison, row: Row, figure: str, test: Test, best: str) -> str:
    cell = row.cells.get(figure)
    if cell is None:
        return NOT_THERE
    text = best.format(written(cell)) if row.name in best_rows(comparison, figure) else written(cell)
    return text + mark(cell, test)


def _in_latex(cell: str) -> str:
    for sign, command in LATEX.items():
        cell = cell.replace(sign, command)
    return cell.replace("±", r"$\pm$")


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text.replace("\\", "/")).replace("~", r"\~{}").replace("^", r"\^{}")
