"""The layers that the encoder-decoder systems are built of; each can stand several times side by side.

B contexts, T positions, W numbers wide. With `copies`, a layer holds n of its kind that compute at once, and what flows
through it is (n, B, T, W): that is how MoEL's listeners are held. Vaswani et al. 2017; convolutions between positions
and the width of keys as in the code of MoEL and those after it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

__all__ = [
    "Attention",
    "DecoderLayer",
    "EncoderLayer",
    "FeedForward",
    "Keys",
    "LayerShape",
    "Linear",
    "Norm",
    "State",
    "Window",
    "sinusoids",
]

Keys = tuple[Tensor, Tensor]
"""Keys and values of positions that can be attended to: (B, heads, T, W of a head) each."""
Between = Literal["convolutions", "linear"]
"""What stands behind attention: two convolutions over three positions, or two linear maps of each position alone."""
KERNEL = 3
BATCH = -4
"""Whatever a state keeps has its contexts in the fourth dimension from behind."""


class State:
    """What a model remembers of contexts and of what it has said to each."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.said = 0
        """Tokens that each row has taken in."""
        self.kept: dict[str, Tensor] = {}

    def select(self, rows: Tensor) -> None:
        """Keeps these rows, in this order; one may come several times, or not at all."""
        self.rows = len(rows)
        for name, tensor in self.kept.items():
            self.kept[name] = tensor.index_select(tensor.dim() + BATCH, rows)

    def extended(self, name: str, new: Tensor) -> Tensor:
        """What is kept under a name with `new` behind its positions, which from now on is kept there."""
        there = self.kept.get(name)
        self.kept[name] = new if there is None else torch.cat((there, new), -2)
        return self.kept[name]


class Linear(nn.Module):
    """A linear map, or n of them side by side."""

    def __init__(
        self,
        inputs: int,
        outputs: int,
        *,
        bias: bool = True,
        copies: int | None = None,
        tied_to: nn.Embedding | None = None,
    ) -> None:
        """Sets it up.

        Args:
            inputs: The width of what comes in.
            outputs: The width of what comes out.
            bias: Whether something is added behind the map.
            copies: How many maps stand side by side.
            tied_to: A table whose vectors are the map's rows.
        """
        super().__init__()
        self.copies = copies
        shape = (outputs, inputs) if copies is None else (copies, inputs, outputs)
        self.weight = nn.Parameter(torch.empty(shape)) if tied_to is None else tied_to.weight
        self.bias = nn.Parameter(torch.zeros(outputs if copies is None else (copies, 1, outputs))) if bias else None
        if tied_to is None:  # Glorot & Bengio 2010, for each of the maps
            nn.init.uniform_(self.weight, -math.sqrt(6 / (inputs + outputs)), math.sqrt(6 / (inputs + outputs)))

    def forward(self, x: Tensor) -> Tensor:
        if self.copies is None:
            return nn.functional.linear(x, self.weight, self.bias)
        if x.dim() == 3:  # the same for all
            x = x.expand(self.copies, *x.shape)
        flat = x.reshape(self.copies, -1, x.shape[-1])
        mapped = torch.bmm(flat, self.weight) if self.bias is None else torch.baddbmm(self.bias, flat, self.weight)
        return mapped.view(*x.shape[:-1], -1)


class Norm(nn.Module):
    """Layer normalisation."""

    def __init__(self, width: int, *, copies: int | None = None, epsilon: float = 1e-6) -> None:
        super().__init__()
        self.width = (width,)
        self.copies = copies
        self.epsilon = epsilon
        shape = (width,) if copies is None else (copies, 1, 1, width)
        self.weight = nn.Parameter(torch.ones(shape))
        self.bias = nn.Parameter(torch.zeros(shape))

    def forward(self, x: Tensor) -> Tensor:
        if self.copies is None:
            return nn.functional.layer_norm(x, self.width, self.weight, self.bias, self.epsilon)
        return nn.functional.layer_norm(x, self.width, eps=self.epsilon) * self.weight + self.bias


