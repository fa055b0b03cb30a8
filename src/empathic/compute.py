"""What is computed on: the device, and the precision that it is quick in."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Literal

import torch

from empathic.errors import UsageError

__all__ = ["Precision", "choose_device", "computing", "device_name"]

Precision = Literal["fp32", "bf16"]


def choose_device(name: str | None = None) -> torch.device:
    """The device of that name; by default a GPU where there is one."""
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"there is no device {name!r} to compute on here: {reason}", remedy="name cpu") from error
    return device


def computing(device: torch.device, precision: Precision) -> AbstractContextManager[object]:
    """Inside, matrices are multiplied in that precision: in bfloat16 only where the device has units for it."""
    if precision == "bf16" and _multiplies_bf16(device):
        return torch.autocast(device.type, torch.bfloat16)
    return nullcontext()


def device_name(device: torch.device) -> str:
    """What a figure was measured on."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else f"CPU, {torch.get_num_threads()} threads"


def _multiplies_bf16(device: torch.device) -> bool:
    if device.type != "cpu":
        return device.type == "cuda"
    capabilities: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()  # older torch cannot tell
    return bool(capabilities.get("amx_bf16") or capabilities.get("avx512_bf16"))
