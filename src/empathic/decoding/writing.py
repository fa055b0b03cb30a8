"""Replies written token by token, several at a time; each leaves as soon as it has ended."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, TypeVar

import torch

from empathic.decoding.choosing import chances, choose
from empathic.decoding.interface import State, Talker
from empathic.decoding.limits import forbid, never_said, penalise
from empathic.decoding.settings import Decoding
from empathic.errors import UsageError

__all__ = ["Chosen", "write"]

S = TypeVar("S", bound=State)


class Chosen(NamedTuple):
    """A token that was chosen; a reply's last one may be the model's `end`."""

    row: int
    """Of the state as it was at the beginning."""
    token: int
    log_probability: float


@torch.inference_mode()
def write(
    model: Talker[S], state: S, settings: Decoding, *, rows: int, seeds: Sequence[int], forbidden: Collection[int]
) -> Iterator[Chosen]:
    """Tokens as they are chosen, greedily or by chance: the first of every reply, the second of every reply ..."""
    by_chance = settings.strategy == "sample" and settings.temperature > 0
    if by_chance and len(seeds) != rows:
        raise UsageError(f"each of {rows} replies is drawn with a seed of its own, and there are {len(seeds)} seeds")
    chance = chances(seeds, settings.longest).to(model.device) if by_chance else None
    never = never_said(model, forbidden)
    tokens = torch.full((rows,), model.begin, device=model.device)
    said = tokens.new_empty(rows, 0)
    open_rows = list(range(rows))
    while True:
        scores = penalise(model.step(tokens, state), said, settings.repetition_penalty)
        allowed = forbid(scores, said, settings, end=model.end, never=never)
        tokens = choose(allowed, settings, None if chance is None else chance[:, said.shape[1]])
        gained = scores.gather(1, tokens[:, None])[:, 0] - scores.logsumexp(1)
        chosen = tokens.tolist()
        yield from map(Chosen, open_rows, chosen, gained.tolist())
        said = torch.cat([said, tokens[:, None]], 1)
        going = [place for place, token in enumerate(chosen) if token != model.end]
        if not going or said.shape[1] == settings.longest:
            return
        if len(going) < len(open_rows):
            kept = torch.tensor(going, device=model.device)
            state.select(kept)
            tokens, said = tokens[kept], said[kept]
            chance = None if chance is None else chance[kept]
            open_rows = [open_rows[place] for place in going]
