"""MEED2 (Xie & Pu 2021): emotions and intents of every turn on the input, and of the response on the output.

A predictor, trained apart, says which of 41 emotions and intents the response will have; the decoder writes by it, or
by one that is given. Without any of them what is left is the plain Transformer that the paper holds it against.
Equations are numbered as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

import msgspec
import torch
from torch import Tensor, nn

from empathic.models.layers import DecoderLayer, EncoderLayer, LayerShape, Linear, Norm, State
from empathic.models.layout import UNLABELLED, Batch
from empathic.models.reply_model import Loss, Outcome, ReplyModel
from empathic.models.stacks import Decoder, Encoder
from empathic.models.vocabulary import LISTENER
from empathic.taxonomy import EMOTIONS_AND_INTENTS, NEUTRAL

__all__ = ["MEED2", "MEED2Settings", "MEED2Sizes"]

EPSILON = 1e-5
NEITHER = EMOTIONS_AND_INTENTS.index(NEUTRAL)
"""What a response does of which nothing is known."""
Count = Annotated[int, msgspec.Meta(ge=1)]


class MEED2Sizes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table [model.sizes] of a recipe; appendix B."""

    width: Count = 300
    layers: Count = 4
    heads: Count = 6
    inner: Count = 1200
    dropout: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.1
    longest: Count = 128
    """Positions."""
    tied: bool = True
    """Whether a token is scored by its own embedding."""
    norm_first: bool = False
    """Whether layers normalise what they take in, instead of what they give."""

    @property
    def layer(self) -> LayerShape:
        """What each layer is like."""
        return LayerShape(
            self.width, self.heads, self.inner, between="linear", dropout=self.dropout, norm_first=self.norm_first
        )


class MEED2Settings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="name", tag="meed2"
):
    """The table [model] of a recipe."""

    sizes: MEED2Sizes = MEED2Sizes()
    intents: bool = True
    """Whether turns and responses carry an emotion or intent; without, it is the plain Transformer."""
    predictor: Literal["apart", "joint", "none"] = "apart"
    """Whether the response's is predicted by an encoder of its own, which the other losses do not touch; by the same
    encoder, as the paper tried and left; or not at all, so that it must be given."""


class Input(nn.Module):
    """Tokens, positions, speakers, emotions and intents, added up: section 4.1."""

    def __init__(self, size: int, settings: MEED2Settings) -> None:
        super().__init__()
        sizes = settings.sizes
        self.tokens = nn.Embedding(size, sizes.width)
        self.positions = nn.Embedding(sizes.longest, sizes.width)
        self.segments = nn.Embedding(2, sizes.width)
        self.intents = nn.Embedding(len(EMOTIONS_AND_INTENTS), sizes.width) if settings.intents else None
        self.norm = Norm(sizes.width, epsilon=EPSILON)
        self.dropout = nn.Dropout(sizes.dropout)
        for table in (self.tokens, self.positions, self.segments, self.intents):
            if table is not None:
                nn.init.normal_(table.weight, std=0.02)

    def forward(self, tokens: Tensor, roles: Tensor, intents: Tensor, *, begin: int = 0) -> Tensor:
        """(B, T, W) of tokens with who says them and what their turn does (B, T) or (B, 1)."""
        positions = torch.arange(begin, begin + tokens.shape[1], device=tokens.device)
        x = self.tokens(tokens) + self.positions(positions) + self.segments((roles == LISTENER).long())
        if self.intents is not None:
            x = x + self.intents(intents)
        return self.dropout(self.norm(x))  # type: ignore[no-any-return]


def _encoder(sizes: MEED2Sizes) -> Encoder:
    return Encoder((EncoderLayer(sizes.layer) for _ in range(sizes.layers)), _last_norm(sizes))


def _last_norm(sizes: MEED2Sizes) -> nn.Module:
    """What comes behind layers that do not normalise what they give."""
    return Norm(sizes.width, epsilon=EPSILON) if sizes.norm_first else nn.Identity()


