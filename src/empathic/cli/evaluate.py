"""`empathic evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from empathic.cli._measuring import Measuring, reader
from empathic.cli._terminal import console, note, say, status

if TYPE_CHECKING:
    from empathic.experiments.evaluation import Measured, Measures

__all__ = ["evaluate"]


def evaluate(
    *runs: Path,
    replies: str | None = None,
    by: Literal["polarity"] | None = None,
    measuring: Measuring | None = None,
    json: bool = False,
) -> int:
    """Measure what responders' runs left of a split: perplexities, emotions, intents, replies, and whether plans held.

    What is measured goes to measures/ in each run's folder as well, with its definitions, the seed and the versions.

    Args:
        runs: Folders of runs, as empathic train makes them.
        replies: Only the replies of this decoding, such as greedy or beam-5; all by default.
        by: With polarity, positive and negative emotions of the speaker are measured by themselves as well.
        json: Print the figures as JSON.
    """
    import msgspec

    from empathic.compute import choose_device
    from empathic.errors import UsageError
    from empathic.experiments.evaluation import evaluate as measure
    from empathic.experiments.evaluation import gather, write_measures
    from empathic.experiments.outputs import Outputs
    from empathic.experiments.runs import versions

    if not runs:
        raise UsageError("no run is named", remedy="empathic evaluate runs/mime")
    options = measuring or Measuring()
    materials = [gather(Outputs(run), options.split, replies) for run in runs]
    annotator = options.annotator() if any(each.planned for each in materials) else None
    measures, tools = options.tools(materials)
    found = []
    for material in materials:
        with status(f"Measuring {material.run.folder} ..."):
            measured = measure(
                material,
                options.split,
                measures,
                tools,
                polarity=by == "polarity",
                read=reader(annotator) if annotator else None,
                annotators=annotator.models if annotator else None,
                made_with=versions(str(choose_device(options.device))),
            )
        note(f"written to {write_measures(material, measured)}")
        found.append(measured)
    if json:
        say(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        for each in found:
            _print(each)
    return 0


def _print(measures: Measures) -> None:
    say(f"{measures.run}, {measures.split}\n")
    if measures.likelihood:
        _print_table("people's responses", measures.likelihood)
    for decoding, groups in measures.replies.items():
        _print_table(f"replies, {decoding}", groups)


def _print_table(heading: str, groups: dict[str, Measured]) -> None:
    from rich.table import Table
    from rich.text import Text

    from empathic.experiments.figures import AT_RANDOM

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(Text(heading))
    for name, measured in groups.items():
        table.add_column(f"{name} ({measured.count:,})", justify="right")
    for figure in next(iter(groups.values())).figures:
        style = "dim" if figure.endswith(AT_RANDOM) else None
        table.add_row(figure, *(_written(measured, figure) for measured in groups.values()), style=style)
    console().print(table)
    say()


def _written(measured: Measured, figure: str) -> str:
    found = measured.figures.get(figure)
    if found is None:
        return "-"
    return f"{found.value:.2f}" + ("" if found.low is None else f" ({found.low:.2f} to {found.high:.2f})")
