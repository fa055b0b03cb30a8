"""What is read off a conversation: four readings of it, each with the heads that one pass over it feeds."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from empathic.errors import UsageError, nearest
from empathic.models.annotator import Head
from empathic.taxonomy import ACTS, EMOTIONS, EMOTIONS_AND_INTENTS, GOEMOTIONS, LEVELS, MECHANISMS, SITUATION_EMOTIONS

__all__ = ["FACTORS", "READINGS", "TONE", "Reading", "chosen_factors", "reading"]


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
        (Head("feeling", "single", SITUATION_EMOTIONS.labels),),
    ),
    Reading(
        "cause",
        "an emotion and the turns up to the one that shows it: where its causes are",
        320,
        (Head("cause", "turns", ("cause",)), Head("cause_span", "words", ("cause",))),
    ),
)

TONE = "tone"
"""Polarity, valence, arousal and dominance, which no reading gives but a lexicon."""
FACTORS = {
    "act": "utterance",
    "emotion": "utterance",
    "fine_emotions": "utterance",
    "intent": "utterance",
    "mechanisms": "exchange",
    "feeling": "context",
    "causes": "cause",
    TONE: None,
}
"""What can be asked for, and the reading that gives it."""


def chosen_factors(names: Iterable[str]) -> tuple[str, ...]:
    """Factors by their names, in the order of `FACTORS`; a `UsageError` names the nearest to one that is none."""
    asked = list(names)
    for name in asked:
        if name not in FACTORS:
            raise UsageError(f"there is no factor {name!r}; {nearest(name, FACTORS)}")
    return tuple(name for name in FACTORS if name in asked)


def reading(name: str) -> Reading:
    """The reading of that name, or a `UsageError` with the nearest one."""
    for each in READINGS:
        if each.name == name:
            return each
    raise UsageError(f"there is no reading {name!r}; {nearest(name, [each.name for each in READINGS])}")
