"""What a corpus holds, counted in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from empathic.dialogue import Dialogue, Inference, Record, Turn
from empathic.text import words

__all__ = ["Lengths", "Statistics", "count"]

MOST_LABELS = 100
"""A corpus's own labels with more values than this are free text (titles, questions) and are not counted out."""


class Lengths(msgspec.Struct, frozen=True):
    """How long things are."""

    mean: float
    median: int
    p95: int
    max: int


class Statistics(msgspec.Struct, frozen=True, omit_defaults=True):
    """Counts, lengths, and how often each label was given, most first."""

    records: int
    splits: dict[str, int]
    turns: int = 0
    exchanges: int = 0
    """Listener turns with something before them: what a responder is trained and measured on."""
    roles: dict[str, int] = {}
    turns_per_dialogue: Lengths | None = None
    words_per_turn: Lengths | None = None
    words_per_context: Lengths | None = None
    words_per_response: Lengths | None = None
    labels: dict[str, dict[str, int]] = {}


def count(records: Iterable[Record]) -> Statistics:
    """Counts dialogues or inferences."""
    total = exchanges = 0
    splits: Counter[str] = Counter()
    roles: Counter[str] = Counter()
    labels: dict[str, Counter[str]] = {}
    turns, in_turn, in_context, in_response = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    for record in records:
        total += 1
        splits[getattr(record, "split", None) or "without split"] += 1
        for name, label in _labels(record):
            labels.setdefault(name, Counter())[label] += 1
        if not isinstance(record, Dialogue):
            continue
        turns[len(record.turns)] += 1
        before = 0
        for position, turn in enumerate(record.turns):
            size = len(words(turn.text))
            roles[turn.role] += 1
            in_turn[size] += 1
            if position and turn.role == "listener":
                exchanges += 1
                in_context[before] += 1
                in_response[size] += 1
            before += size
    return Statistics(
        records=total,
        splits=dict(splits),
        turns=sum(in_turn.values()),
        exchanges=exchanges,
        roles=dict(roles),
        turns_per_dialogue=_lengths(turns),
        words_per_turn=_lengths(in_turn),
        words_per_context=_lengths(in_context),
        words_per_response=_lengths(in_response),
        labels={name: dict(given.most_common()) for name, given in labels.items() if len(given) <= MOST_LABELS},
    )


def _labels(record: Record) -> Iterator[tuple[str, str]]:
    """Every label of a record, under the name of what it labels."""
    if isinstance(record, Inference):
        yield "relation", record.relation
    if isinstance(record, Dialogue):
        if record.emotion is not None:
            yield "emotion", record.emotion
        for turn in record.turns:
            yield from _labels_of_turn(turn)
    if isinstance(record, Dialogue | Inference):
        yield from ((f"label {name}", label) for name, label in record.labels.items())


def _labels_of_turn(turn: Turn) -> Iterator[tuple[str, str]]:
    factors = turn.factors
    if factors is not None:
        for name in ("act", "emotion", "intent"):
            if (label := getattr(factors, name)) is not None:
                yield f"turn {name}", label
        yield from (("turn fine emotion", label) for label in factors.fine_emotions)
        if factors.causes:
            yield "turn causes", str(len(factors.causes))
        if factors.mechanisms is not None:
            for name in factors.mechanisms.__struct_fields__:
                if (mechanism := getattr(factors.mechanisms, name)) is not None:
                    yield f"turn {name.replace('_', ' ')}", ("none", "weak", "strong")[mechanism.level]
    yield from ((f"turn label {name}", label) for name, label in turn.labels.items())


def _lengths(sizes: Counter[int]) -> Lengths | None:
    total = sizes.total()
    if not total:
        return None
    mean = sum(size * times for size, times in sizes.items()) / total
    return Lengths(round(mean, 2), _quantile(sizes, total, 0.5), _quantile(sizes, total, 0.95), max(sizes))


def _quantile(sizes: Counter[int], total: int, share: float) -> int:
    """The smallest size that at least this share does not exceed."""
    seen = 0
    for size in sorted(sizes):
        seen += sizes[size]
        if seen >= share * total:
            return size
    return 0
