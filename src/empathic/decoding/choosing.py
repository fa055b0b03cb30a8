"""Choosing the next token of several replies from the scores of all tokens."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from empathic.decoding.settings import Decoding

__all__ = ["chances", "choose"]

FEW = 256
"""So many of the likeliest tokens are looked at first: mostly they suffice, and all would take long to sort."""


def chances(seeds: Sequence[int], count: int) -> Tensor:
    """Numbers from [0, 1), so many a seed: (seeds, count); each row depends on its own seed alone."""
    # Drawn on the CPU, so that a seed means the same on every device.
    return torch.stack([torch.rand(count, generator=torch.Generator().manual_seed(seed)) for seed in seeds])


def choose(scores: Tensor, settings: Decoding, chance: Tensor | None) -> Tensor:
    """The next token of each row: (rows,).

    Args:
        scores: (rows, vocabulary), minus infinity for what may not come; not changed.
        settings: How to draw.
        chance: A number from [0, 1) for each row; without it, the likeliest is taken.
    """
    if chance is None:
        return scores.argmax(1)
    # Only differences count, and below the highest score no temperature makes too large a number.
    heights = (scores - scores.amax(1, keepdim=True)) / settings.temperature
    likely, tokens = heights.topk(min(settings.top_k or FEW, heights.shape[1]))
    whole = (likely if settings.top_k else heights).logsumexp(1, keepdim=True)
    probabilities = (likely - whole).exp()
    drawn = tokens.gather(1, _draw(probabilities, settings.top_p, chance))[:, 0]
    flat = [] if settings.top_k else (probabilities.sum(1) < settings.top_p).nonzero()[:, 0].tolist()
    if flat:
        likely, tokens = heights[flat].sort(1, descending=True)
        drawn[flat] = tokens.gather(1, _draw((likely - whole[flat]).exp(), settings.top_p, chance[flat]))[:, 0]
    return drawn


def _draw(probabilities: Tensor, top_p: float, chance: Tensor) -> Tensor:
    """Which place of each row is drawn: (rows, 1); the likeliest come first."""
    # A token stays in while those ahead of it have not reached top_p together; the first one always does.
    kept = probabilities * (probabilities.cumsum(1) - probabilities < top_p)
    reached = kept.cumsum(1)
    return (reached > chance[:, None] * reached[:, -1:]).to(torch.uint8).argmax(1, keepdim=True)
