"""Replies to many contexts at once: those that a plain decoder finds, whatever they are decoded together with."""

from __future__ import annotations

from functools import partial
from typing import Literal

import pytest
import torch
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from msgspec.structs import replace
from reference import reference
from talker import Memory, Toy

from empathic.decoding import Decoding, Said, decode, stream
from empathic.errors import UsageError

STRATEGIES = (
    Decoding(strategy="greedy", longest=20),
    Decoding(strategy="beam", beams=3, longest=20),
    Decoding(strategy="sample", longest=20),
)


def replies(model: Toy, settings: Decoding, *, count: int = 6, forbidden: tuple[int, ...] = ()) -> list[Said]:
    memory = Memory(model.contexts(count))
    return decode(model, memory, settings, rows=count, seeds=range(count), forbidden=forbidden)


def require_the_same(found: list[Said], expected: list[Said]) -> None:
    assert [each.tokens for each in found] == [each.tokens for each in expected]
    assert [each.log_probability for each in found] == pytest.approx([each.log_probability for each in expected])


@st.composite
def decodings(draw: st.DrawFn, strategy: Literal["greedy", "beam", "sample"]) -> Decoding:
    longest = draw(st.integers(1, 12))
    return Decoding(
        strategy=strategy,
        beams=draw(st.integers(1, 8)),
        length_norm=draw(st.sampled_from([0.0, 0.3, 1.0, 2.0])),
        temperature=draw(st.sampled_from([0.0, 0.3, 1.0, 3.0])),
        top_k=draw(st.sampled_from([0, 1, 3, 50])),
        top_p=draw(st.sampled_from([0.2, 0.8, 1.0])),
        repetition_penalty=draw(st.sampled_from([1.0, 1.3, 4.0])),
        block=draw(st.integers(0, 4)),
        shortest=draw(st.integers(0, longest)),
        longest=longest,
    )


TOYS = st.builds(
    Toy,
    vocabulary=st.sampled_from([4, 12, 400]),
    seed=st.integers(0, 1000),
    ending=st.sampled_from([-4.0, -2.0, 0.0]),
    sharpness=st.sampled_from([0.5, 3.0]),
)


@pytest.mark.parametrize("strategy", ["greedy", "beam", "sample"])
@hypothesis_settings(max_examples=100)
@given(data=st.data(), model=TOYS, forbidden=st.sampled_from([(), (0,), (0, 2)]))
def test_replies_are_those_of_a_plain_decoder(
    strategy: Literal["greedy", "beam", "sample"], data: st.DataObject, model: Toy, forbidden: tuple[int, ...]
) -> None:
    settings = data.draw(decodings(strategy))
    expected = [
        reference(partial(model.scores, context), settings, end=model.end, seed=seed, forbidden=forbidden)
        for seed, context in enumerate(model.contexts(6))
    ]
    require_the_same(replies(model, settings, forbidden=forbidden), expected)


@pytest.mark.parametrize("settings", STRATEGIES, ids=lambda each: each.strategy)
def test_a_reply_does_not_depend_on_what_it_is_decoded_with(settings: Decoding) -> None:
    model = Toy()
    contexts, seeds = model.contexts(8), list(range(8))
    together = decode(model, Memory(contexts), settings, rows=8, seeds=seeds)
    turned = decode(model, Memory(contexts.flip(0)), settings, rows=8, seeds=seeds[::-1])
    alone = [
        decode(model, Memory(contexts[row : row + 1]), settings, rows=1, seeds=[seed])[0]
        for row, seed in enumerate(seeds)
    ]
    assert len({reply.tokens for reply in together}) > 4
    require_the_same(turned[::-1], together)
    require_the_same(alone, together)


@pytest.mark.parametrize("settings", STRATEGIES, ids=lambda each: each.strategy)
def test_a_stream_is_the_reply_token_by_token(settings: Decoding) -> None:
    model = Toy()
    for seed, context in enumerate(model.contexts(4)):
        streamed = tuple(stream(model, Memory(context[None]), settings, seed=seed))
        assert streamed == decode(model, Memory(context[None]), settings, rows=1, seeds=[seed])[0].tokens


