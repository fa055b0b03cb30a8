"""Beam search: as likely a reply as it can find, and no work for what cannot win."""

from __future__ import annotations

import itertools

import pytest
import torch
from talker import Memory, Toy

from empathic.decoding import Decoding, Said, decode


def replies(model: Toy, settings: Decoding, count: int = 12) -> list[Said]:
    return decode(model, Memory(model.contexts(count)), settings, rows=count)


def test_one_beam_is_greedy() -> None:
    for seed in range(5):
        model = Toy(seed=seed)
        assert replies(model, Decoding(strategy="beam", beams=1)) == pytest.approx(replies(model, Decoding()))


def test_enough_beams_find_the_likeliest_reply_of_all() -> None:
    model = Toy(vocabulary=5)
    context = model.contexts(1)
    (found,) = decode(model, Memory(context), Decoding(strategy="beam", beams=200, longest=4), rows=1)

    def total(reply: tuple[int, ...]) -> float:
        every = (torch.tensor(model.scores(context[0], reply[:at])).log_softmax(0) for at in range(len(reply) + 1))
        return sum(float(logs[token]) for logs, token in zip(every, (*reply, model.end), strict=True))

    others = [token for token in range(5) if token != model.end]
    possible = [reply for length in range(4) for reply in itertools.product(others, repeat=length)]
    assert found.tokens == max(possible, key=total)


def test_length_normalisation_makes_longer_replies_better() -> None:
    model = Toy()
    lengths = [
        sum(len(reply.tokens) for reply in replies(model, Decoding(strategy="beam", length_norm=norm, longest=30)))
        for norm in (0.0, 0.5, 1.0)
    ]
    assert lengths[0] < lengths[1] < lengths[2]


def test_a_context_that_is_done_leaves_with_all_its_beams() -> None:
    model = Toy()
    settings = Decoding(strategy="beam", beams=4, longest=30)
    replies(model, settings)
    first, *rest = model.rows_stepped
    together = sum(rest)
    assert first == 12
    assert all(rows % 4 == 0 for rows in rest)
    assert rest == sorted(rest, reverse=True)
    assert rest[-1] < rest[0]
    assert len(rest) < 20
    model.rows_stepped.clear()
    for context in model.contexts(12):
        decode(model, Memory(context[None]), settings, rows=1)
    assert sum(model.rows_stepped) == together + first


def test_where_nothing_ends_the_likeliest_open_reply_counts() -> None:
    model = Toy(ending=-40)
    said = replies(model, Decoding(strategy="beam", beams=1, longest=6))
    assert said == pytest.approx(replies(model, Decoding(longest=6)))
    assert {len(reply.tokens) for reply in said} == {6}
