"""Layers one on the other: an encoder of contexts, and a decoder that writes beside a memory of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from torch import Tensor, nn

from empathic.models.layers import DecoderLayer, EncoderLayer, Keys, State

__all__ = ["Decoder", "Encoder"]


class Encoder(nn.Module):
    """Layers over positions that all see each other."""

    def __init__(self, layers: Iterable[EncoderLayer], norm: nn.Module) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.norm = norm

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """The context (B, T, W), refined; `mask` (B, T) is false for padding."""
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)  # type: ignore[no-any-return]


class Decoder(nn.Module):
    """Layers over a response that see what was said so far, and a memory."""

    def __init__(self, layers: Iterable[DecoderLayer]) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def _each(self) -> Iterator[DecoderLayer]:
        return iter(cast("Iterable[DecoderLayer]", self.layers))

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """A whole response (B, L, W), refined, beside a memory (B, T, W) with its mask (B, T), false for padding."""
        reachable = _reachable(mask)
        for layer in self._each():
            x = layer(x, layer.across.keys(memory), reachable)
        return x

    def remember(self, state: State, name: str, memory: Tensor, mask: Tensor) -> None:
        """Lets a state keep, under a name, what the layers attend to."""
        state.kept[f"{name}.mask"] = _reachable(mask)
        for number, layer in enumerate(self._each()):
            keys, values = layer.across.keys(memory)
            state.kept[f"{name}.{number}.memory.keys"] = keys
            state.kept[f"{name}.{number}.memory.values"] = values

    def step(self, x: Tensor, state: State, name: str) -> Tensor:
        """The newest position (B, 1, W), refined, with all that the state keeps under the name."""
        for number, layer in enumerate(self._each()):
            of = f"{name}.{number}"
            memory: Keys = state.kept[f"{of}.memory.keys"], state.kept[f"{of}.memory.values"]
            x = layer(x, memory, state.kept[f"{name}.mask"], (state, of))
        return x


def _reachable(mask: Tensor) -> Tensor:
    """(B, 1, 1, T), as attention wants it."""
    return mask[..., None, None, :]
