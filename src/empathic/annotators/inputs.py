"""What is annotated: a file, a corpus or what is piped in, as passages of rows."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from empathic import corpora
from empathic.corpora import LINES, OwnLayout, Passage, Report, Row, Source, StandardInput, form_of
from empathic.corpora.own import SUFFIXES
from empathic.errors import DataError

__all__ = ["Input", "at_hand", "corpus_input", "file_input", "piped_input"]

FORMS = {"lines": LINES, "jsonl": ".jsonl", "csv": ".csv", "tsv": ".tsv"}
PATIENCE = 0.1
"""Seconds without a further row after which those at hand are annotated."""
AT_HAND = 4096


@dataclass
class Input:
    """Rows to annotate."""

    place: Path
    """What is said of where they come from."""
    read_as: str
    """The ending that says how they are read; nothing for a corpus."""
    passages: Iterator[Passage]
    identity: tuple[Any, ...] = ()
    """What changes when the rows do."""


def file_input(file: Path, layout: OwnLayout, report: Report) -> Input:
    """A file of the user's own; one whose ending tells nothing is read line by line."""
    form = form_of(file)
    source = Source(file, report) if form in SUFFIXES else _Lines(file, report)
    try:
        told = file.stat()
    except OSError as error:
        raise DataError(f"{file}: cannot be read: {error.strerror}") from error
    passages = corpora.read_rows(source, layout)
    return Input(file, source.form, passages, (str(file.resolve()), told.st_size, told.st_mtime_ns, layout))


class _Lines(Source):
    """A file of plain text."""

    @property
    def form(self) -> str:
        return LINES


def piped_input(form: str | None, layout: OwnLayout, report: Report) -> Input:
    """Standard input, in the form that is told; by default JSONL where it begins with a brace, and else lines."""
    piped = sys.stdin.buffer
    if form is None:
        begin = piped.peek(1) if hasattr(piped, "peek") else b""
        form = "jsonl" if begin.lstrip(b" \t\r\n\xef\xbb\xbf")[:1] == b"{" else "lines"
    source = StandardInput(report=report, piped=piped, told=FORMS[form])
    return Input(source.path, source.form, corpora.read_rows(source, layout))


def corpus_input(
    name: str, *, split: str | None, part: str | None, path: Path | None, strict: bool, report: Report
) -> Input:
    """A corpus by its name; every dialogue is a row."""
    records = corpora.read_dialogues(name, split=split, part=part, path=path, strict=strict, report=report)
    passages = (Passage([Row(number, None)], dialogue, whole=True) for number, dialogue in enumerate(records, 1))
    return Input(Path(name), "", passages, (name, split, part, str(path or corpora.find(name).folder_path())))


def at_hand(passages: Iterator[Passage]) -> Iterator[list[Passage]]:
    """Passages as they come: whatever has come is given on when nothing further comes for a moment."""
    waiting: queue.Queue[Passage | BaseException | None] = queue.Queue(AT_HAND)

    def read() -> None:
        try:
            for passage in passages:
                waiting.put(passage)
            waiting.put(None)
        except BaseException as error:  # noqa: BLE001 (raised where the passages are asked for)
            waiting.put(error)

    threading.Thread(target=read, daemon=True).start()
    gathered: list[Passage] = []
    while True:
        try:
            came = waiting.get(timeout=PATIENCE if gathered else None)
        except queue.Empty:
            yield gathered
            gathered = []
            continue
        if not isinstance(came, Passage):
            if gathered:
                yield gathered
            if came is not None:
                raise came
            return
        gathered.append(came)
        if len(gathered) >= AT_HAND:
            yield gathered
            gathered = []
