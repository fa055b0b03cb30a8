"""Reading a corpus by its name, or a file of the user's own by its path."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypedDict, TypeVar, Unpack

from empathic.corpora import (
    comae_pec,
    conceptnet,
    dailydialog,
    edos,
    empathetic_dialogues,
    empathetic_intents,
    empathy_mental_health,
    esconv,
    event2mind,
    film_scripts,
    goemotions,
    own,
    pec,
    reccon,
    sample,
    social_iqa,
    synthetic_persona_chat,
)
from empathic.corpora._registry import find, is_known
from empathic.corpora._source import Defect, Report, Source, UnreadableError, raise_defect
from empathic.dialogue import Dialogue, Inference
from empathic.errors import DataError, UsageError

__all__ = ["is_own_file", "read", "read_dialogues", "read_inferences", "read_own"]

T = TypeVar("T")

# Importing a corpus's module registers it.
REGISTERED = (
    comae_pec,
    conceptnet,
    dailydialog,
    edos,
    empathetic_dialogues,
    empathetic_intents,
    empathy_mental_health,
    esconv,
    event2mind,
    film_scripts,
    goemotions,
    pec,
    reccon,
    sample,
    social_iqa,
    synthetic_persona_chat,
)


class ReadOptions(TypedDict, total=False):
    """The options of `read`."""

    split: str | None
    part: str | None
    path: Path | None
    strict: bool
    report: Report | None
    layout: own.OwnLayout | None


def read(
    name: str | Path,
    *,
    split: str | None = None,
    part: str | None = None,
    path: Path | None = None,
    strict: bool = False,
    report: Report | None = None,
    layout: own.OwnLayout | None = None,
) -> Iterator[Dialogue | Inference]:
    """Reads a corpus, one record at a time.

    Args:
        name: A corpus's name (`known` lists them) or the path of a JSONL, CSV, TSV or Parquet file.
        split: train, valid or test; everything by default.
        part: A part of a corpus that has several, as `find(name).parts` tells.
        path: The folder, or the one file, to read instead of the corpus's folder in `EMPATHIC_DATA`.
        strict: Whether the first defect ends the reading with a `DataError`.
        report: What is told of every defect; by default each is logged as a warning.
        layout: For a file of one's own: which column holds what.
    """
    if report is None:
        report = raise_defect if strict else _log
    if is_own_file(name):
        if part is not None or path is not None:
            raise UsageError(f"{name} is a file of your own: a part or another path cannot be asked of it")
        located = read_own(Path(name), report, layout)
        return _of_split((record for _, record in located), split)
    corpus = find(str(name))
    if layout is not None and layout != own.OwnLayout():
        raise UsageError(f"{name} has a layout of its own: columns can be named for a file of yours only")
    sources = corpus.sources(path=path, split=split, part=part, report=report)
    return _of_split(_file_after_file(map(corpus.read_file, sources), report), split)


def is_own_file(name: str | Path) -> bool:
    """Whether a file of the user's own is meant, and not a corpus that is known by name."""
    return isinstance(name, Path) or own.is_own(Path(name)) or (not is_known(name) and Path(name).is_file())


def read_own(file: Path, report: Report, layout: own.OwnLayout | None) -> Iterator[tuple[int, Dialogue | Inference]]:
    """The records of a file of the user's own, each with its line."""
    return _file_after_file([own.read(Source(file, report), layout or own.OwnLayout())], report)


def read_dialogues(name: str | Path, **options: Unpack[ReadOptions]) -> Iterator[Dialogue]:
    """`read`, for a corpus of dialogues."""
    for record in read(name, **options):
        if not isinstance(record, Dialogue):
            raise DataError(f"{name} holds inferences, not dialogues")
        yield record


def read_inferences(name: str | Path, **options: Unpack[ReadOptions]) -> Iterator[Inference]:
    """`read`, for a corpus of inferences."""
    for record in read(name, **options):
        if not isinstance(record, Inference):
            raise DataError(f"{name} holds dialogues, not inferences")
        yield record


def _file_after_file(files: Iterable[Iterator[T]], report: Report) -> Iterator[T]:
    """What all files hold; one of which nothing more can be read is a defect, or the end where nothing else can be."""
    found = False
    held: UnreadableError | None = None
    for file in files:
        try:
            for record in file:
                found = True
                if held is not None:
                    report(held.defect)
                    held = None
                yield record
        except UnreadableError as error:
            if found or held is not None:
                report(error.defect)
            else:
                held = error
    if held is not None:
        raise held


def _of_split(records: Iterator[Dialogue | Inference], split: str | None) -> Iterator[Dialogue | Inference]:
    return records if split is None else (record for record in records if record.split == split)


def _log(defect: Defect) -> None:
    logging.getLogger("empathic.corpora").warning("%s", defect)
