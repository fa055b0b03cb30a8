"""What can go wrong, as one small tree.

A message says what is wrong and where; `remedy` is the command or the act that mends it. The program prints
both on one line and exits with `exit_code`; a traceback is shown under `--debug` only.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable
from types import ModuleType

__all__ = [
    "ArtifactError",
    "DataError",
    "DownloadError",
    "EmpathicError",
    "MissingDependencyError",
    "UsageError",
    "nearest",
    "require",
]


class EmpathicError(Exception):
    """The root: everything the library raises on purpose."""

    exit_code = 1

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} ({self.remedy})" if self.remedy else self.message


class UsageError(EmpathicError):
    """A name, an option or a combination of options that does not exist."""

    exit_code = 2


class DataError(EmpathicError):
    """A file of data that cannot be read, with the place where reading stopped."""


class ArtifactError(EmpathicError):
    """A model folder, or base weights, that are missing, damaged or of another kind."""


class DownloadError(EmpathicError):
    """A file that could not be fetched."""


class MissingDependencyError(EmpathicError):
    """An optional package that is needed here and not installed."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Ends a message about an unknown word: the nearest known one, or all of them where they are few."""
    known = list(known)
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6) or [each for each in known if word and word in each]
    if close:
        return f"did you mean {close[0]!r}?"
    return "known: " + ", ".join(known[:45]) + (" ..." if len(known) > 45 else "")


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Imports an optional module, or names the `pip install` that brings it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            f"{purpose} needs the package {error.name!r}", remedy=f"pip install 'empathic[{extra}]'"
        ) from None
