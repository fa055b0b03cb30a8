"""Choosing the next token from the scores of all."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import msgspec
import torch
from torch import Tensor

__all__ = ["Sampling", "choose"]


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """How the next token is chosen."""

    temperature: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.7
    """Below 1 the likely become likelier; 0 takes the likeliest always."""
    top_p: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.9
    """Only the likeliest tokens that together have this probability are drawn from."""
    repetition_penalty: Annotated[float, msgspec.Meta(ge=1, le=10)] = 1.1
    """Scores of tokens said before are divided by this (multiplied where they are negative); 1 leaves them alone."""


def choose(scores: Tensor, sampling: Sampling, *, said: Collection[int], generator: torch.Generator) -> int:
    """The next token.

    Args:
        scores: One score a token of the vocabulary; not changed.
        sampling: How to choose.
        said: The tokens of this answer so far.
        generator: Where the chance comes from.
    """
    scores = scores.float()
    if sampling.repetition_penalty != 1 and said:
        before = torch.tensor(sorted(set(said)))
        penalised = scores[before]
        penalised = torch.where(
            penalised > 0, penalised / sampling.repetition_penalty, penalised * sampling.repetition_penalty
        )
        scores = scores.index_copy(0, before, penalised)
    if sampling.temperature == 0:
        return int(scores.argmax())
    probabilities, tokens = torch.softmax(scores / sampling.temperature, dim=-1).sort(descending=True)
    # A token stays in while those ahead of it have not reached top_p together; the first one always does.
    kept = probabilities * (probabilities.cumsum(dim=-1) - probabilities < sampling.top_p)
    return int(tokens[torch.multinomial(kept, 1, generator=generator)])
