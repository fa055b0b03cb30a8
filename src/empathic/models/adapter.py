"""Low-rank adapters: what a pretrained layer learns anew, beside weights that stay as they are.

Hu et al. 2021, LoRA: y = W x + b + (s / r) B A x, with B zero at the beginning, so that nothing changes at first.
"""

from __future__ import annotations

import math
from typing import TypeVar

import torch
from torch import Tensor, nn

__all__ = ["LowRank", "add_adapters", "merge_adapters"]

SCALE = 2.0
L = TypeVar("L", bound=nn.Module)


class LowRank(nn.Module):
    """A linear layer whose own weights stand still, and a product of two thin matrices beside it that learns."""

    def __init__(self, base: nn.Linear, rank: int) -> None:
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.empty(rank, base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, x: Tensor) -> Tensor:
        beside = nn.functional.linear(nn.functional.linear(x, self.down), self.up)
        return self.base(x) + SCALE * beside  # type: ignore[no-any-return]

    def merged(self) -> nn.Linear:
        """A plain layer that computes the same."""
        with torch.no_grad():
            self.base.weight += SCALE * self.up @ self.down
        return self.base


def add_adapters(model: nn.Module, rank: int) -> None:
    """Stands an adapter beside every linear layer of `model` and lets nothing else of it learn."""
    model.requires_grad_(False)
    for parent, name, layer in _layers(model, nn.Linear):
        setattr(parent, name, LowRank(layer, rank))


def merge_adapters(model: nn.Module) -> None:
    """Takes what the adapters learned into the layers beside them."""
    for parent, name, layer in _layers(model, LowRank):
        setattr(parent, name, layer.merged())


def _layers(model: nn.Module, kind: type[L]) -> list[tuple[nn.Module, str, L]]:
    return [
        (parent, name, child)
        for parent in model.modules()
        for name, child in parent.named_children()
        if isinstance(child, kind)
    ]
