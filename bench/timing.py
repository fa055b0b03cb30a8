"""How benchmarks take the time, and how they name the machine."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable

import torch

__all__ = ["best", "machine"]


def best(*works: Callable[[], object], runs: int) -> list[float]:
    """The shortest time of each, in turns, after a first round that nobody counts."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(runs + 1):
        for taken, work in zip(times, works, strict=True):
            begun_at = time.perf_counter()
            work()
            taken.append(time.perf_counter() - begun_at)
    return [min(taken[1:]) for taken in times]


def machine(device: torch.device) -> str:
    """What is measured on."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    threads = torch.get_num_threads()
    return f"{platform.machine()}, {os.cpu_count()} cores, {threads} thread{'s' if threads > 1 else ''}"