def test_a_token_is_there_before_the_next_is_asked_for() -> None:
    model = Toy(ending=-40)
    tokens = stream(model, Memory(model.contexts(1)), Decoding())
    for asked in range(1, 5):
        next(tokens)
        assert len(model.rows_stepped) == asked


def test_an_abandoned_stream_leaves_gradients_as_they_were() -> None:
    model = Toy(ending=-40)
    next(stream(model, Memory(model.contexts(1)), Decoding()))
    assert not torch.is_inference_mode_enabled()
    assert (torch.ones(1, requires_grad=True) * 2).requires_grad


@pytest.mark.parametrize("strategy", ["greedy", "sample"])
def test_a_finished_reply_leaves_the_batch(strategy: Literal["greedy", "sample"]) -> None:
    model = Toy()
    said = replies(model, Decoding(strategy=strategy, longest=20), count=16)
    lengths = [len(reply.tokens) for reply in said]
    assert len(set(lengths)) > 4
    assert max(lengths) < 20
    assert model.rows_stepped == [
        sum(length >= step for length in lengths) for step in range(max(lengths) + 1)
    ]  # a reply's end is a step of its own


def test_a_seed_is_needed_for_every_reply_that_is_drawn() -> None:
    model = Toy()
    with pytest.raises(UsageError, match="each of 2 replies is drawn with a seed of its own, and there are 1 seeds"):
        decode(model, Memory(model.contexts(2)), Decoding(strategy="sample"), rows=2, seeds=[0])


def test_the_end_cannot_be_forbidden() -> None:
    with pytest.raises(UsageError, match="the token 1 ends a reply"):
        replies(Toy(), Decoding(), forbidden=(0, 1))


@pytest.mark.parametrize("settings", STRATEGIES, ids=lambda each: each.strategy)
def test_what_is_forbidden_is_never_said(settings: Decoding) -> None:
    model = Toy()
    free = {token for reply in replies(model, settings) for token in reply.tokens}
    assert {3, 7} <= free
    bound = {token for reply in replies(model, settings, forbidden=(3, 7)) for token in reply.tokens}
    assert bound
    assert not bound & {3, 7}


@pytest.mark.parametrize("settings", STRATEGIES, ids=lambda each: each.strategy)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_blocking_lets_no_sequence_of_that_length_repeat(settings: Decoding, order: int) -> None:
    def repeats(said: list[Said]) -> int:
        sequences = [list(zip(*(reply.tokens[at:] for at in range(order)), strict=False)) for reply in said]
        return sum(len(each) - len(set(each)) for each in sequences)

    model = Toy(ending=-40, vocabulary=5, sharpness=4)
    settings = replace(settings, longest=12)
    assert repeats(replies(model, settings)) > 0
    assert repeats(replies(model, replace(settings, block=order))) == 0


@pytest.mark.parametrize("settings", STRATEGIES, ids=lambda each: each.strategy)
def test_replies_are_no_shorter_and_no_longer_than_was_asked(settings: Decoding) -> None:
    model = Toy()
    free = [len(reply.tokens) for reply in replies(model, settings, count=16)]
    assert min(free) < 4
    assert max(free) > 7
    bound = [len(reply.tokens) for reply in replies(model, replace(settings, shortest=4, longest=7), count=16)]
    assert min(bound) >= 4
    assert max(bound) <= 7


def test_the_log_probability_is_that_of_all_tokens_and_the_end() -> None:
    model = Toy()
    context = model.contexts(1)
    (reply,) = decode(model, Memory(context), Decoding(), rows=1)
    assert 0 < len(reply.tokens) < 50
    expected = 0.0
    for length, token in enumerate((*reply.tokens, model.end)):
        expected += torch.tensor(model.scores(context[0], reply.tokens[:length])).double().log_softmax(0)[token].item()
    assert reply.log_probability == pytest.approx(expected, rel=1e-5)
