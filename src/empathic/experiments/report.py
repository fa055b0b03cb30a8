"""A comparison as one page that holds all it needs: tables, curves, pictures, and what each run says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from empathic.dialogue import Factors
from empathic.experiments.comparison import Cell, Comparison, Test, names_of
from empathic.experiments.comparison_tables import best_rows, legend, mark, row_name, written
from empathic.experiments.evaluation import Material, Reader
from empathic.experiments.figures import FIGURES, KINDS
from empathic.experiments.outputs import SaidReply
from empathic.experiments.report_plots import NEGATIVE, POSITIVE, draw_curves, draw_emotions, draw_shares
from empathic.storage import whole_file

__all__ = ["Sample", "sampled", "shares", "write_report"]

TEMPLATE = "report.html.jinja"
PEOPLE = "people"
REST = "(all others)"
READ = {"act": "dialog act", "intent": "emotion or intent", "emotion": "emotion"}
"""What is counted of what annotators read of replies."""
RARE = 0.02
"""A label that is not as frequent anywhere goes with the rest."""


class Sample(NamedTuple):
    """An exchange, and what each run says in it."""

    emotion: str | None
    context: list[tuple[str, str]]
    reference: str
    replies: list[tuple[str, str]]


def write_report(
    path: Path,
    comparison: Comparison,
    materials: Sequence[Material],
    *,
    test: Test,
    samples_shown: int,
    read: Reader | None,
    made_with: Mapping[str, str],
) -> None:
    """Writes the page.

    Args:
        path: Where it goes.
        comparison: What was compared.
        materials: What it was made from, the replies by the decoding that was compared alone.
        test: The paired test that the marks tell of.
        samples_shown: How many exchanges are shown with what each run says.
        read: What reads factors off replies; what replies do is left out, without.
        made_with: Versions, and what was computed on.
    """
    names = names_of([each.run.folder for each in materials])
    said = {
        name: each.replies[comparison.decoding]
        for name, each in zip(names, materials, strict=True)
        if comparison.decoding in each.replies
    }
    vectors = {name: each.run.emotion_vectors() for name, each in zip(names, materials, strict=True)}
    there = {name: found for name, found in vectors.items() if found is not None}
    page = _environment().from_string(files(__package__).joinpath(TEMPLATE).read_text(encoding="utf-8"))
    text = page.render(
        comparison=comparison,
        tables=_tables(comparison, test),
        legend=legend(comparison, test),
        figures=[FIGURES[name] for name in comparison.figures],
        runs=[_about(name, material) for name, material in zip(names, materials, strict=True)],
        curves=Markup(draw_curves({name: each.run.log() for name, each in zip(names, materials, strict=True)})),
        emotions=Markup(draw_emotions(there)) if there else "",
        shares=[Markup(draw_shares(of, title)) for title, of in shares(said, read).items()] if read and said else [],
        samples=sampled(said, samples_shown, comparison.seed),
        made_with=made_with,
        positive=POSITIVE,
        negative=NEGATIVE,
    )
    with whole_file(path) as file:
        file.write(text.encode())


def sampled(said: Mapping[str, Sequence[SaidReply]], count: int, seed: int) -> list[Sample]:
    """Some exchanges, chosen by the seed alone, in the order in which they stand in the first run."""
    if not said:
        return []
    first = next(iter(said.values()))
    chosen = np.random.default_rng(seed).choice(len(first), min(count, len(first)), replace=False)
    by_id = {run: {each.id: each for each in replies} for run, replies in said.items()}
    return [
        Sample(
            each.emotion,
            [(turn.role, turn.text) for turn in each.context],
            each.reference,
            [(run, replies[each.id].reply) for run, replies in by_id.items()],
        )
        for each in (first[place] for place in sorted(chosen.tolist()))
    ]


def shares(said: Mapping[str, Sequence[SaidReply]], read: Reader) -> dict[str, dict[str, dict[str, float]]]:
    """How often each label was read of what people said, and of what runs say: by title, by who, by label.

    Labels come in the order in which people have them; what is rare with all of them is taken together.
    """
    references = [_as_said_by_a_person(each) for each in next(iter(said.values()))]
    found = {PEOPLE: read(references)} | {run: read(replies) for run, replies in said.items()}
    counted: dict[str, dict[str, dict[str, float]]] = {}
    for factor, title in READ.items():
        of_each = {who: _shares(factors, factor) for who, factors in found.items()}
        labels = {label for of in of_each.values() for label, share in of.items() if share >= RARE}
        people = of_each[PEOPLE]
        ordered = [label for _, label in sorted((-people.get(label, 0.0), label) for label in labels)]
        if ordered:
            rest = {who: sum(of[label] for label in of.keys() - labels) for who, of in of_each.items()}
            counted[title] = {
                who: {label: of.get(label, 0.0) for label in ordered}
                | ({REST: rest[who]} if any(rest.values()) else {})
                for who, of in of_each.items()
            }
    return counted


def _as_said_by_a_person(each: SaidReply) -> SaidReply:
    return SaidReply(id=each.id, context=each.context, reply=each.reference, reference=each.reference)


def _shares(found: Sequence[Factors], factor: str) -> dict[str, float]:
    times = Counter(label for each in found if (label := getattr(each, factor)) is not None)
    return {label: count / times.total() for label, count in times.items()}


def _environment() -> Environment:
    return Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def _tables(comparison: Comparison, test: Test) -> list[dict[str, Any]]:
    """A table for each kind of figures, with what its cells tell when they are pointed at."""
    tables = []
    for kind, heading in KINDS.items():
        figures = [name for name in comparison.figures if FIGURES[name].kind == kind]
        if not figures:
            continue
        best = {figure: best_rows(comparison, figure) for figure in figures}
        rows = [
            {
                "name": row_name(row),
                "cells": [
                    {
                        "figure": figure,
                        "text": written(cell),
                        "mark": mark(cell, test),
                        "best": row.name in best[figure],
                        "more": _more(cell),
                    }
                    if (cell := row.cells.get(figure))
                    else None
                    for figure in figures
                ],
            }
            for row in comparison.rows
        ]
        tables.append({"heading": heading, "figures": [FIGURES[name] for name in figures], "rows": rows})
    return tables


def _more(cell: Cell) -> str:
    """The interval, and the three tests."""
    parts = [] if cell.low is None else [f"95 %: {cell.low:.2f} to {cell.high:.2f}"]
    if cell.difference is not None:
        apart = cell.difference
        parts.append(f"difference {apart.mean:+.3f} ({apart.low:+.3f} to {apart.high:+.3f})")
        parts.append(f"p: t {apart.t:.4f}, sign {apart.sign:.4f}, permutation {apart.permutation:.4f}")
    return "; ".join(parts)


def _about(name: str, material: Material) -> dict[str, str]:
    """A run in a line: what it was trained by, and what that took."""
    result, recipe = material.run.result, material.run.recipe
    seconds, weights, step = (result.get(key) for key in ("seconds", "weights", "best step"))
    if isinstance(step, dict):  # of several stages, the last is that of the response
        step = list(step.values())[-1]
    return {
        "name": name,
        "recipe": str(result.get("recipe", "")),
        "seed": str(recipe.get("training", {}).get("seed", "")),
        "weights": f"{weights / 1e6:.2f} M" if isinstance(weights, int | float) else "",
        "best step": f"{step:,}" if isinstance(step, int) else "",
        "minutes": f"{seconds / 60:,.1f}" if isinstance(seconds, int | float) else "",
    }