class Predictor(nn.Module):
    """Which emotion or intent the response will have: section 4.2."""

    def __init__(self, size: int, settings: MEED2Settings) -> None:
        super().__init__()
        sizes = settings.sizes
        apart = settings.predictor == "apart"
        self.input = Input(size, settings) if apart else None
        self.encoder = _encoder(sizes) if apart else None
        self.attention = nn.Parameter(torch.zeros(sizes.width))  # v
        self.hidden = Linear(sizes.width, sizes.width)
        self.dropout = nn.Dropout(sizes.dropout)
        self.output = Linear(sizes.width, len(EMOTIONS_AND_INTENTS))

    def forward(self, batch: Batch, shared: Callable[[Batch], Tensor]) -> Tensor:
        """(B, 41) scores, of its own encoder's states (B, T, W), or of those that it shares."""
        if self.input is not None and self.encoder is not None:
            context = self.encoder(self.input(batch.context, batch.roles, batch.labels), batch.mask)
        else:
            context = shared(batch)
        weights = torch.softmax((context @ self.attention).masked_fill(~batch.mask, float("-inf")), 1)  # equation 1
        pooled = torch.einsum("bt,btw->bw", weights, context)  # equation 2
        return self.output(self.dropout(torch.tanh(self.hidden(pooled))))  # type: ignore[no-any-return]


class MEED2(ReplyModel):
    """Section 4 of the paper."""

    def __init__(self, settings: MEED2Settings, size: int) -> None:
        super().__init__()
        self.settings = settings
        sizes = settings.sizes
        self.input = Input(size, settings)
        self.encoder = _encoder(sizes)
        self.decoder = Decoder(DecoderLayer(sizes.layer) for _ in range(sizes.layers))
        self.norm = _last_norm(sizes)
        self.output = Linear(sizes.width, size, tied_to=self.input.tokens if sizes.tied else None)
        predicts = settings.intents and settings.predictor != "none"
        self.predictor = Predictor(size, settings) if predicts else None
        self.stages = ("predictor", "model") if predicts and settings.predictor == "apart" else ("model",)
        self.stage: str | None = None
        self.told = predicts
        self.plans_intents = settings.intents

    def enter(self, stage: str) -> None:
        """The predictor, whose training the paper keeps apart, or all else."""
        self.stage = stage
        if self.predictor is not None and len(self.stages) > 1:
            self.requires_grad_(stage == "model")
            self.predictor.requires_grad_(stage == "predictor")

    def loss(self, batch: Batch, *, smoothing: float = 0.0) -> dict[str, Loss]:
        """Of the stage that is trained."""
        if self.stage == "predictor" and self.predictor is not None:
            return {"intent": self.of_labels(self.predictor(batch, self._context), batch.intent)}
        return super().loss(batch, smoothing=smoothing)

    def forward(self, batch: Batch) -> Outcome:
        context = self._context(batch)
        roles = torch.full_like(batch.response, LISTENER)
        predicted = self._predicted(batch, context)
        x = self.input(batch.so_far, roles, self._intents(batch, predicted)[:, None])
        refined = self.decoder(x, context, batch.mask)
        return Outcome(refined, self._scored, intent=predicted)

    def _intents(self, batch: Batch, predicted: Tensor | None) -> Tensor:
        """(B,): what the responses do, as the batch says, or else, outside training, as is predicted."""
        otherwise = NEITHER if predicted is None or self.training else predicted.argmax(1)
        return torch.where(batch.intent == UNLABELLED, otherwise, batch.intent)

    def _scored(self, refined: Tensor) -> Tensor:
        """(..., V): scores of the vocabulary."""
        return self.output(self.norm(refined))  # type: ignore[no-any-return]

    def _context(self, batch: Batch) -> Tensor:
        return self.encoder(self.input(batch.context, batch.roles, batch.labels), batch.mask)  # type: ignore[no-any-return]

    def _predicted(self, batch: Batch, context: Tensor) -> Tensor | None:
        """(B, 41): scores of what the response will do."""
        idle = self.training and len(self.stages) > 1  # trained apart, and not now
        return None if self.predictor is None or idle else self.predictor(batch, lambda _: context)

    def encode(self, batch: Batch, *, seeds: Sequence[int] = ()) -> State:  # noqa: ARG002
        """Contexts, and what the replies to them do: what the batch gives, and else what is predicted."""
        state = State(len(batch.context))
        context = self._context(batch)
        predicted = self._predicted(batch, context)
        state.kept["intents"] = self._intents(batch, predicted)[:, None, None, None]
        self.decoder.remember(state, "decoder", context, batch.mask)
        return state

    def step(self, tokens: Tensor, state: State) -> Tensor:
        roles = torch.full_like(tokens, LISTENER)[:, None]
        x = self.input(tokens[:, None], roles, state.kept["intents"][:, :, 0, 0], begin=state.said)
        state.said += 1
        refined = self.decoder.step(x, state, "decoder")
        return self._scored(refined)[:, 0]
