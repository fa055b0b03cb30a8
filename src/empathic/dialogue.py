"""The records that flow through the house: frozen, typed, and nothing but views of themselves.

A `Dialogue` goes in at the top. The *speaker* is the one whose feelings it is about, the *listener* the one who
responds. Labels of the shared label sets stand in `Factors`; what a corpus says in words of its own stands in
`labels`, by the name that the corpus gives it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, Literal, TypeVar

import msgspec

__all__ = [
    "Candidate",
    "Cause",
    "Dialogue",
    "Exchange",
    "Factors",
    "Inference",
    "Level",
    "Mechanism",
    "Mechanisms",
    "Perception",
    "Plan",
    "Record",
    "Reply",
    "Request",
    "Role",
    "Turn",
    "from_json",
    "to_json",
]

Role = Literal["speaker", "listener"]
Level = Literal[0, 1, 2]
"""How strongly a mechanism shows: none, weak, strong (`taxonomy.LEVELS`)."""
Finite = Annotated[float, msgspec.Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
"""JSON has no word for anything else."""


class Record(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What every record shares: immutable, compared by value, written without its defaults."""


class Mechanism(Record, frozen=True):
    """How strongly one communication mechanism shows in a response, and the words that show it."""

    level: Level
    rationale: tuple[str, ...] = ()


class Mechanisms(Record, frozen=True):
    """The three communication mechanisms (`taxonomy.MECHANISMS`); None where nobody has looked."""

    emotional_reaction: Mechanism | None = None
    interpretation: Mechanism | None = None
    exploration: Mechanism | None = None


class Cause(Record, frozen=True):
    """A turn that holds a cause of an emotion, and the words in it that do."""

    turn: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    """Position in the dialogue, from 0."""
    span: str | None = None


class Factors(Record, frozen=True):
    """What an utterance does and shows, in the words of `taxonomy`."""

    mechanisms: Mechanisms | None = None
    act: str | None = None
    """One of `taxonomy.ACTS`."""
    emotion: str | None = None
    """One of `taxonomy.EMOTIONS`."""
    fine_emotions: tuple[str, ...] = ()
    """Any of `taxonomy.GOEMOTIONS`."""
    intent: str | None = None
    """One of `taxonomy.EMOTIONS_AND_INTENTS`."""
    feeling: str | None = None
    """What the speaker feels as far as the conversation has gone: one of `taxonomy.SITUATION_EMOTIONS`."""
    causes: tuple[Cause, ...] = ()
    """Where the causes of that feeling are."""
    polarity: str | None = None
    """Whether its words are rather `positive` or `negative`; like the next three, by a lexicon."""
    valence: Finite | None = None
    """Of its words, from 0, unpleasant, to 1, pleasant."""
    arousal: Finite | None = None
    """From 0, calm, to 1, excited."""
    dominance: Finite | None = None
    """From 0, controlled, to 1, in control."""
    probabilities: dict[str, dict[str, float]] = {}
    """By factor: how probable its likeliest labels are, likeliest first."""


class Turn(Record, frozen=True):
    """One utterance."""

    role: Role
    text: str
    name: str | None = None
    """Who said it, where the corpus names people."""
    factors: Factors | None = None
    labels: dict[str, str] = {}


class Exchange(Record, frozen=True):
    """A context and the response to it: what responders learn from and are measured on."""

    id: str
    context: tuple[Turn, ...]
    response: Turn
    emotion: str | None = None
    situation: str | None = None
    persona: tuple[str, ...] = ()


class Dialogue(Record, frozen=True):
    """A conversation between one who feels and one who listens."""

    id: str
    turns: tuple[Turn, ...]
    corpus: str | None = None
    split: str | None = None
    emotion: str | None = None
    """What the speaker feels: one of `taxonomy.SITUATION_EMOTIONS` where the corpus uses that set."""
    situation: str | None = None
    """What happened, in the speaker's words."""
    persona: tuple[str, ...] = ()
    """Sentences about the listener."""
    speaker_persona: tuple[str, ...] = ()
    labels: dict[str, str] = {}

    def exchanges(self) -> Iterator[Exchange]:
        """Every listener turn with all the turns before it; a turn that opens the dialogue answers nothing."""
        for position, turn in enumerate(self.turns):
            if position and turn.role == "listener":
                yield Exchange(
                    id=f"{self.id}#{position}",
                    context=self.turns[:position],
                    response=turn,
                    emotion=self.emotion,
                    situation=self.situation,
                    persona=self.persona,
                )


class Inference(Record, frozen=True):
    """A piece of commonsense: from an event or a concept, by a relation, to what it implies."""

    head: str
    relation: str
    tail: str
    corpus: str | None = None
    split: str | None = None
    weight: Finite | None = None
    labels: dict[str, str] = {}


class Perception(Record, frozen=True):
    """What was perceived of the speaker: emotions with their probabilities, likeliest first, and causes."""

    emotions: tuple[tuple[str, float], ...] = ()
    causes: tuple[Cause, ...] = ()


class Plan(Record, frozen=True):
    """How to respond, decided before a word is written; None leaves a factor to the responder."""

    mechanisms: Mechanisms | None = None
    act: str | None = None
    emotion: str | None = None
    intent: str | None = None
    """One of `taxonomy.EMOTIONS_AND_INTENTS`, which joins the last two."""


class Request(Record, frozen=True):
    """What a responder is asked to answer: the conversation so far and all that is known around it."""

    context: tuple[Turn, ...]
    plan: Plan | None = None
    situation: str | None = None
    persona: tuple[str, ...] = ()


class Candidate(Record, frozen=True):
    """A response that was considered, and what it scored."""

    text: str
    scores: dict[str, float] = {}


class Reply(Record, frozen=True):
    """What the engine answers: the text, and the reasons behind it."""

    text: str
    responder: str
    perception: Perception | None = None
    plan: Plan | None = None
    candidates: tuple[Candidate, ...] = ()


R = TypeVar("R", bound=Record)


def to_json(record: Record) -> bytes:
    """One line of JSON, without a line end."""
    return msgspec.json.encode(record)


def from_json(line: bytes | str, kind: type[R]) -> R:
    """The record that `to_json` wrote; `msgspec.DecodeError` says what is wrong and where in it."""
    return msgspec.json.decode(line, type=kind)
