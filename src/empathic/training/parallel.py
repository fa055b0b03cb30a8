"""One process, or several under torchrun that work as one: the same batches, cut among them, and one gradient."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn

from empathic.compute import choose_device

__all__ = ["Workers", "join"]


@dataclass(frozen=True)
class Workers:
    """Which process of how many this one is, and what it computes on."""

    device: torch.device
    rank: int = 0
    count: int = 1

    @property
    def leads(self) -> bool:
        """Whether this process writes files and speaks."""
        return self.rank == 0

    def share(self, items: Sequence[int]) -> Sequence[int]:
        """This process's part of a batch."""
        return items[self.rank :: self.count]

    def total(self, numbers: Tensor) -> Tensor:
        """The sum over all processes."""
        if self.count > 1:
            dist.all_reduce(numbers)
        return numbers

    def totals(self, numbers: list[int]) -> list[int]:
        """The same for plain numbers, which a single process need not send to the GPU and back."""
        if self.count == 1:
            return numbers
        return [int(number) for number in self.total(torch.tensor(numbers, device=self.device)).tolist()]

    def wait(self) -> None:
        """Until all processes have come this far."""
        if self.count > 1:
            dist.barrier()

    def sum_gradients(self, weights: Iterable[nn.Parameter]) -> None:
        """Gives every process the sum of all gradients."""
        if self.count == 1:
            return
        learning = [weight for weight in weights if weight.requires_grad]
        for weight in learning:
            if weight.grad is None:
                weight.grad = torch.zeros_like(weight)
        flat = torch.cat([weight.grad.reshape(-1) for weight in learning if weight.grad is not None])
        dist.all_reduce(flat)
        begin = 0
        for weight in learning:
            size = weight.numel()
            weight.grad = flat[begin : begin + size].view_as(weight)
            begin += size

    def told(self, thing: Any) -> Any:
        """What the leading process knows."""
        if self.count == 1:
            return thing
        box = [thing]
        dist.broadcast_object_list(box)
        return box[0]


@contextmanager
def join(device: str | None = None) -> Iterator[Workers]:
    """Joins the other processes where torchrun started several, until the block ends."""
    count = int(os.environ.get("WORLD_SIZE", "1"))
    rank = int(os.environ.get("RANK", "0"))
    chosen = choose_device(device)
    if device is None and chosen.type == "cuda":
        chosen = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    if chosen.type == "cuda":
        torch.cuda.set_device(chosen)
    workers = Workers(chosen, rank, count)
    if count == 1:
        yield workers
        return
    dist.init_process_group("nccl" if chosen.type == "cuda" else "gloo")
    try:
        yield workers
        workers.wait()  # the first to leave would take the others' meeting place with it
    finally:
        dist.destroy_process_group()
