"""`empathic report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from empathic.cli._compared import compare_folders
from empathic.cli._measuring import Measuring
from empathic.cli._terminal import note, status

__all__ = ["report"]


def report(
    *runs: Path,
    to: Path,
    against: Path | None = None,
    replies: str | None = None,
    metrics: str | None = None,
    test: Literal["permutation", "sign", "t"] = "permutation",
    samples_shown: Annotated[int, Parameter(validator=Number(gte=0))] = 12,
    measuring: Measuring | None = None,
) -> int:
    """Write one page about responders' runs: figures, curves, emotions, what replies do, and samples beside each other.

    The page is one HTML file that asks for nothing from elsewhere. It needs the extra report, and what replies do needs
    trained annotators.

    Args:
        runs: Folders of runs, as empathic train makes them.
        to: The HTML file.
        against: The run that the others are tested against; the first by default.
        replies: The decoding whose replies are compared; greedy by default, or the only one that the runs share.
        metrics: Which figures, parted by commas; all by default.
        test: The paired test that the marks tell of.
        samples_shown: How many exchanges are shown with what each run says.
    """
    from empathic.compute import choose_device
    from empathic.errors import require
    from empathic.experiments.report import write_report
    from empathic.experiments.runs import versions

    require("matplotlib", extra="report", purpose="a report")
    options = measuring or Measuring()
    compared = compare_folders(runs, against, replies, metrics, options, reading=True)
    with status("Drawing ..."):
        write_report(
            to,
            compared.comparison,
            compared.materials,
            test=test,
            samples_shown=samples_shown,
            read=compared.read,
            made_with=versions(str(choose_device(options.device))),
        )
    note(f"written to {to}")
    return 0
