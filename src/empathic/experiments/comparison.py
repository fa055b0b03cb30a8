"""Responders' runs beside each other on the same items: figures, seeds taken together, paired tests against one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from empathic.dialogue import Factors
from empathic.errors import DataError, UsageError
from empathic.experiments.evaluation import Material
from empathic.experiments.figures import chosen_figures
from empathic.experiments.outputs import Outputs
from empathic.experiments.run_scores import likelihood_scores, reply_scores
from empathic.metrics.replies import Measure, Tools
from empathic.metrics.significance import Score, compare

__all__ = ["Cell", "Comparison", "PairedTests", "Row", "Test", "compare_runs", "names_of", "shared_decoding"]

Test = Literal["t", "sign", "permutation"]
USUAL = "greedy"
"""The decoding that is meant where runs have several."""


class PairedTests(msgspec.Struct, frozen=True):
    """How a figure's items differ from those of the row that all are held against, and how probable that is by chance.

    Of perplexities, items are logarithms: `mean` is then a difference in nats.
    """

    mean: float
    low: float
    high: float
    t: float
    sign: float
    permutation: float


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A figure of a row: of one run with its interval, or the mean of several with their standard deviation."""

    value: float
    low: float | None = None
    high: float | None = None
    spread: float | None = None
    difference: PairedTests | None = None


