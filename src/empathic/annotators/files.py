"""Files and corpora annotated: the same rows come out, in their order, each with its factors or with what is wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any

import msgspec

from empathic.annotators.annotator import CHARACTERS_AT_ONCE, TURNS_AT_ONCE, Annotator
from empathic.annotators.inputs import Input, at_hand
from empathic.annotators.writers import writer_for
from empathic.corpora import Passage, form_of
from empathic.growing import growing_file

__all__ = ["annotate_to_file", "annotate_to_stream"]

Told = Callable[[int], None]
"""Told how many rows have been dealt with since it was last told."""


def _annotated(annotator: Annotator, chunk: Sequence[Passage]) -> Iterator[Passage]:
    """The same passages, with annotated dialogues."""
    annotated = annotator.annotate(each.dialogue for each in chunk if each.dialogue is not None)
    for passage in chunk:
        dialogue = next(annotated) if passage.dialogue is not None else None
        yield msgspec.structs.replace(passage, dialogue=dialogue)


def annotate_to_file(annotator: Annotator, given: Input, target: Path, told: Told) -> None:
    """Annotates into a file, which is there when all is done; what a killed process of the same work did is kept."""
    first, passages = _looked_ahead(given.passages)
    writer = writer_for(form_of(target), first, annotator.factors, given.place, given.read_as)
    with growing_file(target, _fingerprint(given.identity, annotator.identity, form_of(target))) as growing:
        told(growing.done)
        if not growing.done:
            growing.add(writer.heading(), 0)
        for chunk in _chunks(_behind(passages, growing.done)):
            written = b"".join(writer.lines(passage) for passage in _annotated(annotator, chunk))
            rows = sum(len(passage.rows) for passage in chunk)
            growing.add(written, rows)
            told(rows)
        writer.finish(growing.path, target)


def annotate_to_stream(annotator: Annotator, given: Input, form: str, stream: IO[bytes], told: Told) -> None:
    """Annotates rows as they come."""
    first, passages = _looked_ahead(given.passages)
    writer = writer_for(form, first, annotator.factors, given.place, given.read_as)
    stream.write(writer.heading())
    for chunk in at_hand(passages):
        for passage in _annotated(annotator, chunk):
            stream.write(writer.lines(passage))
        stream.flush()
        told(sum(len(passage.rows) for passage in chunk))


def _chunks(passages: Iterable[Passage]) -> Iterator[list[Passage]]:
    """Passages, as many as are annotated at once."""
    chunk: list[Passage] = []
    rows = characters = 0
    for passage in passages:
        chunk.append(passage)
        turns = passage.dialogue.turns if passage.dialogue is not None else ()
        rows += max(len(passage.rows), len(turns))
        characters += sum(len(turn.text) for turn in turns)
        if rows >= TURNS_AT_ONCE or characters >= CHARACTERS_AT_ONCE:
            yield chunk
            chunk, rows, characters = [], 0, 0
    if chunk:
        yield chunk


def _looked_ahead(passages: Iterator[Passage]) -> tuple[list[Passage], Iterator[Passage]]:
    """The first passages, up to one that could be read, and all of them."""
    first: list[Passage] = []
    for passage in passages:
        first.append(passage)
        if passage.dialogue is not None:
            break
    return first, chain(first, passages)


def _behind(passages: Iterable[Passage], done: int) -> Iterator[Passage]:
    """What follows that many rows."""
    for passage in passages:
        if done > 0:
            done -= len(passage.rows)
        else:
            yield passage


def _fingerprint(*decided_by: Any) -> str:
    """Changes with anything that decides what is written."""
    return hashlib.sha256(msgspec.json.encode(decided_by, enc_hook=str)).hexdigest()
