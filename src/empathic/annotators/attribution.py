"""The words that mattered: how much less probable a label becomes when a word is left out."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from empathic.annotators.annotator import Annotator
from empathic.dialogue import Dialogue
from empathic.text import tidy

__all__ = ["Mattering", "words_that_mattered"]

MOST_WORDS = 80
"""Of a longer text the first ones are tried; each costs a pass over the text."""


class Mattering(NamedTuple):
    """A word of a turn, by its position among the turn's words, and what it added to a label's probability."""

    position: int
    word: str
    weight: float


def words_that_mattered(annotator: Annotator, annotated: Dialogue, turn: int) -> dict[str, list[Mattering]]:
    """For every factor with one label: the words of a turn without which the label would be less probable, most first.

    Args:
        annotator: What annotated the dialogue; it must give the probabilities of all labels.
        annotated: The annotated dialogue.
        turn: Which turn's words are tried, and whose labels are explained.
    """
    factors = annotated.turns[turn].factors
    written = tidy(annotated.turns[turn].text).split(" ")
    if factors is None or len(written) < 2:
        return {}
    tried = range(min(len(written), MOST_WORDS))
    without = list(annotator.annotate(_without(annotated, turn, written, position) for position in tried))
    mattering: dict[str, list[Mattering]] = {}
    for name, probabilities in factors.probabilities.items():
        label = next(iter(probabilities), None)
        if label is None or name == "causes":
            continue
        weights = []
        for position, other in zip(tried, without, strict=True):
            found = other.turns[turn].factors
            left = found.probabilities[name].get(label, 0.0) if found is not None else 0.0
            if probabilities[label] > left:
                weights.append(Mattering(position, written[position], round(probabilities[label] - left, 4)))
        mattering[name] = sorted(weights, key=lambda each: -each.weight)
    return mattering


def _without(dialogue: Dialogue, turn: int, written: list[str], position: int) -> Dialogue:
    text = " ".join(word for number, word in enumerate(written) if number != position)
    turns = list(dialogue.turns)
    turns[turn] = msgspec.structs.replace(turns[turn], text=text, factors=None)
    return msgspec.structs.replace(dialogue, turns=tuple(turns))
