"""Weights in few bytes: whole numbers of eight bits with a scale a row, or half precision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import torch
from torch import Tensor

__all__ = ["Stored", "restored", "rounded"]

Stored = Literal["fp16", "int8"]
SCALE = ".scale"
LEAST = 1024
"""Numbers of a tensor from which on rounding saves anything."""


def rounded(weights: Mapping[str, Tensor], stored: Stored) -> dict[str, Tensor]:
    """Weights as they are saved; of eight bits are matrices alone, since vectors are small and matter more."""
    tensors: dict[str, Tensor] = {}
    for name, weight in weights.items():
        if stored == "fp16" or weight.dim() < 2 or weight.numel() < LEAST:
            tensors[name] = weight.half()
            continue
        # Scales are rounded before they are used, so that what is restored is what was meant.
        scale = (weight.float().abs().amax(-1, keepdim=True) / 127).clamp(min=1e-7).half()
        tensors[name] = torch.round(weight.float() / scale.float()).clamp(-127, 127).to(torch.int8)
        tensors[f"{name}{SCALE}"] = scale
    return tensors


def restored(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights as a model computes with them."""
    return {
        name: tensor.float() * (tensors[f"{name}{SCALE}"].float() if f"{name}{SCALE}" in tensors else 1.0)
        for name, tensor in tensors.items()
        if not name.endswith(SCALE)
    }
