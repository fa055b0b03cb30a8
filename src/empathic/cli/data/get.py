"""`empathic data get`."""

from __future__ import annotations

import sys
from pathlib import Path

from empathic.cli._terminal import note, say

__all__ = ["get"]


def get(
    corpus: str,
    /,
    *,
    to: Path | None = None,
    again: bool = False,
) -> int:
    """Download a corpus into the data folder; what broke off is taken up where it ended.

    Args:
        corpus: A corpus by name; `empathic data list` shows them.
        to: Another folder for its files.
        again: Fetch files anew that are here already.
    """
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    from empathic import corpora

    chosen = corpora.find(corpus)
    note(f"{chosen.title}: {chosen.licence}. {chosen.citation}")
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as shown:
        tasks = {}

        def advance(name: str, here: int, total: int | None) -> None:
            if name not in tasks:
                tasks[name] = shown.add_task(name, total=total)
            shown.update(tasks[name], completed=here, total=total)

        files = corpora.download(chosen, folder=to, advance=advance, again=again)
    for file in files:
        say(str(file))
    return 0