class Row(msgspec.Struct, frozen=True):
    """A run, or those runs of one recipe that only their seeds tell apart."""

    name: str
    runs: tuple[str, ...]
    cells: dict[str, Cell]


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Rows and figures, and what the rows are held against."""

    split: str
    decoding: str | None
    count: int
    against: str
    figures: tuple[str, ...]
    rows: tuple[Row, ...]
    samples: int
    seed: int


class _Scored(NamedTuple):
    """A row before it is written down: what every run of it scored."""

    name: str
    runs: tuple[str, ...]
    scores: list[dict[str, Score]]


def shared_decoding(runs: Sequence[Outputs], split: str, asked: str | None = None) -> str | None:
    """The decoding by which all runs answered, as far as they did: the one asked for, greedy, or the only one."""
    there = {str(run.folder): names for run in runs if (names := run.decodings(split))}
    if not there and asked is None:
        return None
    if not there:
        raise UsageError(f"no run has replies of {split}", remedy=f"empathic generate RUN --split {split}")
    shared = set.intersection(*map(set, there.values()))
    if asked is not None or USUAL in shared:
        return asked or USUAL
    if len(shared) == 1:
        return shared.pop()
    if shared:
        raise UsageError(
            f"which replies are meant? the runs share {', '.join(sorted(shared))}", remedy="--replies NAME"
        )
    have = "; ".join(f"{name} has {', '.join(names)}" for name, names in there.items())
    raise UsageError(f"the runs share no decoding: {have}", remedy=f"empathic generate RUN --split {split}")


def compare_runs(
    materials: Sequence[Material],
    split: str,
    decoding: str | None,
    measures: Sequence[Measure],
    tools: Tools,
    *,
    against: int = 0,
    figures: Sequence[str] | None = None,
    found: Sequence[Sequence[Factors] | None] | None = None,
) -> Comparison:
    """Measures runs, and holds them against one of them.

    Args:
        materials: What there is of every run, its replies by the decoding alone.
        split: The split.
        decoding: Whose replies are meant.
        measures: Those that are taken of replies.
        tools: What they need, how often items are drawn for intervals and tests, and the seed.
        against: The run that the others are held against.
        figures: What is shown, in that order; by default all that there is.
        found: By run: what annotators read of its replies.
    """
    names = [str(each.run.folder) for each in materials]
    replies = [each.replies.get(decoding or "", []) for each in materials]
    orders = _orders(names, [[item.id for item in each.likelihood] for each in materials])
    reply_orders = _orders(names, [[item.id for item in said] for said in replies])
    scores: list[dict[str, Score]] = [{} for _ in materials]
    for number, (material, said) in enumerate(zip(materials, replies, strict=True)):
        if order := orders[number]:
            scores[number] |= likelihood_scores([material.likelihood[place] for place in order], tools)
        if order := reply_orders[number]:
            read = found[number] if found else None
            factors = None if read is None else [read[place] for place in order]
            scores[number] |= reply_scores([said[place] for place in order], measures, tools, factors)
    rows = _rows(materials, scores)
    base = next(row for row in rows if names[against] in row.runs)
    shown = chosen_figures(figures, {name for each in scores for name in each})
    return Comparison(
        split=split,
        decoding=decoding,
        count=max(map(len, (*orders, *reply_orders))),
        against=base.name,
        figures=tuple(shown),
        rows=tuple(Row(row.name, row.runs, _cells(row, base, shown, tools)) for row in rows),
        samples=tools.samples,
        seed=tools.seed,
    )


def names_of(folders: Sequence[Path]) -> list[str]:
    """What runs are called: their folders, with what is above where two have one name."""
    names = [folder.resolve().name for folder in folders]
    return [name if names.count(name) == 1 else str(folder) for name, folder in zip(names, folders, strict=True)]


def _orders(names: Sequence[str], ids: Sequence[Sequence[str]]) -> list[list[int]]:
    """Where in each run the items of the first stand; a run without any is passed over, one with others refused."""
    first = next((number for number, each in enumerate(ids) if each), 0)
    orders = []
    for name, each in zip(names, ids, strict=True):
        places = {item: place for place, item in enumerate(each)}
        missing = sum(item not in places for item in ids[first])
        more = len(places) - (len(ids[first]) - missing)
        if each and (missing or more):
            raise DataError(
                f"{name} was not measured on the items of {names[first]}: {missing:,} of those {len(ids[first]):,} are "
                f"missing, and {more:,} are others",
                remedy="compare runs that answered the same split of the same data",
            )
        orders.append([places[item] for item in ids[first]] if each else [])
    return orders


def _rows(materials: Sequence[Material], scores: Sequence[dict[str, Score]]) -> list[_Scored]:
    """Runs of one recipe together where their seeds differ; one that was run twice alike says nothing more."""
    alike: dict[bytes, list[int]] = {}
    for number, material in enumerate(materials):
        alike.setdefault(_but_for_its_seed(material.run.recipe), []).append(number)
    names = names_of([material.run.folder for material in materials])
    rows = []
    called = [str(materials[numbers[0]].run.result.get("recipe")) for numbers in alike.values()]
    for numbers in alike.values():
        seeds = {_seed(materials[number].run.recipe) for number in numbers}
        together = [numbers] if len(seeds) == len(numbers) else [[number] for number in numbers]
        for group in together:
            runs = [materials[number].run for number in group]
            recipe = str(runs[0].result.get("recipe"))
            # Runs of one recipe under other settings are told apart by their folders.
            several = len(group) > 1 and called.count(recipe) == 1 and recipe not in names
            name = recipe if several else names[group[0]]
            rows.append(_Scored(name, tuple(str(run.folder) for run in runs), [scores[number] for number in group]))
    return rows


def _but_for_its_seed(recipe: Mapping[str, Any]) -> bytes:
    training = {key: value for key, value in recipe.get("training", {}).items() if key != "seed"}
    return msgspec.json.encode({**recipe, "training": training}, order="sorted")


def _seed(recipe: Mapping[str, Any]) -> int:
    """The seed of a recipe; what says nothing of one has the default."""
    return int(recipe.get("training", {}).get("seed", 0))


def _cells(row: _Scored, base: _Scored, figures: Sequence[str], tools: Tools) -> dict[str, Cell]:
    cells = {}
    for name in figures:
        values = [scores[name].value for scores in row.scores if name in scores]
        if len(values) < len(row.scores):
            continue
        tested = _tested(row, base, name, tools) if row is not base and tools.samples else None
        if len(values) > 1:
            cells[name] = Cell(float(np.mean(values)), spread=float(np.std(values, ddof=1)), difference=tested)
        else:
            low, high = row.scores[0][name].interval or (None, None)
            cells[name] = Cell(values[0], low, high, difference=tested)
    return cells


def _tested(row: _Scored, base: _Scored, name: str, tools: Tools) -> PairedTests | None:
    """The paired tests over items that count in both; of several runs, an item's figure is the mean."""
    pair = []
    for side in (row, base):
        items = [scores[name].items for scores in side.scores if name in scores]
        told = [each for each in items if each is not None]
        if not told or len(told) < len(side.scores):
            return None
        pair.append(np.mean(told, axis=0))
    both = ~np.isnan(pair[0]) & ~np.isnan(pair[1])
    if not both.any():
        return None
    found = compare(pair[0][both], pair[1][both], samples=tools.samples, seed=tools.seed)
    return PairedTests(found.mean, *found.interval, found.t_test, found.sign_test, found.permutation_test)
