"""Conversations are laid out so that an encoder reads as much of them as it can, and nothing shifts."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from empathic.annotators.readings import MOST_TURNS, Line, collate, lay_out
from empathic.models.encoder import Encoder, load_encoder


@pytest.fixture(scope="module")
def encoder(tiny_encoder: Path) -> Encoder:
    return load_encoder(str(tiny_encoder))


def said(encoder: Encoder, ids: list[int]) -> str:
    return str(encoder.tokenizer.decode(ids, skip_special_tokens=False))


def test_every_turn_is_read_with_its_role_and_its_number(encoder: Encoder) -> None:
    (text,) = lay_out(encoder, [(Line("speaker", "I was late."), Line("listener", "Oh!"))], longest=64)
    assert said(encoder, text.ids).startswith("[CLS]")
    assert [text.ids.count(mark) for mark in (encoder.start, encoder.end)] == [1, 2]
    assert text.read == [0, 1]
    for turn, role in ((0, 0), (1, 1)):
        assert {text.roles[at] for at, number in enumerate(text.turns) if number == turn} == {role}
    assert text.turns[0] == text.turns[-1] == -1


def test_what_is_too_long_loses_the_ends_of_its_longest_turns(encoder: Encoder) -> None:
    script = (Line("speaker", "one two three"), Line("listener", "so " * 500), Line("speaker", "yes yes " * 20))
    (text,) = lay_out(encoder, [script], longest=60)
    (whole,) = lay_out(encoder, [script[:1]], longest=60)
    counts = [text.turns.count(turn) for turn in range(3)]
    assert len(text.ids) <= 60
    assert counts[0] == whole.turns.count(0)
    assert counts[1] == counts[2] > counts[0]


def test_of_many_turns_the_first_and_the_latest_are_read(encoder: Encoder) -> None:
    script = [Line("speaker", f"number {turn}") for turn in range(100)]
    (text,) = lay_out(encoder, [script], longest=300)
    assert text.read == [0, *range(100 - MOST_TURNS + 1, 100)]
    assert len(text.ids) <= 300


@pytest.mark.parametrize(
    "text", ["", "   ", "\x00\x1f", "🙂🙂", "我很难过。", "é" * 100_000, "a" * 100_000, "\ud83d"], ids=ascii
)
def test_any_text_can_be_laid_out(encoder: Encoder, text: str) -> None:
    (laid,) = lay_out(encoder, [(Line("speaker", text),)], longest=32)
    assert 2 <= len(laid.ids) <= 32
    assert laid.ids[0] == encoder.start
    assert laid.ids[-1] == encoder.end


def test_offsets_lead_back_to_the_words(encoder: Encoder) -> None:
    words = "I was late again."
    (text,) = lay_out(encoder, [(Line("listener", "Well."), Line("speaker", words))], longest=64, offsets=True)
    spans = [span for span, turn in zip(text.offsets, text.turns, strict=True) if turn == 1]
    assert "".join(words[begin:end] for begin, end in spans) == words.replace(" ", "")


def test_padding_is_masked_and_nothing_else_is(encoder: Encoder) -> None:
    scripts = [(Line("speaker", "short"),), (Line("speaker", "rather a longer one than that"),)]
    texts = lay_out(encoder, scripts, longest=64)
    batch = collate(texts, encoder.pad)
    for row, text in enumerate(texts):
        size = len(text.ids)
        assert batch.ids[row, :size].tolist() == text.ids
        assert batch.mask[row].tolist() == [True] * size + [False] * (batch.ids.shape[1] - size)
        assert set(batch.turns[row, size:].tolist()) <= {-1}
    assert batch.ids.dtype == torch.int64
