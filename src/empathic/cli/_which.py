"""The options that say which data is meant, shared by every command that reads some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from empathic.cli._terminal import note

if TYPE_CHECKING:
    from empathic.corpora import Defect, OwnLayout, Report
    from empathic.dialogue import Dialogue, Inference

__all__ = ["Which", "read"]


@Parameter(name="*")
@dataclass(frozen=True)
class Which:
    """Which records of a corpus are meant."""

    split: str | None = None
    """train, valid or test; everything by default."""
    part: str | None = None
    """A part of a corpus that has several; `empathic data list NAME` shows them."""
    source: Annotated[Path | None, Parameter(name="--from")] = None
    """The folder or file to read instead of the corpus's folder among the data."""
    text: str | None = None
    """In a table of your own: the column that holds what is said."""
    role: str | None = None
    """In a table of your own: the column that says who speaks."""
    dialogue: str | None = None
    """In a table of your own: the column whose value is the same for all rows of a dialogue."""
    emotion: str | None = None
    """In a table of your own: the column that holds the speaker's emotion."""
    speaker: tuple[str, ...] = ()
    """In a table of your own: a value of the role column that means the speaker; all others mean the listener."""
    strict: bool = False
    """Stop at the first defect."""

    def layout(self) -> OwnLayout:
        from empathic.corpora import OwnLayout

        return OwnLayout(
            text=self.text, role=self.role, dialogue=self.dialogue, emotion=self.emotion, speakers=self.speaker
        )


def read(corpus: str, which: Which, *, report: Report | None = None) -> Iterator[Dialogue | Inference]:
    """The records that are meant; defects are noted on standard error unless a report is given."""
    from empathic import corpora

    return corpora.read(
        corpus,
        split=which.split,
        part=which.part,
        path=which.source,
        strict=which.strict,
        report=None if which.strict else report or _note,
        layout=which.layout(),
    )


def _note(defect: Defect) -> None:
    note(str(defect))
