"""Reading a corpus by its name, or a file of the user's own by its path."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict, Unpack

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
from empathic.corpora._registry import find
from empathic.corpora._source import Defect, Report, Source, raise_defect
from empathic.dialogue import Dialogue, Inference
from empathic.errors import DataError, UsageError

__all__ = ["read", "read_dialogues", "read_inferences"]

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
    file = Path(name)
    if isinstance(name, Path) or file.suffix in own.SUFFIXES:
        if part is not None or path is not None:
            raise UsageError(f"{file} is a file of your own: a part or another path cannot be asked of it")
        located = own.read(Source(file, report), layout or own.OwnLayout())
        return _of_split((record for _, record in located), split)
    corpus = find(name)
    if layout is not None and layout != own.OwnLayout():
        raise UsageError(f"{name} has a layout of its own: columns can be named for a file of yours only")
    sources = corpus.sources(path=path, split=split, part=part, report=report)
    return _of_split((record for source in sources for record in corpus.read_file(source)), split)


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


def _of_split(records: Iterator[Dialogue | Inference], split: str | None) -> Iterator[Dialogue | Inference]:
    return records if split is None else (record for record in records if record.split == split)


def _log(defect: Defect) -> None:
    logging.getLogger("empathic.corpora").warning("%s", defect)
