"""The Transformer, and Multi-TRS, which names the speaker's emotion besides: baselines of MoEL, MIME and IMAGINE."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from torch import Tensor

from empathic.models.encoder_decoder import EncoderDecoder, Sizes, decoder_of
from empathic.models.layers import Linear, State
from empathic.models.layout import Batch
from empathic.models.reply_model import Outcome
from empathic.taxonomy import SITUATION_EMOTIONS

__all__ = ["Transformer", "TransformerSettings"]


class TransformerSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="name", tag="transformer"
):
    """The table [model] of a recipe."""

    sizes: Sizes = Sizes()
    emotion: bool = False
    """Whether the speaker's emotion is named as well, as Multi-TRS does."""


class Transformer(EncoderDecoder):
    """An encoder, a decoder, and nothing between them."""

    def __init__(self, settings: TransformerSettings, size: int) -> None:
        super().__init__(size, settings.sizes)
        self.decoder = decoder_of(settings.sizes)
        self.emotion = Linear(settings.sizes.width, len(SITUATION_EMOTIONS), bias=False) if settings.emotion else None

    def forward(self, batch: Batch) -> Outcome:
        context = self.understood(batch)
        said = self.said(batch.so_far)
        refined = self.decoder(said, context, batch.mask)
        return Outcome(refined, self.scored, self._emotion(context))

    def _emotion(self, context: Tensor) -> Tensor | None:
        """(B, 32): from the state of the mark that stands for the whole context."""
        return None if self.emotion is None else self.emotion(context[:, 0])

    def encode(self, batch: Batch, *, seeds: Sequence[int] = ()) -> State:  # noqa: ARG002
        state = State(len(batch.context))
        self.decoder.remember(state, "decoder", self.understood(batch), batch.mask)
        return state

    def step(self, tokens: Tensor, state: State) -> Tensor:
        return self.scored(self.decoder.step(self.newest(tokens, state), state, "decoder"))[:, 0]
