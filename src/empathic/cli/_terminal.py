"""How the program speaks: results on standard output, notes on standard error, colour on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

__all__ = ["console", "note", "progress", "say", "signals_for_this_thread_alone", "status", "visible"]

CONTROLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"}
CONTROLS |= dict.fromkeys((0x7F, *range(0x80, 0xA0)), 0xFFFD)


def visible(text: str) -> str:
    """Text that others wrote, with the characters that would steer a terminal shown instead of obeyed."""
    return text.translate(CONTROLS)


def say(text: str = "", *, end: str = "\n", flush: bool = False) -> None:
    """A result, as it is."""
    print(text, end=end, flush=flush)


def note(text: str) -> None:
    """Something beside the result."""
    print(text, file=sys.stderr)


def console() -> Console:
    """For tables and colour; plain, and as wide as it needs, where nobody looks at a terminal."""
    from rich.console import Console

    class Pipeable(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    terminal = sys.stdout.isatty()
    return Pipeable(highlight=False, width=None if terminal else 160, soft_wrap=not terminal)


@contextmanager
def status(text: str) -> Iterator[None]:
    """Says on a terminal what is going on, for as long as it goes on."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield


@contextmanager
def signals_for_this_thread_alone() -> Iterator[None]:
    """Threads that are begun inside take no Ctrl-C: one that another thread took would not wake the prompt."""
    import signal

    import torch

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
        # The threads that compute are begun when there is first something for several of them.
        torch.ones(1024, 1024) @ torch.ones(1024, 1024)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def progress() -> Iterator[Progress]:
    """Bars on a terminal; nothing elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shown = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )
    with shown:
        yield shown
