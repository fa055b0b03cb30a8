"""Nothing of a test split may be learned: what stands on both sides is found before training, dropped, and listed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from empathic.text import fold

__all__ = ["Overlap", "TestTexts"]

FEWEST_WORDS = 6
"""Shorter texts ("I am so sorry to hear that") are everybody's."""


class Overlap(NamedTuple):
    """Why something was dropped."""

    text: str
    reason: str


class TestTexts:
    """What a run will be measured on, ready to be recognised."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._pairs: set[tuple[str, str]] = set()

    def add(self, turns: Sequence[str]) -> None:
        """Takes in what one test item consists of: its turns, the last of them the response or the text itself."""
        folded = [fold(turn) for turn in turns]
        self._texts.update(text for text in folded if text.count(" ") + 1 >= FEWEST_WORDS)
        if len(folded) > 1:
            self._pairs.update(pairwise(folded))

    def overlap(self, turns: Iterable[str]) -> Overlap | None:
        """What of a training item stands in a test split, if anything does."""
        turns = list(turns)
        folded = [fold(turn) for turn in turns]
        for turn, text in zip(turns, folded, strict=True):
            if text in self._texts:
                return Overlap(turn, "a text of a test split")
        for number, pair in enumerate(pairwise(folded)):
            if pair in self._pairs:
                return Overlap(f"{turns[number]} / {turns[number + 1]}", "a pair of a test split")
        return None
