"""Looking for everything that is wrong with a corpus: what cannot be read, and what can be read but not be meant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from empathic.corpora import own
from empathic.corpora._reading import is_own_file, read, read_own
from empathic.corpora._source import Defect, Report
from empathic.dialogue import Dialogue, Inference, Turn
from empathic.taxonomy import (
    ACTS,
    EMOTIONS,
    EMOTIONS_AND_INTENTS,
    GOEMOTIONS,
    SITUATION_EMOTIONS,
    LabelSet,
    Polarity,
)
from empathic.text import tidy

__all__ = ["check"]


def check(
    name: str | Path,
    *,
    split: str | None = None,
    part: str | None = None,
    path: Path | None = None,
    report: Report,
    layout: own.OwnLayout | None = None,
) -> int:
    """Tells `report` of every defect and returns how many records could be read.

    The arguments are those of `read`. A record that can be read but not be meant (an empty turn, a label of no set, an
    id that was used before) is placed by its line in a file of one's own and by its id in a published corpus.
    """
    count = 0
    seen: set[int] = set()
    for place, line, record in _placed(name, split, part, path, report, layout):
        count += 1
        for what in _problems(record):
            report(Defect(place, what, line))
        if isinstance(record, Dialogue):
            fingerprint = hash(record.id)
            if fingerprint in seen:
                report(Defect(place, f"[{record.id}] an earlier dialogue has the same id", line))
            seen.add(fingerprint)
    return count


def _placed(
    name: str | Path,
    split: str | None,
    part: str | None,
    path: Path | None,
    report: Report,
    layout: own.OwnLayout | None,
) -> Iterator[tuple[str, int | None, Dialogue | Inference]]:
    if is_own_file(name) and path is None and part is None:
        for line, record in read_own(Path(name), report, layout):
            if split is None or record.split == split:
                yield str(name), line, record
    else:
        for record in read(name, split=split, part=part, path=path, report=report, layout=layout):
            yield str(name), None, record


def _problems(record: Dialogue | Inference) -> Iterator[str]:
    if isinstance(record, Inference):
        if not (tidy(record.head) and tidy(record.tail)):
            yield f"[{record.head[:40]} {record.relation}] an inference without a head or a tail"
        return
    if not record.turns:
        yield f"[{record.id}] holds no turns"
    for position, turn in enumerate(record.turns, 1):
        for what in _problems_of_turn(turn, len(record.turns)):
            yield f"[{record.id}] turn {position}: {what}"


_LABELLED: dict[str, LabelSet] = {
    "act": ACTS,
    "emotion": EMOTIONS,
    "intent": EMOTIONS_AND_INTENTS,
    "feeling": SITUATION_EMOTIONS,
}


def _problems_of_turn(turn: Turn, turns: int) -> Iterator[str]:
    if not tidy(turn.text):
        yield "empty"
    factors = turn.factors
    if factors is None:
        return
    for name, labels in _LABELLED.items():
        label = getattr(factors, name)
        if label is not None and label not in labels:
            yield f"{label!r} is none of the {labels.name}"
    for label in factors.fine_emotions:
        if label not in GOEMOTIONS:
            yield f"{label!r} is none of the labels of {GOEMOTIONS.name}"
    if factors.polarity is not None and factors.polarity not in get_args(Polarity):
        yield f"{factors.polarity!r} is no polarity: {' or '.join(get_args(Polarity))}"
    for name in ("valence", "arousal", "dominance"):
        if (number := getattr(factors, name)) is not None and not 0 <= number <= 1:
            yield f"the {name} {number:g} is not between 0 and 1"
    for cause in factors.causes:
        if cause.turn >= turns:
            yield f"its cause is said to be in turn {cause.turn + 1}, which the dialogue does not have"
