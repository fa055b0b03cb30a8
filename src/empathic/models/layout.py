"""How a conversation is laid out as numbers for the models that are trained from nothing, and batches of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from empathic.dialogue import Turn
from empathic.models.vocabulary import BEGIN, CONTEXT, END, LISTENER, PAD, SPEAKER, UNKNOWN, Vocabulary
from empathic.taxonomy import EMOTIONS_AND_INTENTS, NEUTRAL, SITUATION_EMOTIONS

__all__ = ["UNLABELLED", "Batch", "Layout", "Said", "Table"]

UNLABELLED = -100
"""What cross-entropy passes over."""
_NEUTRAL = EMOTIONS_AND_INTENTS.index(NEUTRAL)


class Said(NamedTuple):
    """What one item consists of, in words."""

    context: Sequence[Turn]
    response: str = ""
    emotion: str | None = None
    """The speaker's, one of the 32."""
    intent: str | None = None
    """The response's, one of the 41."""


@dataclass(frozen=True)
class Batch:
    """Items as tensors: B items, T tokens of context, L of response."""

    context: Tensor  # (B, T)
    roles: Tensor  # (B, T) who says a token, as a mark of the vocabulary
    labels: Tensor  # (B, T) the emotion or intent of the turn that a token is of, one of the 41
    response: Tensor  # (B, L) with the end behind it
    emotion: Tensor  # (B,) or UNLABELLED
    intent: Tensor  # (B,) or UNLABELLED
    lengths: NDArray[np.int64]
    """(B,) tokens of each response, without padding."""

    @property
    def mask(self) -> Tensor:
        """(B, T), false for padding."""
        return self.context != PAD

    @property
    def tokens(self) -> int:
        """Of all responses together, without padding."""
        return int(self.lengths.sum())

    @property
    def there(self) -> Tensor:
        """(tokens,): where the responses' tokens lie among (B, L), laid out in one row; known without asking a GPU."""
        width = self.response.shape[1]
        places = np.flatnonzero(np.arange(width) < self.lengths[:, None])
        return torch.from_numpy(places).to(self.response.device, non_blocking=True)

    @property
    def so_far(self) -> Tensor:
        """(B, L): what stands before each token of the response."""
        begin = self.response.new_full((len(self.response), 1), BEGIN)
        return torch.cat((begin, self.response[:, :-1]), 1)


@dataclass(frozen=True)
class Layout:
    """How contexts are laid out."""

    vocabulary: Vocabulary
    longest: int = 512
    """Tokens of a context; of a longer one the latest count."""
    longest_response: int = 128
    parted: bool = False
    """Whether a mark stands behind every turn."""

    def lay_out(self, items: Iterable[Said]) -> Table:
        """Items as a table."""
        items = list(items)
        # A turn is a response once and stands in every context after that; it is cut into tokens once.
        texts = dict.fromkeys(turn.text for item in items for turn in item.context)
        texts |= dict.fromkeys(item.response for item in items)
        tokens = dict(zip(texts, self.vocabulary.encode(list(texts)), strict=True))
        contexts, roles, labels, responses = [], [], [], []
        for item in items:
            ids, who, what = self._context(item.context, [tokens[turn.text] for turn in item.context])
            contexts.append(ids)
            roles.append(who)
            labels.append(what)
            responses.append([*tokens[item.response][: self.longest_response - 1], END])
        return Table(
            context=_padded(contexts, PAD),
            roles=_padded(roles, PAD, np.uint8),
            labels=_padded(labels, _NEUTRAL, np.uint8),
            response=_padded(responses, PAD),
            emotion=_numbers(item.emotion and SITUATION_EMOTIONS.index(item.emotion) for item in items),
            intent=_numbers(item.intent and EMOTIONS_AND_INTENTS.index(item.intent) for item in items),
            context_lengths=np.array([len(each) for each in contexts], np.int64),
            response_lengths=np.array([len(each) for each in responses], np.int64),
        )

    def _context(self, turns: Sequence[Turn], encoded: Sequence[list[int]]) -> tuple[list[int], list[int], list[int]]:
        ids: list[int] = []
        roles: list[int] = []
        labels: list[int] = []
        for turn, own in zip(turns, encoded, strict=True):
            tokens = [*own, END] if self.parted else own
            intent = turn.factors.intent if turn.factors else None
            ids += tokens
            roles += [SPEAKER if turn.role == "speaker" else LISTENER] * len(tokens)
            labels += [_NEUTRAL if intent is None else EMOTIONS_AND_INTENTS.index(intent)] * len(tokens)
        room = self.longest - 1
        if not ids:  # words that are none, such as an empty turn: there must be something to attend to
            ids, roles, labels = [UNKNOWN], [SPEAKER], [_NEUTRAL]
        # The mark that stands for the whole context belongs to nobody.
        return [CONTEXT, *ids[-room:]], [CONTEXT, *roles[-room:]], [labels[-room:][0], *labels[-room:]]


@dataclass(frozen=True)
class Table:
    """Many items, padded, on the device that they are used on: a batch is a few rows of it."""

    context: Tensor
    roles: Tensor
    labels: Tensor
    response: Tensor
    emotion: Tensor
    intent: Tensor
    context_lengths: NDArray[np.int64]
    response_lengths: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.context_lengths)

    def to(self, device: torch.device) -> Table:
        """The same on another device."""
        moved = {name: value.to(device) if isinstance(value, Tensor) else value for name, value in self._fields()}
        return Table(**moved)  # type: ignore[arg-type]

    def untold(self) -> Table:
        """The same without what a conversation does not tell: what the speaker feels, what the response does."""
        nothing = torch.full_like(self.emotion, UNLABELLED)
        return replace(self, emotion=nothing, intent=nothing)

    def _fields(self) -> Iterable[tuple[str, Tensor | NDArray[np.int64]]]:
        return [(field.name, getattr(self, field.name)) for field in fields(self)]

    def batch(self, items: Sequence[int]) -> Batch:
        """These items."""
        rows = torch.as_tensor(np.asarray(items, np.int64)).to(self.context.device, non_blocking=True)
        width = int(self.context_lengths[items].max()) if len(items) else 0
        length = int(self.response_lengths[items].max()) if len(items) else 0
        return Batch(
            context=self.context[rows, :width].long(),
            roles=self.roles[rows, :width].long(),
            labels=self.labels[rows, :width].long(),
            response=self.response[rows, :length].long(),
            emotion=self.emotion[rows],
            intent=self.intent[rows],
            lengths=self.response_lengths[items],
        )


def _padded(rows: Sequence[Sequence[int]], filling: int, kind: type[np.integer] = np.int32) -> Tensor:
    table = np.full((len(rows), max(map(len, rows), default=0)), filling, kind)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return torch.from_numpy(table)


def _numbers(labels: Iterable[int | str | None]) -> Tensor:
    return torch.tensor([UNLABELLED if label is None or label == "" else int(label) for label in labels])
