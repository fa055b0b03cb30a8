"""A responder's run, measured: by what it made of people's responses, and by its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from empathic.dialogue import Factors
from empathic.errors import UsageError, nearest
from empathic.experiments.figures import FIGURES
from empathic.experiments.outputs import Likelihood, Outputs, SaidReply
from empathic.experiments.run_scores import likelihood_scores, reply_scores
from empathic.metrics.grouping import by_polarity
from empathic.metrics.replies import Measure, Tools
from empathic.metrics.significance import Score
from empathic.storage import whole_file

__all__ = ["ALL", "Figured", "Material", "Measured", "Measures", "Reader", "evaluate", "gather", "write_measures"]

ALL = "all"
MEASURES = "measures"

Reader = Callable[[Sequence[SaidReply]], list[Factors]]
"""What reads factors off replies."""


class Figured(msgspec.Struct, frozen=True, omit_defaults=True):
    """A figure with its 95 % interval, where it has one."""

    value: float
    low: float | None = None
    high: float | None = None


class Measured(msgspec.Struct, frozen=True):
    """The figures of a set of items."""

    count: int
    figures: dict[str, Figured]


class Measures(msgspec.Struct, frozen=True, kw_only=True):
    """All that was measured of a run on a split, each time by group of items, of which `all` is the first."""

    run: str
    split: str
    likelihood: dict[str, Measured]
    replies: dict[str, dict[str, Measured]]
    """By decoding, and then by group."""
    definitions: dict[str, str]
    samples: int
    seed: int
    annotators: dict[str, str]
    """What plans were held against, by reading."""
    made_with: dict[str, str] = msgspec.field(name="made with")


class Material(NamedTuple):
    """What of a run there is to measure on a split."""

    run: Outputs
    likelihood: list[Likelihood]
    replies: dict[str, list[SaidReply]]
    """By decoding."""

    def texts(self) -> list[str]:
        """All that was said, by the run and by people."""
        return [text for said in self.replies.values() for each in said for text in (each.reply, each.reference)]

    @property
    def planned(self) -> bool:
        """Whether any reply was."""
        return any(each.plan is not None for said in self.replies.values() for each in said)


def gather(run: Outputs, split: str, decoding: str | None = None) -> Material:
    """Reads what a run left of a split; nothing at all is an error.

    Args:
        run: The run.
        split: The split.
        decoding: Whose replies; all by default.
    """
    there = run.decodings(split)
    remedy = f"empathic generate {run.folder} --split {split}"
    if decoding is not None and decoding not in there:
        others = nearest(decoding, there) if there else "there are none at all"
        raise UsageError(f"{run.folder} has no replies {decoding!r} of {split}; {others}", remedy=remedy)
    likelihood = run.likelihood(split)
    if not likelihood and not there:
        raise UsageError(f"{run.folder} has nothing of {split} that could be measured", remedy=remedy)
    return Material(run, likelihood, {name: run.replies(name, split) for name in there if decoding in (None, name)})


def evaluate(
    material: Material,
    split: str,
    measures: Sequence[Measure],
    tools: Tools,
    *,
    polarity: bool = False,
    read: Reader | None = None,
    annotators: Mapping[str, str] | None = None,
    made_with: Mapping[str, str] | None = None,
) -> Measures:
    """Measures all that there is.

    Args:
        material: What is measured.
        split: What it is of.
        measures: Those that are taken of replies.
        tools: What they need, how often items are drawn for the intervals, and the seed.
        polarity: Whether all is measured on positive and on negative emotions of the speaker as well.
        read: What reads factors off replies, for plans to be held against; nothing is, without.
        annotators: What that is, by reading.
        made_with: Versions, and what was computed on.
    """

    def groups(items: Sequence[Likelihood] | Sequence[SaidReply]) -> dict[str, list[int]]:
        apart = by_polarity([item.emotion for item in items]) if polarity else {}
        return {ALL: list(range(len(items))), **apart} if items else {}

    likelihood = {
        group: _measured(len(rows), likelihood_scores([material.likelihood[row] for row in rows], tools))
        for group, rows in groups(material.likelihood).items()
    }
    replies: dict[str, dict[str, Measured]] = {}
    for decoding, said in material.replies.items():
        found = read(said) if read and any(each.plan for each in said) else None
        replies[decoding] = {}
        for group, rows in groups(said).items():
            factors = None if found is None else [found[row] for row in rows]
            scores = reply_scores([said[row] for row in rows], measures, tools, factors)
            replies[decoding][group] = _measured(len(rows), scores)
    taken = {name for groups in (likelihood, *replies.values()) for each in groups.values() for name in each.figures}
    return Measures(
        run=str(material.run.folder),
        split=split,
        likelihood=likelihood,
        replies=replies,
        definitions={name: figure.about for name, figure in FIGURES.items() if name in taken},
        samples=tools.samples,
        seed=tools.seed,
        annotators=dict(annotators or {}),
        made_with=dict(made_with or {}),
    )


def write_measures(material: Material, measures: Measures) -> Path:
    """Writes `measures/<split>.json` in the run's folder."""
    path = material.run.folder / MEASURES / f"{measures.split}.json"
    with whole_file(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(measures), indent=2) + b"\n")
    return path


def _measured(count: int, scores: Mapping[str, Score]) -> Measured:
    """The figures alone, in the order in which all figures are shown."""
    ordered = (name for name in FIGURES if name in scores)
    return Measured(count, {name: Figured(scores[name].value, *(scores[name].interval or ())) for name in ordered})
