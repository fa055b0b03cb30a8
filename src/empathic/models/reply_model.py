"""What every model that is trained to reply offers: named losses, and words one after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from empathic.models.layers import State
from empathic.models.layout import UNLABELLED, Batch
from empathic.models.vocabulary import BEGIN, END

__all__ = ["Loss", "Outcome", "ReplyModel"]


@dataclass(frozen=True)
class Loss:
    """A sum, and over how much it is a sum."""

    total: Tensor
    count: int


@dataclass
class Outcome:
    """What a model makes of contexts and of the responses to them."""

    refined: Tensor
    """(B, L, W): the response as the decoder leaves it."""
    scored: Callable[[Tensor], Tensor]
    """Gives scores of every token of the vocabulary (..., V) to what is refined (..., W)."""
    emotion: Tensor | None = None
    """(B, 32): scores of the speaker's emotions."""
    intent: Tensor | None = None
    """(B, 41): scores of the response's emotions and intents."""
    further: dict[str, Loss] = field(default_factory=dict)
    """Losses of the model's own."""

    @property
    def response(self) -> Tensor:
        """(B, L, V): scores of every token of the vocabulary at every position of the response."""
        return self.scored(self.refined)

    def each(self, batch: Batch, *, smoothing: float = 0.0) -> Tensor:
        """(tokens,): how improbable each token of the responses is, in nats; padding is not scored."""
        there = batch.there
        scores = self.scored(self.refined.flatten(0, 1)[there]).float()
        said = batch.response.flatten()[there]
        return nn.functional.cross_entropy(scores, said, label_smoothing=smoothing, reduction="none")


class ReplyModel(nn.Module, ABC):
    """A model that is trained to reply."""

    begin = BEGIN
    end = END
    stages: tuple[str, ...] = ("model",)
    """What is trained one after the other; the last writes the replies."""
    plans_intents: bool = False
    """Whether its replies can be asked to have one of the 41 emotions and intents."""
    told: bool = False
    """Whether it goes, when it is measured, by labels that a conversation does not tell."""

    def enter(self, stage: str) -> None:
        """Lets the weights of a stage learn, and no others."""

    def own_weights(self) -> dict[str, Tensor]:
        """What a model folder holds: each weight once, where several names lead to it."""
        return {name: weight.detach() for name, weight in self.named_parameters()}

    @abstractmethod
    def forward(self, batch: Batch) -> Outcome:
        """Contexts and responses, all positions of a response at once."""

    @abstractmethod
    def encode(self, batch: Batch, *, seeds: Sequence[int] = ()) -> State:
        """Contexts alone: where a reply begins.

        Args:
            batch: The contexts.
            seeds: One for each, where chance has a part in how it is understood.
        """

    @abstractmethod
    def step(self, tokens: Tensor, state: State) -> Tensor:
        """(B, V): what may follow each row's newest token; the state takes note of it."""

    def loss(self, batch: Batch, *, smoothing: float = 0.0) -> dict[str, Loss]:
        """What training makes small, by name.

        Args:
            batch: What is learned from.
            smoothing: Probability that is spread over all tokens of the vocabulary.
        """
        outcome: Outcome = self(batch)
        losses = {"response": Loss(outcome.each(batch, smoothing=smoothing).sum(), batch.tokens)}
        for name, found, true in (
            ("emotion", outcome.emotion, batch.emotion),
            ("intent", outcome.intent, batch.intent),
        ):
            if found is not None:
                losses[name] = self.of_labels(found, true)
        return losses | outcome.further

    @staticmethod
    def of_labels(found: Tensor, true: Tensor) -> Loss:
        """Cross-entropy of scores (B, labels) with labels (B,), where there are any."""
        total = nn.functional.cross_entropy(found.float(), true, ignore_index=UNLABELLED, reduction="sum")
        return Loss(total, len(true))

    def judged(self, batch: Batch) -> tuple[Tensor, Outcome]:
        """How improbable each response is (B,), in nats, its end included; and all else that is said of it."""
        outcome: Outcome = self(batch)
        each = outcome.each(batch)
        whole = each.new_zeros(batch.response.numel()).index_copy(0, batch.there, each)
        return whole.view_as(batch.response).sum(1), outcome

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device
