"""What Transformer, MoEL and MIME share: embeddings, a context encoder, and scores of the vocabulary.

Sizes by default as in the code of MoEL and MIME: one layer, two heads with keys 20 wide, convolutions 50 wide between
300 wide positions, no dropout.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

import msgspec
import torch
from torch import Tensor, nn

from empathic.models.layers import DecoderLayer, EncoderLayer, LayerShape, Linear, Norm, State, sinusoids
from empathic.models.layout import Batch
from empathic.models.reply_model import ReplyModel
from empathic.models.stacks import Decoder, Encoder

__all__ = ["Embedding", "EncoderDecoder", "Sizes", "decoder_of", "encoder_of"]

Count = Annotated[int, msgspec.Meta(ge=1)]
Share = Annotated[float, msgspec.Meta(ge=0, lt=1)]


class Sizes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table [model.sizes] of a recipe."""

    width: Count = 300
    """Of embeddings and of what flows through the layers."""
    layers: Count = 1
    """Of the encoder, and of the decoder."""
    heads: Count = 2
    depth: Count = 40
    """Of all heads' keys together, and of their values."""
    between: Literal["convolutions", "linear"] = "convolutions"
    """What stands behind attention: two convolutions over three positions, or two linear maps with GELU."""
    inner: Count = 50
    """The width between the two."""
    dropout: Share = 0.0
    embedding_dropout: Share = 0.0
    """Of what enters the layers, and of what leaves them."""
    tied: bool = False
    """Whether a token is scored by its own embedding, instead of by a map of its own."""
    longest: Count = 512
    """Positions."""

    @property
    def layer(self) -> LayerShape:
        """What each layer is like."""
        return LayerShape(self.width, self.heads, self.inner, self.depth, self.between, self.dropout)


class Embedding(nn.Module):
    """Words, who says them, and where they stand; equation 1 of MIME."""

    waves: Tensor

    def __init__(self, table: nn.Embedding, sizes: Sizes) -> None:
        super().__init__()
        self.table = table
        self.map = Linear(sizes.width, sizes.width, bias=False)
        self.scale = math.sqrt(sizes.width)
        self.dropout = nn.Dropout(sizes.embedding_dropout)
        self.register_buffer("waves", sinusoids(sizes.longest, sizes.width), persistent=False)

    def forward(self, tokens: Tensor, roles: Tensor | None = None, *, begin: int = 0) -> Tensor:
        """(B, T, W) of tokens (B, T) that stand from position `begin` on."""
        # Looked up at once, so that learning makes one gradient of the table's size.
        embedded = self.table(tokens) if roles is None else self.table(torch.stack((tokens, roles))).sum(0)
        positions = self.waves[begin : begin + tokens.shape[1]]
        return self.dropout(self.map(embedded * self.scale) + positions)  # type: ignore[no-any-return]


def encoder_of(sizes: Sizes) -> Encoder:
    """A context encoder of these sizes."""
    return Encoder((EncoderLayer(sizes.layer) for _ in range(sizes.layers)), Norm(sizes.width))


def decoder_of(sizes: Sizes, *, copies: int | None = None) -> Decoder:
    """A decoder of these sizes, or several side by side."""
    return Decoder(DecoderLayer(sizes.layer, copies=copies) for _ in range(sizes.layers))


class EncoderDecoder(ReplyModel):
    """Embeddings, a context encoder, and scores of the vocabulary; what lies between is each paper's own."""

    def __init__(self, size: int, sizes: Sizes) -> None:
        super().__init__()
        table = nn.Embedding(size, sizes.width)
        nn.init.normal_(table.weight, std=sizes.width**-0.5)
        self.embedding = Embedding(table, sizes)
        self.said = Embedding(table, sizes)
        self.encoder = encoder_of(sizes)
        self.norm = Norm(sizes.width)
        self.dropout = nn.Dropout(sizes.embedding_dropout)
        self.output = Linear(sizes.width, size, tied_to=table if sizes.tied else None)

    def understood(self, batch: Batch) -> Tensor:
        """H (B, T, W): the context, encoded; equation 2 of MIME."""
        return self.encoder(self.embedding(batch.context, batch.roles), batch.mask)  # type: ignore[no-any-return]

    def scored(self, refined: Tensor) -> Tensor:
        """(..., V): scores of the vocabulary."""
        return self.output(self.dropout(self.norm(refined)))  # type: ignore[no-any-return]

    def newest(self, tokens: Tensor, state: State) -> Tensor:
        """(B, 1, W): the embedding of each row's newest token, where it stands."""
        embedded = self.said(tokens[:, None], begin=state.said)
        state.said += 1
        return embedded  # type: ignore[no-any-return]

    def take_vectors(self, rows: Tensor, vectors: Tensor) -> None:
        """Begins with known word vectors at these rows of the embedding table."""
        with torch.no_grad():
            self.embedding.table.weight[rows] = vectors.to(self.embedding.table.weight)
