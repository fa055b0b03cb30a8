"""What decoding asks of a model, and what it gives back."""

from __future__ import annotations

from typing import Protocol, TypeVar

import msgspec
import torch
from torch import Tensor

__all__ = ["Said", "State", "Talker"]


class State(Protocol):
    """What a model remembers of several contexts and of what has been said to each, a row a context."""

    def select(self, rows: Tensor) -> None:
        """Keeps these rows, in this order; a row may come several times, or not at all."""


S = TypeVar("S", bound=State, contravariant=True)


class Talker(Protocol[S]):
    """A model that says what may come next. Where the state comes from is its own affair."""

    @property
    def begin(self) -> int:
        """The token that a reply is begun with."""

    @property
    def end(self) -> int:
        """The token that ends a reply."""

    @property
    def device(self) -> torch.device:
        """Where its tokens and scores lie."""

    def step(self, tokens: Tensor, state: S) -> Tensor:
        """Takes each row's latest token (rows,) into the state; scores for the next (rows, vocabulary), in fp32."""


class Said(msgspec.Struct, frozen=True):
    """A reply in tokens."""

    tokens: tuple[int, ...]
    """Without the one that begins a reply and the one that ends it."""
    log_probability: float
    """Of all its tokens, and of its end if it came to one, as the model scores them after the repetition penalty."""
