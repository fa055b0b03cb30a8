"""An analysis of factors written down: JSON and CSV for machines, pictures and a page for people."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from empathic.experiments.factor_analysis import (
    ALL,
    NO_MECHANISM,
    WITH_A_MECHANISM,
    FactorAnalysis,
    Meeting,
    Selection,
)
from empathic.experiments.factor_plots import BARS, HEAT_MAPS, draw_bars, draw_heat_maps
from empathic.storage import whole_file

__all__ = ["likeliest", "report"]

ANALYSIS, DISTRIBUTIONS, PAIRS, INFORMATION, PAGE = (
    "factors.json",
    "distributions.csv",
    "pairs.csv",
    "information.csv",
    "factors.md",
)
LIKELIEST = 3


def report(analysis: FactorAnalysis, folder: Path, command: str) -> list[Path]:
    """Writes all files of an analysis.

    Args:
        analysis: What was counted.
        folder: Where the files go.
        command: What made the analysis, for the page.
    """
    written = [folder / ANALYSIS]
    with whole_file(written[0]) as file:
        file.write(msgspec.json.encode(analysis) + b"\n")
    tables = {DISTRIBUTIONS: _distributions(analysis), PAIRS: _pairs(analysis), INFORMATION: _information(analysis)}
    written += [_write_table(folder / name, rows) for name, rows in tables.items()]
    pictures = []
    for responses in dict.fromkeys(each.responses for each in analysis.selections):
        pictures += draw_bars(analysis, responses, folder)
    for selection in analysis.selections:
        for name in HEAT_MAPS:
            pictures += draw_heat_maps(analysis, selection, name, folder)
    with whole_file(folder / PAGE) as file:
        file.write(_page(analysis, [each for each in pictures if each.suffix == ".svg"], command).encode())
    return [*written, *pictures, folder / PAGE]


def likeliest(analysis: FactorAnalysis, selection: Selection, x: str, y: str) -> Iterator[tuple[str, str]]:
    """For every label of x that was given: the labels of y that it goes with most often, with their shares."""
    met = _meeting(selection, x, y)
    for label, row, of in zip(analysis.labels[x], met.counts, selection.counts[x], strict=True):
        if of:
            best = sorted(zip(row, analysis.labels[y], strict=True), key=lambda each: -each[0])[:LIKELIEST]
            yield label, ", ".join(f"{other} {count / of:.0%}" for count, other in best if count)


def _meeting(selection: Selection, x: str, y: str) -> Meeting:
    return next(each for each in selection.meetings if (each.x, each.y) == (x, y))


def _distributions(analysis: FactorAnalysis) -> Iterator[tuple[object, ...]]:
    yield "responses", "domain", "factor", "label", "count", "share"
    for each in analysis.selections:
        for factor, counts in each.counts.items():
            for label, count in zip(analysis.labels[factor], counts, strict=True):
                yield each.responses, each.domain, factor, label, count, _share(count, each.count)


def _pairs(analysis: FactorAnalysis) -> Iterator[tuple[object, ...]]:
    """Every two labels that meet; the joint share is of all meetings of the two factors."""
    yield "responses", "domain", "x", "y", "x label", "y label", "count", "joint", "y given x", "x given y"
    for each in analysis.selections:
        for met in each.meetings:
            total = sum(map(sum, met.counts))
            for x, of_x, row in zip(analysis.labels[met.x], each.counts[met.x], met.counts, strict=True):
                for y, of_y, count in zip(analysis.labels[met.y], each.counts[met.y], row, strict=True):
                    if count:
                        shares = (_share(count, of) for of in (total, of_x, of_y))
                        yield each.responses, each.domain, met.x, met.y, x, y, count, *shares


def _information(analysis: FactorAnalysis) -> Iterator[tuple[object, ...]]:
    yield "responses", "domain", "x", "y", "bits", "low", "high", "share of x", "share of y"
    for each in analysis.selections:
        for met in each.meetings:
            figures = (met.bits, met.low, met.high, met.share_of_x, met.share_of_y)
            yield each.responses, each.domain, met.x, met.y, *figures


def _share(count: int, of: int) -> float:
    return round(count / max(1, of), 4)


def _write_table(path: Path, rows: Iterable[tuple[object, ...]]) -> Path:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    with whole_file(path) as file:
        file.write(text.getvalue().encode())
    return path


def _page(analysis: FactorAnalysis, pictures: Iterable[Path], command: str) -> str:
    names = [each.name for each in pictures]
    read_by = ", ".join(analysis.annotators.values())
    by = f" Domains: {analysis.domains_by}." if analysis.domains else ""
    parts = [
        f"# The factors of {analysis.corpus}",
        f"Written by `{command}`. {analysis.dialogues:,} conversations, {analysis.responses:,} responses of a listener"
        + (f" ({analysis.left_out:,} more of which nothing is known)" if analysis.left_out else "")
        + f". {f'Read by annotators: {read_by}.' if read_by else 'The factors stood in the corpus.'}{by}"
        f" Intervals: 95 %, conversations drawn anew {analysis.samples:,} times, seed {analysis.seed}.",
    ]
    for responses in dict.fromkeys(each.responses for each in analysis.selections):
        parts += _section(analysis, responses, names)
    return "\n\n".join(parts) + "\n"


def _section(analysis: FactorAnalysis, responses: str, pictures: list[str]) -> Iterator[str]:
    whole = analysis.selection(responses)
    shown = [whole, *(analysis.selection(responses, domain) for domain in analysis.domains)]
    yield "## All responses" if responses == ALL else f"## Responses {responses}"
    if responses == WITH_A_MECHANISM:
        none = analysis.selection().share("mechanisms", NO_MECHANISM)
        yield f"Without the {none:.1%} of responses that show no mechanism, as CoMAE filters its corpus."
    for name in BARS:
        if name in analysis.labels:
            rows = [
                [label.replace("_", " "), *(f"{each.share(name, label):.1%}" for each in shown)]
                for label in analysis.labels[name]
            ]
            yield _table([name, *(f"{each.domain} ({each.count:,})" for each in shown)], rows)
    yield "What one factor says about another, in bits, and as a share of all there is to know about the second:"
    rows = [
        [f"{met.x}, {met.y}", f"{met.bits:.3f} ({met.low:.3f} to {met.high:.3f})", f"{met.share_of_y:.1%}"]
        for met in whole.meetings
    ]
    yield _table(["pair", "mutual information", "share"], rows)
    for x, y, _ in HEAT_MAPS["factors"]:
        if x in analysis.labels and y in analysis.labels:
            likely = [[label.replace("_", " "), said] for label, said in likeliest(analysis, whole, x, y)]
            yield _table([x, f"{y} that goes with it most often"], likely)
    ending = "" if responses == ALL else f"-{responses.replace(' ', '-')}"
    for name in ("distributions", *HEAT_MAPS):
        if f"{name}{ending}.svg" in pictures:
            yield f"![{name}]({name}{ending}.svg)"


def _table(heading: list[str], rows: list[list[str]]) -> str:
    lines = [heading, ["---", *("---:" for _ in heading[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
