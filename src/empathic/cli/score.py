"""`empathic score`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from empathic.cli._measuring import find_tools
from empathic.cli._terminal import console, say, status
from empathic.errors import DataError, UsageError

if TYPE_CHECKING:
    from empathic.metrics.replies import Measure, Replies, Tools
    from empathic.metrics.significance import Difference, Score

__all__ = ["score"]

SAID = ("reply", "response", "hypothesis", "hyp", "generated", "prediction", "text")
ALL = "all"
MEANT = ("reference", "ref", "target", "gold", "response", "text")
"""Where a line of JSON is looked for its text, unless --field or --ref-field says."""


@dataclass(frozen=True)
class Measured:
    """What was measured on a group of lines, by system."""

    count: int
    scores: dict[str, dict[str, Score]]
    differences: dict[str, dict[str, Difference]]


def score(
    *,
    hyp: tuple[Path, ...] = (),
    ref: Path | None = None,
    metrics: str | None = None,
    field: str | None = None,
    ref_field: str | None = None,
    by: Literal["polarity"] | None = None,
    vectors: Path | None = None,
    device: str | None = None,
    samples: Annotated[int, Parameter(validator=Number(gte=0))] = 1000,
    seed: int = 0,
    json: bool = False,
) -> int:
    """Measure replies beside what people said in their place; without files, list the measures with their definitions.

    Files are text, a reply a line, or JSONL. Of several systems, each is compared with the first by paired tests: t,
    sign and permutation.

    Args:
        hyp: A system's replies; may be given several times.
        ref: What people said, in the same order.
        metrics: Which measures, parted by commas; all that can be taken by default.
        field: In JSONL: the key of the reply; by default reply, response, hypothesis, generated, prediction or text.
        ref_field: In JSONL: the key of the reference; by default reference, target, gold, response or text.
        by: With polarity, replies to positive and to negative emotions are measured by themselves as well; the
            references are then JSONL with one of the 32 emotions under "emotion".
        vectors: Word vectors for greedy matching, in GloVe's text layout; by default those among the data.
        device: What to compute embeddings on; a GPU where there is one by default.
        samples: How often replies are drawn anew for intervals and tests; 0 for none.
        seed: What is drawn follows from it.
        json: Print the figures as JSON.
    """
    from empathic.metrics.replies import MEASURES, Replies, chosen_measures

    if not hyp and ref is None:
        for measure in MEASURES.values():
            say(f"{measure.name:<12} {measure.about}")
        return 0
    if not hyp or ref is None:
        raise UsageError("both are needed: a system's replies by --hyp, and what people said by --ref")
    asked = None if metrics is None else chosen_measures([each.strip() for each in metrics.split(",") if each.strip()])
    if twice := next((path for path in hyp if hyp.count(path) > 1), None):
        raise UsageError(f"{twice} is named twice: a system beside itself has nothing to tell")
    if asked == []:
        raise UsageError("--metrics names none", remedy="empathic score lists them")
    references = _read(ref, ref_field, MEANT)
    groups = {ALL: list(range(len(references)))} | (_polarities(ref) if by else {})
    systems = {_name(path, hyp): Replies(_read(path, field, SAID), references) for path in hyp}
    for path, replies in zip(hyp, systems.values(), strict=True):
        if len(replies.hypotheses) != len(references):
            raise DataError(f"{path} holds {len(replies.hypotheses):,} replies, {ref} {len(references):,} references")
    with status("Measuring ..."):
        texts = {text for replies in systems.values() for texts in replies for text in texts}
        measures, tools = find_tools(asked, texts, vectors, device)
        tools = tools._replace(samples=samples, seed=seed)
        measured = {group: _measured(systems, rows, measures, tools) for group, rows in groups.items()}
    if json:
        _print_json(measured)
    else:
        for group, found in measured.items():
            _print(f"{found.count:,} replies" if group == ALL else f"{found.count:,} to {group} emotions", found)
    return 0


def _read(path: Path, field: str | None, usual: Sequence[str]) -> list[str]:
    """The texts of a file; what is wrong with one ends it, since what follows would stand beside another."""
    from empathic.corpora import Source, form_of
    from empathic.corpora.own import JSON_LINES

    source = Source(path)
    if form_of(path) not in JSON_LINES:
        texts = [line for _, line in source.lines()]
    else:
        texts = []
        for number, row in source.json_lines(dict[str, Any]):
            key = field or next((name for name in usual if name in row), None)
            if key is None or not isinstance(row.get(key), str):
                there = ", ".join(row) or "none"
                raise DataError(
                    f"{path}:{number}: no text under {key or ' or '.join(usual)}; the keys are: {there[:200]}"
                )
            texts.append(row[key])
    if not texts:
        raise DataError(f"{path}: holds nothing to measure")
    return texts


def _polarities(path: Path) -> dict[str, list[int]]:
    """The lines of a file whose speaker feels something positive, and those with something negative."""
    from empathic.corpora import Source, form_of
    from empathic.corpora.own import JSON_LINES
    from empathic.metrics.grouping import by_polarity

    told = form_of(path) in JSON_LINES
    rows = [row for _, row in Source(path).json_lines(dict[str, Any])] if told else []
    groups = by_polarity([said if isinstance(said := row.get("emotion"), str) else None for row in rows])
    if not groups:
        raise UsageError(
            f"{path} does not tell what the speaker feels", remedy='JSONL with one of the 32 emotions under "emotion"'
        )
    return groups


def _name(path: Path, among: Sequence[Path]) -> str:
    """What a system is called: its file, with the folder where others are called the same."""
    return path.stem if [each.stem for each in among].count(path.stem) == 1 else str(path)


def _measured(systems: dict[str, Replies], rows: Sequence[int], measures: Sequence[Measure], tools: Tools) -> Measured:
    """The figures of some lines of every system, and how the others differ from the first."""
    from empathic.metrics.replies import Replies

    scores = {}
    for name, whole in systems.items():
        replies = Replies(*([texts[row] for row in rows] for texts in whole))
        scores[name] = {each.name: each.take(replies, tools) for each in measures}
    return Measured(len(rows), scores, _differences(scores, tools) if tools.samples else {})


def _differences(scores: dict[str, dict[str, Score]], tools: Tools) -> dict[str, dict[str, Difference]]:
    """By system and measure: how it differs from the first system."""
    from empathic.metrics.significance import compare

    first, *others = scores
    return {
        name: {
            measure: compare(found.items, base.items, samples=tools.samples, seed=tools.seed)
            for measure, found in scores[name].items()
            if found.items is not None and (base := scores[first][measure]).items is not None
        }
        for name in others
    }


def _print(heading: str, measured: Measured) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(heading)
    for name in measured.scores:
        table.add_column(name, justify="right")
    for measure in next(iter(measured.scores.values())):
        table.add_row(measure, *(_written(found[measure]) for found in measured.scores.values()))
    screen = console()
    screen.print(table)
    say()
    if not measured.differences:
        return
    say(f"Beside {next(iter(measured.scores))}: the difference, and how probable one as large is by chance")
    for name, found in measured.differences.items():
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in (name, "difference", "t", "sign", "permutation"):
            table.add_column(column, justify="left" if column == name else "right")
        for figure, each in found.items():
            change = f"{each.mean:+.2f} ({each.interval.low:+.2f} to {each.interval.high:+.2f})"
            chances = (f"{chance:.4f}" for chance in (each.t_test, each.sign_test, each.permutation_test))
            table.add_row(figure, change, *chances)
        screen.print(table)
        say()


def _written(found: Score) -> str:
    interval = "" if found.interval is None else f" ({found.interval.low:.2f} to {found.interval.high:.2f})"
    return f"{found.value:.2f}{interval}"


def _print_json(measured: dict[str, Measured]) -> None:
    import msgspec

    whole = _plain(measured[ALL])
    if apart := {group: _plain(found) for group, found in measured.items() if group != ALL}:
        whole["by"] = apart
    say(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode())


def _plain(measured: Measured) -> dict[str, Any]:
    figures = {
        name: {measure: {"value": each.value, "interval": each.interval} for measure, each in found.items()}
        for name, found in measured.scores.items()
    }
    tests = {
        name: {measure: each._asdict() for measure, each in found.items()}
        for name, found in measured.differences.items()
    }
    return {"replies": measured.count, "scores": figures} | ({"differences": tests} if tests else {})