class Attention(nn.Module):
    """Scaled dot-product attention of several heads; keys and values may be narrower than what flows."""

    def __init__(
        self,
        width: int,
        heads: int,
        *,
        depth: int | None = None,
        memory: int | None = None,
        bias: bool = False,
        dropout: float = 0.0,
        copies: int | None = None,
    ) -> None:
        """Sets it up.

        Args:
            width: What flows.
            heads: How many.
            depth: Of all heads' keys together; `width` by default.
            memory: The width of what is attended to; `width` by default.
            bias: Whether the maps have one.
            dropout: Of the weights.
            copies: How many stand side by side.
        """
        super().__init__()
        depth, memory = depth or width, memory or width
        self.heads = heads
        self.dropout = dropout
        self.query = Linear(width, depth, bias=bias, copies=copies)
        self.key = Linear(memory, depth, bias=bias, copies=copies)
        self.value = Linear(memory, depth, bias=bias, copies=copies)
        self.output = Linear(depth, width, bias=bias, copies=copies)

    def keys(self, memory: Tensor) -> Keys:
        """What can be attended to in a memory."""
        return self._parted(self.key(memory)), self._parted(self.value(memory))

    def _parted(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:-1], self.heads, -1).transpose(-2, -3)

    def forward(self, x: Tensor, keys: Keys, mask: Tensor | None = None, *, causal: bool = False) -> Tensor:
        """Attends to every position that `mask` (B, 1, 1, T) is true for, or to none that comes later."""
        query = self._parted(self.query(x))
        copies, flat = query.shape[:-4], query.shape[-4:]
        if copies and mask is not None:
            mask = mask.expand(*copies, *mask.shape[BATCH:]).flatten(0, 1)
        key, value = (each.reshape(-1, *each.shape[-3:]) for each in keys)
        attended = nn.functional.scaled_dot_product_attention(
            query.reshape(-1, *flat[1:]),
            key,
            value,
            attn_mask=mask,
            dropout_p=self.dropout if self.training else 0.0,
            is_causal=causal,
        )
        joined = attended.transpose(-2, -3).flatten(-2).view(*copies, *flat[:-3], flat[-2], -1)
        return self.output(joined)  # type: ignore[no-any-return]


class Window(nn.Module):
    """Two convolutions over three positions: around each, or up to it."""

    def __init__(self, width: int, inner: int, *, causal: bool, dropout: float, copies: int | None = None) -> None:
        super().__init__()
        self.sides = (KERNEL - 1, 0) if causal else (KERNEL // 2, KERNEL // 2)
        self.first = Linear(KERNEL * width, inner, copies=copies)
        self.second = Linear(KERNEL * inner, width, copies=copies)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None, cache: tuple[State, str] | None = None) -> Tensor:
        """What the convolutions make of x.

        Args:
            x: (B, T, W).
            mask: (B, T, 1), zero for padding, which must not be seen by its neighbours.
            cache: Where and under which name the positions before x are kept, if x continues them.
        """
        hidden = torch.relu(self.first(self._windows(x, mask, cache, "first")))
        return self.second(self._windows(self.dropout(hidden), mask, cache, "second"))  # type: ignore[no-any-return]

    def _windows(self, x: Tensor, mask: Tensor | None, cache: tuple[State, str] | None, which: str) -> Tensor:
        """(B, T, 3 W): every position with its neighbours."""
        if mask is not None:
            x = x * mask
        if cache is None:
            x = nn.functional.pad(x, (0, 0, *self.sides))
        else:
            state, name = cache
            name = f"{name}.{which}"
            before = state.kept.get(name)
            if before is None:
                before = x.new_zeros(*x.shape[:-2], 1, KERNEL - 1, x.shape[-1])
            whole = torch.cat((before, x.unsqueeze(-3)), -2)
            state.kept[name] = whole[..., 1 - KERNEL :, :]
            x = whole.squeeze(-3)
        return x.unfold(-2, KERNEL, 1).transpose(-1, -2).flatten(-2)


