"""One encoder, many heads: a single pass over a text gives every factor that is read from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import msgspec
import torch
from torch import Tensor, nn

from empathic.models.adapter import add_adapters
from empathic.models.encoder import Encoder

__all__ = ["AnnotatorModel", "Head", "Kind", "TextBatch"]

Kind = Literal["single", "several", "turns", "words"]
"""One label of a text, any number of them, yes or no for each of its turns, yes or no for each of its words."""


class Head(msgspec.Struct, frozen=True):
    """What is read off: its name, what sort of answer it is, and the labels in their order."""

    name: str
    kind: Kind
    labels: tuple[str, ...]


@dataclass(frozen=True)
class TextBatch:
    """Texts as tensors; B texts, T tokens in the longest, and for each token who says it and in which turn."""

    ids: Tensor  # (B, T)
    mask: Tensor  # (B, T) bool, false for padding
    roles: Tensor  # (B, T) 0 the speaker, 1 the listener
    turns: Tensor  # (B, T) the number of the turn from 0, -1 for marks and padding
    most_turns: int
    """Of any of the texts; a turn may have no tokens at all."""

    def to(self, device: torch.device) -> TextBatch:
        def moved(tensor: Tensor) -> Tensor:
            return tensor.to(device, non_blocking=True)

        return TextBatch(moved(self.ids), moved(self.mask), moved(self.roles), moved(self.turns), self.most_turns)


class AnnotatorModel(nn.Module):
    """An encoder with heads; with `rank`, the encoder stands still and low-rank adapters learn in its place."""

    def __init__(self, encoder: Encoder, heads: Iterable[Head], *, rank: int = 0, dropout: float = 0.1) -> None:
        super().__init__()
        self.heads = tuple(heads)
        self.encoder = encoder.model
        width = encoder.width
        if rank:
            add_adapters(self.encoder, rank)
        else:
            self.encoder.requires_grad_(True)
            self.encoder.get_input_embeddings().requires_grad_(False)
        self.role = nn.Embedding(2, width)
        nn.init.zeros_(self.role.weight)
        self.dropout = nn.Dropout(dropout)
        self.outputs = nn.ModuleDict(
            {
                head.name: nn.Linear(width if head.kind in ("turns", "words") else 2 * width, len(head.labels))
                for head in self.heads
            }
        )

    def forward(self, batch: TextBatch) -> dict[str, Tensor]:
        """Scores by head: (B, labels), (B, turns, labels) or (B, T, labels)."""
        embedded = self.encoder.get_input_embeddings()(batch.ids) + self.role(batch.roles)
        return self.read(self.encoder(inputs_embeds=embedded, attention_mask=batch.mask).last_hidden_state, batch)

    def read(self, hidden: Tensor, batch: TextBatch) -> dict[str, Tensor]:
        """What the heads say of the encoder's last states (B, T, width)."""
        hidden = self.dropout(hidden)
        weights = batch.mask.to(hidden.dtype)
        mean = torch.einsum("bt,btw->bw", weights, hidden) / weights.sum(1, keepdim=True)
        text = torch.cat((hidden[:, 0], mean), dim=1)
        read = {}
        for head in self.heads:
            if head.kind == "words":
                of = hidden
            elif head.kind == "turns":
                of = _means_of_turns(hidden, batch.turns, batch.most_turns)
            else:
                of = text
            read[head.name] = self.outputs[head.name](of)
        return read

    def learned(self) -> dict[str, Tensor]:
        """The weights that training changes, by name: what is kept of a run."""
        trained = {name for name, weight in self.named_parameters() if weight.requires_grad}
        return {name: weight for name, weight in self.state_dict().items() if name in trained}


def _means_of_turns(hidden: Tensor, turns: Tensor, count: int) -> Tensor:
    """The mean state of every turn: (B, S, width); zero for a turn without tokens."""
    member = (turns[:, None, :] == torch.arange(count, device=turns.device)[None, :, None]).to(hidden.dtype)
    return torch.einsum("bst,btw->bsw", member, hidden) / member.sum(2, keepdim=True).clamp(min=1)
