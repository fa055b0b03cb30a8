"""`empathic analyze`: what annotated conversations show when they are counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number

from empathic.cli._read_by import ReadBy
from empathic.cli._terminal import console, note, progress, say, status
from empathic.cli._which import Which, read

if TYPE_CHECKING:
    from empathic.dialogue import Dialogue
    from empathic.experiments.factor_analysis import FactorAnalysis, Selection

__all__ = ["app"]

app = App(name="analyze", help="See how what was perceived hangs together.", help_format="markdown")

NOT_COUNTED = ("causes", "fine_emotions")
"""Factors without a single label, which nothing is counted of."""
TERMINAL_PAIRS = (("mechanisms", "act"), ("mechanisms", "emotion"), ("act", "emotion"))


@app.command
def factors(
    corpus: str = "sample",
    /,
    *,
    to: Path | None = None,
    given: bool = False,
    by: str | None = None,
    samples: Annotated[int, Parameter(validator=Number(gte=0))] = 1000,
    seed: int = 0,
    read_by: ReadBy | None = None,
    which: Which | None = None,
    json: bool = False,
) -> int:
    """Count how the factors of empathy go together in a corpus: mechanisms, acts, emotions, what the speaker feels.

    Annotates the listener's responses, and counts every factor and every pair of factors, for all responses and for
    those that show a mechanism, domain by domain. What has been annotated is kept in the cache, so that a second time,
    or after an interruption, only what is missing is read.

    Args:
        corpus: A corpus by name, or a JSONL, CSV, TSV or Parquet file of your own.
        to: A folder for tables (CSV, JSON), pictures (SVG, PNG) and a page.
        given: Count the factors that stand in the corpus, as empathic annotate writes them, and read none.
        by: What tells the domains apart: polarity, split, emotion, corpus, or a label of the dialogues. By default the
            label "domain", and else whether what the speaker feels is positive or negative.
        samples: How often conversations are drawn anew for the intervals.
        seed: What is drawn follows from it.
        json: Print the analysis as JSON.
    """
    import msgspec

    from empathic.experiments.factor_analysis import analyse, domain_of, observe

    options = which or Which()
    annotators: dict[str, str] = {}
    if given:
        dialogues: Iterable[Dialogue] = _dialogues(corpus, options)
    else:
        dialogues, annotators = _annotated(corpus, options, read_by or ReadBy())
    observed = observe(dialogues, domain_of(by))
    with progress() as shown:
        task = shown.add_task("Counting pairs", total=None)
        found = analyse(
            observed,
            corpus=_name(corpus, options),
            by=by,
            annotators=annotators,
            samples=samples,
            seed=seed,
            told=lambda done, all_of_them: shown.update(task, completed=done, total=all_of_them),
        )
    if to is not None:
        from empathic.experiments.factor_report import report

        with status("Drawing ..."):
            written = report(found, to, f"empathic analyze factors {corpus}")
        note(f"{len(written)} files in {to}")
    if json:
        say(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    elif to is None:
        _print(found)
    return 0


def _annotated(corpus: str, which: Which, read_by: ReadBy) -> tuple[Iterator[Dialogue], dict[str, str]]:
    """The conversations with their factors, and what each factor is read by."""
    from empathic.annotators.kept import annotate_once

    annotator = read_by.annotator(without=NOT_COUNTED)

    def conversations() -> Iterator[Dialogue]:
        with progress() as shown:
            task = shown.add_task(f"Annotating {corpus}", total=None)
            yield from annotate_once(
                annotator, lambda: _dialogues(corpus, which), told=lambda done: shown.update(task, advance=done)
            )

    return conversations(), annotator.models


def _dialogues(corpus: str, which: Which) -> Iterator[Dialogue]:
    from empathic.dialogue import Dialogue
    from empathic.errors import UsageError

    for record in read(corpus, which):
        if not isinstance(record, Dialogue):
            raise UsageError(f"{corpus} holds inferences, and no conversations")
        yield record


def _name(corpus: str, which: Which) -> str:
    return " ".join(filter(None, (corpus, which.part, which.split)))


def _print(found: FactorAnalysis) -> None:
    from empathic.experiments.factor_analysis import WITH_A_MECHANISM

    say(f"{found.corpus}: {found.dialogues:,} conversations, {found.responses:,} responses of a listener")
    if found.left_out:
        say(f"{found.left_out:,} more have no factors")
    for factor in ("mechanisms", "act", "emotion"):
        if factor in found.labels:
            say()
            _print_shares(found, factor)
    whole = found.selection()
    filtered = [each for each in found.selections if each.responses == WITH_A_MECHANISM and each.domain == whole.domain]
    for x, y in TERMINAL_PAIRS:
        if x in found.labels and y in found.labels:
            say()
            _print_pair(found, whole, x, y)
    say()
    _print_information([whole, *filtered])


def _print_shares(found: FactorAnalysis, factor: str) -> None:
    from rich.table import Table

    shown = [found.selection(), *(found.selection(domain=domain) for domain in found.domains)]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(factor)
    for each in shown:
        table.add_column(each.domain, justify="right")
    for label in found.labels[factor]:
        table.add_row(label.replace("_", " "), *(f"{each.share(factor, label):.1%}" for each in shown))
    console().print(table)


def _print_pair(found: FactorAnalysis, selection: Selection, x: str, y: str) -> None:
    from rich.table import Table

    from empathic.experiments.factor_report import likeliest

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(x)
    table.add_column(f"{y} that goes with it most often")
    for label, said in likeliest(found, selection, x, y):
        table.add_row(label.replace("_", " "), said)
    console().print(table)


def _print_information(selections: list[Selection]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("mutual information, bits")
    for each in selections:
        table.add_column(f"{each.responses} ({each.count:,})", justify="right")
    for mets in zip(*(each.meetings for each in selections), strict=True):
        cells = (f"{met.bits:.3f} ({met.low:.3f} to {met.high:.3f})" for met in mets)
        table.add_row(f"{mets[0].x}, {mets[0].y}", *cells)
    console().print(table)
