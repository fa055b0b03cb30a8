"""Runs compared: what `empathic compare` prints and `empathic report` draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from empathic.cli._measuring import Measuring, reader
from empathic.cli._terminal import status
from empathic.errors import UsageError

if TYPE_CHECKING:
    from empathic.dialogue import Factors
    from empathic.experiments.comparison import Comparison
    from empathic.experiments.evaluation import Material, Reader

__all__ = ["Compared", "compare_folders"]


@dataclass(frozen=True)
class Compared:
    """A comparison, and what it was made from."""

    comparison: Comparison
    materials: list[Material]
    """Of every run, its replies by the one decoding that was compared."""
    read: Reader | None
    """What reads factors off replies, where there are annotators and they were asked for."""


def compare_folders(
    runs: Sequence[Path],
    against: Path | None,
    replies: str | None,
    metrics: str | None,
    options: Measuring,
    *,
    reading: bool = False,
) -> Compared:
    """Measures runs and compares them.

    Args:
        runs: Their folders.
        against: The one that the others are tested against; the first by default.
        replies: The decoding that is meant.
        metrics: Which figures, parted by commas.
        options: How it is measured.
        reading: Whether annotators are wanted where nothing was planned, too.
    """
    from empathic.experiments.comparison import compare_runs, shared_decoding
    from empathic.experiments.evaluation import gather
    from empathic.experiments.figures import FIGURES, chosen_figures
    from empathic.experiments.outputs import Outputs
    from empathic.metrics.replies import MEASURES

    if not runs:
        raise UsageError("no run is named", remedy="name their folders, as runs/moel runs/mime")
    names = None if metrics is None else [name for each in metrics.split(",") if (name := each.strip())]
    chosen_figures(names, FIGURES)
    by_place = {run.resolve(): run for run in runs}
    if against is not None and against.resolve() not in by_place:
        by_place = {against.resolve(): against, **by_place}
    outputs = [Outputs(folder) for folder in by_place.values()]
    decoding = shared_decoding(outputs, options.split, replies)
    materials = [gather(run, options.split, decoding if run.decodings(options.split) else None) for run in outputs]
    planned = any(each.planned for each in materials) and (names is None or any(map(_is_realization, names)))
    annotator = options.annotator() if planned or reading else None
    read = reader(annotator) if annotator else None
    found: list[Sequence[Factors] | None] = [
        read(each.replies[decoding]) if read and each.planned and decoding else None for each in materials
    ]
    measures, tools = options.tools(materials, names and [name for name in names if name in MEASURES])
    with status("Measuring ..."):
        comparison = compare_runs(
            materials,
            options.split,
            decoding,
            measures,
            tools,
            against=list(by_place).index(against.resolve()) if against else 0,
            figures=names,
            found=found,
        )
    return Compared(comparison, materials, read)


def _is_realization(name: str) -> bool:
    from empathic.metrics.realization import REALIZATIONS

    return name in REALIZATIONS
