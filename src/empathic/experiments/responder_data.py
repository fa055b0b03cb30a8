"""What responders learn from and are measured on: exchanges of corpora, with what is known of their turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from empathic import corpora
from empathic.annotators import Annotator
from empathic.annotators.kept import annotate_once
from empathic.corpora.empathetic_dialogues import moel_examples
from empathic.dialogue import Dialogue, Exchange, Factors, Turn
from empathic.errors import DataError
from empathic.experiments.responder_recipe import DataSettings
from empathic.models.layout import Said
from empathic.taxonomy import EMOTIONS_AND_INTENTS, SITUATION_EMOTIONS
from empathic.text import fold
from empathic.training import TestTexts

__all__ = ["Dropped", "Item", "exchanges_of", "learned_from", "measured_on", "said"]

Labelled = Callable[[Iterable[Dialogue]], Iterator[Dialogue]]
SPLITS = ("train", "valid", "test")


class Item(NamedTuple):
    """A response with its context, and what identifies it."""

    exchange: Exchange
    said: Said


class Dropped(NamedTuple):
    """What was not learned, and why."""

    id: str
    text: str
    reason: str


def learned_from(data: DataSettings) -> tuple[list[Item], list[Dropped]]:
    """The training items, and those left out since what is measured on holds them."""
    tests = TestTexts()
    for split in SPLITS[1:]:
        for item in measured_on(data, split):
            tests.add([turn.text for turn in (*item.exchange.context[-1:], item.exchange.response)])
    kept, dropped = [], []
    for name in data.corpora:
        for exchange in exchanges_of(data, name, "train"):
            overlap = tests.overlap([turn.text for turn in (*exchange.context[-1:], exchange.response)])
            if overlap is None:
                kept.append(Item(exchange, said(exchange)))
            else:
                dropped.append(Dropped(exchange.id, overlap.text, overlap.reason))
    if not kept:
        raise DataError(
            f"{', '.join(data.corpora)}: nothing to learn from: no turn answers another as data.examples asks",
            remedy=f"see what is there with empathic data stats {data.corpora[0]}",
        )
    return kept, dropped


def measured_on(data: DataSettings, split: str) -> list[Item]:
    """The items of a validation or test split."""
    return [Item(exchange, said(exchange)) for exchange in exchanges_of(data, data.measured_on, split)]


def exchanges_of(data: DataSettings, name: str, split: str) -> Iterator[Exchange]:
    """The exchanges of a corpus; of one without splits, all of it is for training."""
    labelled = _labelled(data, name, split)
    if data.examples == "every":
        yield from (each for dialogue in labelled for each in _answers(dialogue, data.turns))
        return
    listened = (each for dialogue in labelled for each in dialogue.exchanges())
    for exchange in moel_examples(labelled) if data.examples == "moel" else listened:
        yield msgspec.structs.replace(exchange, context=exchange.context[-data.turns :])


def _answers(dialogue: Dialogue, turns: int) -> Iterator[Exchange]:
    """Every turn but the first as if its speaker were the listener, with so many turns before it at most."""
    for position in range(1, len(dialogue.turns)):
        turn = dialogue.turns[position]
        before = tuple(_seen_by(turn, each) for each in dialogue.turns[max(0, position - turns) : position])
        yield Exchange(f"{dialogue.id}#{position}", before, _seen_by(turn, turn), dialogue.emotion, dialogue.situation)


def _seen_by(listener: Turn, turn: Turn) -> Turn:
    same = turn.name == listener.name if turn.name is not None else turn.role == listener.role
    return msgspec.structs.replace(turn, role="listener" if same else "speaker")


def said(exchange: Exchange) -> Said:
    """What a model is told of an exchange."""
    factors = exchange.response.factors
    emotion = exchange.emotion if exchange.emotion in SITUATION_EMOTIONS else None
    return Said(exchange.context, exchange.response.text, emotion, factors.intent if factors else None)


def _labelled(data: DataSettings, name: str, split: str) -> Iterator[Dialogue]:
    """The conversations of a split, with the intents of their turns where they are asked for."""

    def read() -> Iterator[Dialogue]:
        return _split(name, split)

    if data.intents == "released":
        labels = _released()
        return (_with_intents(dialogue, labels) for dialogue in read())
    if data.intents == "annotated":
        return annotate_once(Annotator(factors=("intent",)), read)
    return read()


def _split(name: str, split: str) -> Iterator[Dialogue]:
    if not corpora.is_own_file(name) and split not in corpora.find(name).splits:
        return corpora.read_dialogues(name) if split == "train" else iter(())
    dialogues = corpora.read_dialogues(name, split=None if corpora.is_own_file(name) else split)
    if corpora.is_own_file(name):
        return (each for each in dialogues if (each.split or "train") == split)
    return dialogues


def _released() -> Mapping[str, str]:
    """By utterance: what MEED2's own classifier said of it."""
    return {
        fold(turn.text): turn.factors.intent
        for dialogue in corpora.read_dialogues("empathetic-intents", part="annotated")
        for turn in dialogue.turns
        if turn.factors is not None and turn.factors.intent is not None
    }


def _with_intents(dialogue: Dialogue, labels: Mapping[str, str]) -> Dialogue:
    turns = []
    for turn in dialogue.turns:
        intent = labels.get(fold(turn.text))
        if intent is not None and intent in EMOTIONS_AND_INTENTS:
            turn = msgspec.structs.replace(turn, factors=Factors(intent=intent))
        turns.append(turn)
    return msgspec.structs.replace(dialogue, turns=tuple(turns))
