"""Beam search over many contexts at a time.

Each context has `beams` open replies. Of all their continuations the 2 * `beams` likeliest are looked at: one that ends
its reply and is among the first `beams` is finished, and the likeliest `beams` of the others stay open.

A context is done, and leaves with all its beams, once nothing open can beat its best finished reply. Log-probabilities
only fall, and one below zero is divided by most at the greatest length, so that an open reply comes to no more than
log-probability / `longest`**`length_norm`. Stopping there changes nothing in what is found; implementations that stop
when the likeliest beam ends may miss a better reply.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor

from empathic.decoding.interface import Said, State, Talker
from empathic.decoding.limits import NEVER, forbid, never_said, penalise
from empathic.decoding.settings import Decoding

__all__ = ["search"]

S = TypeVar("S", bound=State)


class _Candidates(NamedTuple):
    """Open replies, each with one token more, the likeliest of a context first: (contexts, candidates) each."""

    totals: Tensor
    """The log-probability of each with its token."""
    tokens: Tensor
    parents: Tensor
    """Which open reply each goes on with, as a row of the state."""


class _Best:
    """The best finished reply of every row."""

    def __init__(self, rows: int, norm: float) -> None:
        self.norm = norm
        self.replies = [Said((), NEVER)] * rows
        self.scores = [NEVER] * rows

    def beaten_by(self, total: float, length: int, row: int) -> bool:
        """Whether a reply of that log-probability and length, its end counted, is better than what is there."""
        return self._score(total, length) > self.scores[row]

    def take(self, reply: list[int], total: float, row: int) -> None:
        self.replies[row] = Said(tuple(reply), total)
        self.scores[row] = self._score(total, len(reply) + 1)

    def _score(self, total: float, length: int) -> float:
        return float(total / length**self.norm)


@torch.inference_mode()
def search(model: Talker[S], state: S, settings: Decoding, *, rows: int, forbidden: Collection[int]) -> list[Said]:
    """The best finished reply of each row, or the likeliest open one where none has ended within `longest` tokens."""
    never = never_said(model, forbidden)
    best = _Best(rows, settings.length_norm)
    contexts = list(range(rows))
    tokens = torch.full((rows,), model.begin, device=model.device)
    said = tokens.new_empty(rows, 0)
    totals = torch.zeros(rows, 1, device=model.device)  # (contexts, beams), of which there is one at first
    for length in range(1, settings.longest + 1):
        scores = penalise(model.step(tokens, state), said, settings.repetition_penalty)
        allowed = forbid(scores, said, settings, end=model.end, never=never)
        candidates = _candidates(allowed, scores.logsumexp(1), totals, 2 * settings.beams)
        ends = candidates.tokens == model.end
        _finish(candidates, ends[:, : settings.beams], said, contexts, best)

        totals, opened = candidates.totals.masked_fill(ends, NEVER).topk(min(settings.beams, ends.shape[1]))
        bounds = zip(contexts, totals[:, 0].tolist(), strict=True)
        going = [place for place, (row, total) in enumerate(bounds) if best.beaten_by(total, settings.longest, row)]
        contexts = [contexts[place] for place in going]
        if not contexts:
            return best.replies
        kept = torch.tensor(going, device=model.device)
        totals = totals[kept]
        parents = candidates.parents.gather(1, opened)[kept].flatten()
        tokens = candidates.tokens.gather(1, opened)[kept].flatten()
        said = torch.cat([said[parents], tokens[:, None]], 1)
        if length < settings.longest:
            state.select(parents)
    likeliest = said.view(*totals.shape, -1)[:, 0].tolist()
    for row, reply, total in zip(contexts, likeliest, totals[:, 0].tolist(), strict=True):
        if best.scores[row] == NEVER:
            best.replies[row] = Said(tuple(reply), total)
    return best.replies


def _candidates(allowed: Tensor, whole: Tensor, totals: Tensor, count: int) -> _Candidates:
    """The likeliest continuations of each context.

    Args:
        allowed: The scores of what may come next: (contexts * beams, vocabulary).
        whole: What makes a log-probability of a score when taken from it: (contexts * beams,).
        totals: The log-probability of what is open: (contexts, beams).
        count: How many.
    """
    contexts, beams = totals.shape
    scores, tokens = allowed.topk(min(count, allowed.shape[1]))
    gained = (scores - whole[:, None]).view(contexts, beams, -1)
    likeliest, places = (totals[:, :, None] + gained).flatten(1).topk(min(count, gained.shape[1] * gained.shape[2]))
    beam = places // gained.shape[2]
    first = torch.arange(contexts, device=totals.device)[:, None] * beams
    return _Candidates(likeliest, tokens.view(contexts, -1).gather(1, places), first + beam)


def _finish(candidates: _Candidates, ends: Tensor, said: Tensor, contexts: list[int], best: _Best) -> None:
    """Takes note of the replies that have just ended and are better than those that ended before."""
    # All are of one length, so that the likeliest is the best of them.
    totals, places = candidates.totals[:, : ends.shape[1]].where(ends, NEVER).max(1)
    parents = candidates.parents.gather(1, places[:, None])[:, 0]
    length = said.shape[1] + 1
    for row, total, parent in zip(contexts, totals.tolist(), parents, strict=True):
        if best.beaten_by(total, length, row):
            best.take(said[parent].tolist(), total, row)
