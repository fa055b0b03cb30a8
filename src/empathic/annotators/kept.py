"""Annotations kept: the same conversations are read by the same annotators once, and found again after that."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import msgspec

from empathic.annotators.annotator import Annotator
from empathic.dialogue import Dialogue, from_json, to_json
from empathic.growing import growing_file
from empathic.storage import cache_folder

__all__ = ["annotate_once"]

AT_ONCE = 256
"""Conversations between two notes of how far it has come."""


def annotate_once(
    annotator: Annotator, dialogues: Callable[[], Iterable[Dialogue]], *, told: Callable[[int], None] = lambda _: None
) -> Iterator[Dialogue]:
    """Conversations with their factors: from the cache, where what has been read before is taken up.

    Args:
        annotator: What reads them.
        dialogues: Begins to read the conversations anew.
        told: Told how many more have been annotated.
    """
    fingerprint = _fingerprint(annotator, dialogues())
    path = cache_folder() / "annotated" / f"{fingerprint}.jsonl"
    if not path.is_file():
        with growing_file(path, fingerprint) as growing:
            told(growing.done)
            left = islice(dialogues(), growing.done, None)
            while chunk := list(islice(left, AT_ONCE)):
                growing.add(b"".join(to_json(each) + b"\n" for each in annotator.annotate(chunk)), len(chunk))
                told(len(chunk))
    with path.open("rb") as lines:
        for line in lines:
            yield from_json(line, Dialogue)


def _fingerprint(annotator: Annotator, dialogues: Iterable[Dialogue]) -> str:
    """Changes with every word that is read and with everything that reads it."""
    digest = hashlib.sha256(msgspec.json.encode(annotator.identity))
    for dialogue in dialogues:
        digest.update(to_json(dialogue))
    return digest.hexdigest()[:32]
