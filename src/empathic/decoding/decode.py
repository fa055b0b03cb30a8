"""Replies to many contexts at once, or one as it is written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

from empathic.decoding.beam import search
from empathic.decoding.interface import Said, State, Talker
from empathic.decoding.settings import Decoding
from empathic.decoding.writing import write

__all__ = ["decode", "stream"]

S = TypeVar("S", bound=State)


def decode(
    model: Talker[S],
    state: S,
    settings: Decoding,
    *,
    rows: int,
    seeds: Sequence[int] = (),
    forbidden: Collection[int] = (),
) -> list[Said]:
    """A reply to each context, in their order; none depends on what it is decoded together with.

    Args:
        model: Who replies.
        state: What it remembers of the contexts; used up by this.
        settings: How to decode.
        rows: How many contexts the state holds.
        seeds: Where chance comes from, one for each context; needed where it decides.
        forbidden: Tokens that are never said: padding, marks of who speaks.
    """
    if settings.strategy == "beam":
        return search(model, state, settings, rows=rows, forbidden=forbidden)
    tokens: list[list[int]] = [[] for _ in range(rows)]
    totals = [0.0] * rows
    for row, token, log_probability in write(model, state, settings, rows=rows, seeds=seeds, forbidden=forbidden):
        totals[row] += log_probability
        if token != model.end:
            tokens[row].append(token)
    return [Said(tuple(reply), total) for reply, total in zip(tokens, totals, strict=True)]


def stream(
    model: Talker[S], state: S, settings: Decoding, *, seed: int = 0, forbidden: Collection[int] = ()
) -> Iterator[int]:
    """The tokens of the reply to one context, each as soon as it is chosen; a beam search knows them at the end only.

    It is the same reply that `decode` gives with that seed.
    """
    if settings.strategy == "beam":
        yield from search(model, state, settings, rows=1, forbidden=forbidden)[0].tokens
        return
    for _, token, _ in write(model, state, settings, rows=1, seeds=(seed,), forbidden=forbidden):
        if token != model.end:
            yield token
