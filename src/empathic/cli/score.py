"""`empathic score`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from empathic.cli._terminal import console, note, say, status
from empathic.errors import DataError, UsageError

if TYPE_CHECKING:
    from empathic.metrics.replies import Measure, Replies, Score, Tools
    from empathic.metrics.significance import Difference

__all__ = ["score"]

SAID = ("reply", "response", "hypothesis", "hyp", "generated", "prediction", "text")
MEANT = ("reference", "ref", "target", "gold", "response", "text")
"""Where a line of JSON is looked for its text, unless --field or --ref-field says."""


def score(
    *,
    hyp: tuple[Path, ...] = (),
    ref: Path | None = None,
    metrics: str | None = None,
    field: str | None = None,
    ref_field: str | None = None,
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
    references = _read(ref, ref_field, MEANT)
    systems = {_name(path, hyp): Replies(_read(path, field, SAID), references) for path in hyp}
    for path, replies in zip(hyp, systems.values(), strict=True):
        if len(replies.hypotheses) != len(references):
            raise DataError(f"{path} holds {len(replies.hypotheses):,} replies, {ref} {len(references):,} references")
    with status("Measuring ..."):
        measures, tools = _tools(asked, systems, vectors, device)
        tools = tools._replace(samples=samples, seed=seed)
        scores = {
            name: {each.name: each.take(replies, tools) for each in measures} for name, replies in systems.items()
        }
    differences = _differences(scores, tools) if samples else {}
    if json:
        _print_json(len(references), scores, differences)
    else:
        _print(len(references), measures, scores, differences)
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


def _name(path: Path, among: Sequence[Path]) -> str:
    """What a system is called: its file, with the folder where others are called the same."""
    return path.stem if [each.stem for each in among].count(path.stem) == 1 else str(path)


def _tools(
    asked: list[Measure] | None, systems: dict[str, Replies], vectors: Path | None, device: str | None
) -> tuple[list[Measure], Tools]:
    """The measures that can be taken, and what they need."""
    from empathic.artifacts import find_base
    from empathic.compute import choose_device
    from empathic.errors import ArtifactError
    from empathic.metrics.replies import MEASURES, Tools, tokens
    from empathic.metrics.vectors import find_vectors, read_vectors
    from empathic.models.sentence_encoder import SentenceEncoder

    measures = list(MEASURES.values()) if asked is None else asked
    needed = {measure.needs for measure in measures}
    tools = Tools()
    file = vectors or (find_vectors() if "vectors" in needed else None)
    if file is not None and "vectors" in needed:
        texts = (text for replies in systems.values() for texts in replies for text in texts)
        tools = tools._replace(vectors=read_vectors(file, {word for text in texts for word in tokens(text)}))
    if "encoder" in needed:
        try:
            find_base("all-minilm-l6-v2", download=asked is not None)
            tools = tools._replace(encoder=SentenceEncoder(device=choose_device(device)))
        except ArtifactError:
            if asked is not None:
                raise
    if asked is None:
        for measure in measures:
            if measure.needs and getattr(tools, measure.needs) is None:
                note(f"{measure.name} is left out: it needs {measure.needs}, and there are none here")
        measures = [each for each in measures if not each.needs or getattr(tools, each.needs) is not None]
    return measures, tools


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


def _print(
    count: int,
    measures: Sequence[Measure],
    scores: dict[str, dict[str, Score]],
    differences: dict[str, dict[str, Difference]],
) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(f"{count:,} replies")
    for name in scores:
        table.add_column(name, justify="right")
    for measure in measures:
        table.add_row(measure.name, *(_written(found[measure.name]) for found in scores.values()))
    screen = console()
    screen.print(table)
    if not differences:
        return
    say(f"\nBeside {next(iter(scores))}: the difference, and how probable one as large is by chance")
    for name, found in differences.items():
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in (name, "difference", "t", "sign", "permutation"):
            table.add_column(column, justify="left" if column == name else "right")
        for figure, each in found.items():
            change = f"{each.mean:+.2f} ({each.interval.low:+.2f} to {each.interval.high:+.2f})"
            chances = (f"{chance:.4f}" for chance in (each.t_test, each.sign_test, each.permutation_test))
            table.add_row(figure, change, *chances)
        screen.print(table)


def _written(found: Score) -> str:
    interval = "" if found.interval is None else f" ({found.interval.low:.2f} to {found.interval.high:.2f})"
    return f"{found.value:.2f}{interval}"


def _print_json(count: int, scores: dict[str, dict[str, Score]], differences: dict[str, dict[str, Difference]]) -> None:
    import msgspec

    figures = {
        name: {measure: {"value": each.value, "interval": each.interval} for measure, each in found.items()}
        for name, found in scores.items()
    }
    tests = {name: {measure: each._asdict() for measure, each in found.items()} for name, found in differences.items()}
    whole = {"replies": count, "scores": figures} | ({"differences": tests} if tests else {})
    say(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode())
