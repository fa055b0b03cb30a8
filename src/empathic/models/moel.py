"""MoEL: Mixture of Empathetic Listeners (Lin et al. 2019).

A listener for each of the 32 emotions and one that all share answer side by side; how likely the speaker's emotions are
says how much each is listened to, and a meta listener makes one answer of theirs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, cast

import msgspec
import torch
from torch import Tensor

from empathic.models.encoder_decoder import EncoderDecoder, Sizes, decoder_of
from empathic.models.layers import Linear, State
from empathic.models.layout import Batch
from empathic.models.reply_model import Outcome
from empathic.taxonomy import SITUATION_EMOTIONS

__all__ = ["MoEL", "MoELSettings"]

LEAST_ORACLE = 1e-4


class MoELSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="name", tag="moel"):
    """The table [model] of a recipe."""

    sizes: Sizes = Sizes()
    top: Annotated[int, msgspec.Meta(ge=1, le=32)] = 5
    """How many listeners are heard."""
    oracle: Annotated[float, msgspec.Meta(ge=0)] = 10_000.0
    """Steps after which the true emotion chooses the listener in one batch of e only; 0: it never does. Training alone
    knows it: validation and test hear whom the model chooses."""


class MoEL(EncoderDecoder):
    """Section 3 of the paper."""

    seen: Tensor

    def __init__(self, settings: MoELSettings, size: int) -> None:
        super().__init__(size, settings.sizes)
        self.top = settings.top
        self.oracle = settings.oracle
        count = len(SITUATION_EMOTIONS)
        self.keys = Linear(settings.sizes.width, count, bias=False)
        self.shared = decoder_of(settings.sizes)
        self.listeners = decoder_of(settings.sizes, copies=count)
        self.meta = decoder_of(settings.sizes)
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, batch: Batch) -> Outcome:
        context = self.understood(batch)
        emotion = self.keys(context[:, 0])  # the query q is the state of the mark that stands for the context
        weights = self._heard(emotion, batch)
        said = self.said(batch.so_far)
        shared = self.shared(said, context, batch.mask)
        heard, rows = _hearers(weights)
        each = self.listeners(_of(said, rows), _of(context, rows), batch.mask[rows])
        joined = _joined(shared, each, heard, rows)
        refined = self.meta(joined, context, batch.mask)
        return Outcome(refined, self.scored, emotion)

    def _heard(self, emotion: Tensor, batch: Batch) -> Tensor:
        """P (B, 32): how much each listener is heard."""
        weights = self._chosen(emotion)
        if self.training and self.oracle:
            true = torch.nn.functional.one_hot(batch.emotion.clamp(min=0), len(SITUATION_EMOTIONS)).to(weights)
            chance = LEAST_ORACLE + (1 - LEAST_ORACLE) * torch.exp(-self.seen / self.oracle)
            told = torch.rand((), device=weights.device) < chance
            self.seen += 1
            weights = torch.where(told & (batch.emotion >= 0)[:, None], true, weights)
        return weights

    def _chosen(self, emotion: Tensor) -> Tensor:
        """The softmax over the most likely; nobody else is heard."""
        likeliest, which = emotion.float().topk(self.top)
        return torch.full_like(emotion, -math.inf, dtype=torch.float).scatter(1, which, likeliest).softmax(1)

    def encode(self, batch: Batch, *, seeds: Sequence[int] = ()) -> State:  # noqa: ARG002
        context = self.understood(batch)
        state = _Listened(self._chosen(self.keys(context[:, 0])))
        for name, decoder in (("shared", self.shared), ("meta", self.meta)):
            decoder.remember(state, name, context, batch.mask)
        self.listeners.remember(state.listeners, "listeners", _of(context, state.hearers), batch.mask[state.hearers])
        return state

    def step(self, tokens: Tensor, state: State) -> Tensor:
        listened = cast("_Listened", state)  # as `encode` gives it
        said = self.newest(tokens, state)
        shared = self.shared.step(said, state, "shared")
        each = self.listeners.step(_of(said, listened.hearers), listened.listeners, "listeners")
        joined = _joined(shared, each, listened.heard, listened.hearers)
        return self.scored(self.meta.step(joined, state, "meta"))[:, 0]


class _Listened(State):
    """What a mixture remembers: of each row, what those listeners do that it hears."""

    def __init__(self, weights: Tensor) -> None:
        super().__init__(len(weights))
        self.weights = weights
        self.heard, self.hearers = _hearers(weights)
        self.listeners = State(self.hearers.shape[1])

    def select(self, rows: Tensor) -> None:
        super().select(rows)
        there = torch.arange(self.hearers.shape[1], device=rows.device).expand_as(self.hearers)
        places = torch.zeros_like(self.weights.T, dtype=torch.long).scatter(1, self.hearers, there)
        self.weights = self.weights[rows]
        self.heard, self.hearers = _hearers(self.weights)
        first = torch.arange(len(places), device=rows.device)[:, None] * there.shape[1]
        places = first + places.gather(1, rows[self.hearers])
        self.listeners.rows = places.shape[1]
        for name, tensor in self.listeners.kept.items():
            self.listeners.kept[name] = _of(tensor.flatten(0, 1), places)


def _hearers(weights: Tensor) -> tuple[Tensor, Tensor]:
    """How much each listener is heard, and by which rows: (32, R) each.

    Where fewer hear a listener than another, others make the rows even, who hear it with weight 0. To ask a GPU how
    many that are takes it longer than to let every listener answer everybody.
    """
    most = len(weights) if weights.is_cuda else int((weights > 0).sum(0).max())
    heard, rows = weights.T.topk(most)
    return heard, rows


def _joined(shared: Tensor, each: Tensor, heard: Tensor, rows: Tensor) -> Tensor:
    """(B, L, W): what the shared listener says, and with it what each row hears of the others (32, R, L, W)."""
    return shared.index_add(0, rows.flatten(), (heard[..., None, None] * each).flatten(0, 1))


def _of(x: Tensor, rows: Tensor) -> Tensor:
    """(32, R, ...): for every listener these rows (32, R) of x (B, ...)."""
    return x.index_select(0, rows.flatten()).view(*rows.shape, *x.shape[1:])
