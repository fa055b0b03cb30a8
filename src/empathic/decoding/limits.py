"""What a reply may not say, or had better not: many replies of one length at a time, without waiting for the device."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import torch
from torch import Tensor, where

from empathic.decoding.interface import Talker
from empathic.decoding.settings import Decoding
from empathic.errors import UsageError

__all__ = ["NEVER", "forbid", "never_said", "penalise"]

NEVER = float("-inf")


def never_said(model: Talker[Any], tokens: Collection[int]) -> Tensor:
    """The tokens that a model must not say, where its scores lie."""
    if model.end in tokens:
        raise UsageError(f"the token {model.end} ends a reply, and cannot be forbidden")
    return torch.tensor(sorted(tokens), dtype=torch.int64, device=model.device)


def penalise(scores: Tensor, said: Tensor, penalty: float) -> Tensor:
    """Makes unlikelier what was said before.

    Args:
        scores: (rows, vocabulary); not changed.
        said: The tokens of each reply so far: (rows, length).
        penalty: What positive scores are divided by, and negative ones multiplied.
    """
    if penalty == 1:
        return scores
    before = scores.gather(1, said)
    return scores.scatter(1, said, where(before > 0, before / penalty, before * penalty))


def forbid(scores: Tensor, said: Tensor, settings: Decoding, *, end: int, never: Tensor) -> Tensor:
    """The scores with minus infinity for what may not come next.

    Where nothing else may come, a reply ends, however short it is.

    Args:
        scores: (rows, vocabulary); not changed.
        said: The tokens of each reply so far: (rows, length).
        settings: How many tokens may not repeat in a row, and how short a reply may be.
        end: The token that ends a reply.
        never: Tokens that are never said.
    """
    allowed = scores.index_fill(1, never, NEVER)
    length = said.shape[1]
    if settings.block and length >= settings.block:
        windows = said.unfold(1, settings.block, 1)
        latest = said[:, length - settings.block + 1 :]
        again = (windows[:, :, :-1] == latest[:, None]).all(2)
        # A token may follow several windows, of which one alone has to match.
        limits = where(again, NEVER, -NEVER).to(scores.dtype)
        allowed.scatter_reduce_(1, windows[:, :, -1], limits, "amin")
    if length < settings.shortest:
        allowed[:, end] = NEVER
        allowed[:, end] = where(allowed.amax(1) == NEVER, scores[:, end], NEVER)
    return allowed
