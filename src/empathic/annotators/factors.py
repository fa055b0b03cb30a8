"""What is read off a conversation: four readings of it, each with the heads that one pass over it feeds."""

from __future__ import annotations

import msgspec

from empathic.errors import UsageError, nearest
from empathic.models.annotator import Head
from empathic.taxonomy import ACTS, EMOTIONS, EMOTIONS_AND_INTENTS, GOEMOTIONS, LEVELS, MECHANISMS, SITUATION_EMOTIONS

__all__ = ["READINGS", "Reading", "reading"]


class Reading(msgspec.Struct, frozen=True):
    """A way to lay a conversation out, and what is then read off it."""

    name: str
    about: str
    longest: int
    """Tokens."""
    heads: tuple[Head, ...]

    def head(self, name: str) -> Head:
        """The head of that name."""
        return next(head for head in self.heads if head.name == name)


READINGS = (
    Reading(
        "utterance",
        "one utterance by itself: its dialog act, its emotion, its intent",
        128,
        (
            Head("act", "single", ACTS.labels),
            Head("emotion", "single", EMOTIONS.labels),
            Head("fine_emotions", "several", GOEMOTIONS.labels),
            Head("intent", "single", EMOTIONS_AND_INTENTS.labels),
        ),
    ),
    Reading(
        "exchange",
        "a response with what it answers: the communication mechanisms, and the words that show them",
        320,
        (
            *(Head(mechanism, "single", LEVELS.labels) for mechanism in MECHANISMS),
            Head("rationale", "words", MECHANISMS.labels),
        ),
    ),
    Reading(
        "context",
        "the conversation so far: what the speaker feels",
        320,
        (Head("situation_emotion", "single", SITUATION_EMOTIONS.labels),),
    ),
    Reading(
        "cause",
        "an emotion and the turns up to the one that shows it: where its causes are",
        320,
        (Head("cause", "turns", ("cause",)), Head("cause_span", "words", ("cause",))),
    ),
)


def reading(name: str) -> Reading:
    """The reading of that name, or a `UsageError` with the nearest one."""
    for each in READINGS:
        if each.name == name:
            return each
    raise UsageError(f"there is no reading {name!r}; {nearest(name, [each.name for each in READINGS])}")
