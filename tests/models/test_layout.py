"""Conversations as numbers: who says what, what each turn does, the latest first where there is no room for all."""

from __future__ import annotations

import pytest
import torch

from empathic.dialogue import Factors, Turn
from empathic.models.layout import UNLABELLED, Layout, Said
from empathic.models.vocabulary import BEGIN, CONTEXT, END, LISTENER, PAD, SPEAKER, UNKNOWN, learn_words
from empathic.taxonomy import EMOTIONS_AND_INTENTS, SITUATION_EMOTIONS

WORDS = learn_words(["a b c d e f g h"])
A, B, C, D = (WORDS.rows()[word] for word in "abcd")
NEUTRAL, ASKING = (EMOTIONS_AND_INTENTS.index(label) for label in ("neutral", "questioning"))
TURNS = (Turn("speaker", "a b"), Turn("listener", "c", factors=Factors(intent="questioning")), Turn("speaker", "d"))


def test_a_context_is_its_turns_with_who_says_them_and_what_they_do() -> None:
    batch = Layout(WORDS).lay_out([Said(TURNS, "b a", "joyful", "questioning")]).batch([0])
    assert batch.context.tolist() == [[CONTEXT, A, B, C, D]]
    assert batch.roles.tolist() == [[CONTEXT, SPEAKER, SPEAKER, LISTENER, SPEAKER]]
    assert batch.labels.tolist() == [[NEUTRAL, NEUTRAL, NEUTRAL, ASKING, NEUTRAL]]
    assert batch.response.tolist() == [[B, A, END]]
    assert batch.so_far.tolist() == [[BEGIN, B, A]]
    assert batch.emotion.tolist() == [SITUATION_EMOTIONS.index("joyful")]
    assert batch.intent.tolist() == [ASKING]
    assert batch.tokens == 3


def test_a_mark_stands_behind_every_turn_where_they_are_parted() -> None:
    batch = Layout(WORDS, parted=True).lay_out([Said(TURNS)]).batch([0])
    assert batch.context.tolist() == [[CONTEXT, A, B, END, C, END, D, END]]


def test_of_what_is_too_long_the_latest_of_the_context_and_the_first_of_the_response_is_kept() -> None:
    batch = Layout(WORDS, longest=3, longest_response=3).lay_out([Said(TURNS, "a b c d")]).batch([0])
    assert batch.context.tolist() == [[CONTEXT, C, D]]
    assert batch.response.tolist() == [[A, B, END]]


def test_a_batch_is_as_wide_as_its_longest() -> None:
    table = Layout(WORDS).lay_out([Said(TURNS, "a"), Said(TURNS[:1], "a b c"), Said(TURNS[2:], "a b")])
    batch = table.batch([1, 2])
    assert batch.context.tolist() == [[CONTEXT, A, B], [CONTEXT, D, PAD]]
    assert batch.mask.tolist() == [[True, True, True], [True, True, False]]
    assert batch.response.tolist() == [[A, B, C, END], [A, B, END, PAD]]
    assert batch.tokens == 7
    assert batch.there.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert table.batch([0, 1]).there.tolist() == [0, 1, 4, 5, 6, 7]
    assert batch.emotion.tolist() == [UNLABELLED, UNLABELLED]


def test_a_table_can_be_told_nothing_of_emotions_and_intents() -> None:
    batch = Layout(WORDS).lay_out([Said(TURNS, "b a", "joyful", "questioning")]).untold().batch([0])
    assert (batch.emotion.tolist(), batch.intent.tolist()) == ([UNLABELLED], [UNLABELLED])
    assert batch.response.tolist() == [[B, A, END]]


@pytest.mark.parametrize("text", ["", " ", "\u200b"])
def test_there_is_always_something_to_attend_to(text: str) -> None:
    batch = Layout(WORDS).lay_out([Said((Turn("speaker", text),), "")]).batch([0])
    assert batch.context.tolist() == [[CONTEXT, UNKNOWN]]
    assert batch.response.tolist() == [[END]]
    assert torch.equal(batch.mask, torch.tensor([[True, True]]))