class FeedForward(nn.Module):
    """Two linear maps of each position alone."""

    def __init__(self, width: int, inner: int, *, dropout: float, copies: int | None = None) -> None:
        super().__init__()
        self.first = Linear(width, inner, copies=copies)
        self.second = Linear(inner, width, copies=copies)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, _mask: Tensor | None = None, _cache: tuple[State, str] | None = None) -> Tensor:
        return self.second(self.dropout(nn.functional.gelu(self.first(x))))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class LayerShape:
    """What a layer is like, of an encoder as of a decoder."""

    width: int
    heads: int
    inner: int
    depth: int | None = None
    """Of all heads' keys together; the width by default."""
    between: Between = "convolutions"
    dropout: float = 0.0
    norm_first: bool = True
    """Whether a layer normalises what it takes in, instead of what it gives."""

    def attention(self, copies: int | None = None) -> Attention:
        """Attention as such a layer has it."""
        bias = self.between == "linear"
        return Attention(self.width, self.heads, depth=self.depth, bias=bias, dropout=self.dropout, copies=copies)

    def behind(self, *, causal: bool, copies: int | None = None) -> nn.Module:
        """What stands behind attention."""
        if self.between == "linear":
            return FeedForward(self.width, self.inner, dropout=self.dropout, copies=copies)
        return Window(self.width, self.inner, causal=causal, dropout=self.dropout, copies=copies)


class EncoderLayer(nn.Module):
    """Attention within the context, and what stands behind it; each beside a way round it."""

    def __init__(self, shape: LayerShape) -> None:
        super().__init__()
        self.norm_first = shape.norm_first
        self.attention = shape.attention()
        self.behind = shape.behind(causal=False)
        self.norms = nn.ModuleList(Norm(shape.width) for _ in range(2))
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """The context (B, T, W), refined; `mask` (B, T) is false for padding."""
        attended, there = mask[:, None, None, :], mask[:, :, None].to(x.dtype)
        first, second = self.norms
        if self.norm_first:
            normed = first(x)
            x = x + self.dropout(self.attention(normed, self.attention.keys(normed), attended))
            return x + self.dropout(self.behind(second(x), there))  # type: ignore[no-any-return]
        x = first(x + self.dropout(self.attention(x, self.attention.keys(x), attended)))
        return second(x + self.dropout(self.behind(x, there)))  # type: ignore[no-any-return]


class DecoderLayer(nn.Module):
    """Attention to what was said, attention to the memory, and what stands behind them."""

    def __init__(self, shape: LayerShape, *, copies: int | None = None) -> None:
        super().__init__()
        self.norm_first = shape.norm_first
        self.own = shape.attention(copies)
        self.across = shape.attention(copies)
        self.behind = shape.behind(causal=True, copies=copies)
        self.norms = nn.ModuleList(Norm(shape.width, copies=copies) for _ in range(3))
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor, memory: Keys, mask: Tensor, cache: tuple[State, str] | None = None) -> Tensor:
        """The response as far as it is known, refined.

        Args:
            x: (B, L, W): all that was said, or with a cache the newest alone.
            memory: `across.keys` of what is attended to.
            mask: (B, 1, 1, T), false for padding of the memory.
            cache: Where and under which name what was said before is kept.
        """
        own, across, behind = self.norms
        if self.norm_first:
            x = x + self.dropout(self._own(own(x), cache))
            x = x + self.dropout(self.across(across(x), memory, mask))
            return x + self.dropout(self.behind(behind(x), None, cache))  # type: ignore[no-any-return]
        x = own(x + self.dropout(self._own(x, cache)))
        x = across(x + self.dropout(self.across(x, memory, mask)))
        return behind(x + self.dropout(self.behind(x, None, cache)))  # type: ignore[no-any-return]

    def _own(self, x: Tensor, cache: tuple[State, str] | None) -> Tensor:
        keys, values = self.own.keys(x)
        if cache is None:
            return self.own(x, (keys, values), causal=True)  # type: ignore[no-any-return]
        state, name = cache
        kept = state.extended(f"{name}.keys", keys), state.extended(f"{name}.values", values)
        return self.own(x, kept)  # type: ignore[no-any-return]


def sinusoids(length: int, width: int) -> Tensor:
    """(length, width): positions as waves, the sines in the first half and the cosines in the second."""
    longest = 1.0e4
    half = width // 2
    rates = torch.exp(torch.arange(half) * -(math.log(longest) / max(half - 1, 1)))
    angles = torch.arange(length)[:, None] * rates
    waves = torch.cat((angles.sin(), angles.cos()), 1)
    return nn.functional.pad(waves, (0, width - 2 * half))
