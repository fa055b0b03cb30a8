"""Responders as something that the training loop can train."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from empathic.metrics.classification import top_k_accuracy
from empathic.models.layout import UNLABELLED, Table
from empathic.models.reply_model import ReplyModel
from empathic.training import Batches, Term

__all__ = ["Judged", "ResponderTrainee", "judge"]

MEASURED_TOKENS = 16_384
"""Of a batch that is measured, padding included."""


class Judged(NamedTuple):
    """What a model says of items, one a row."""

    losses: NDArray[np.float64]
    """Of whole responses, in nats."""
    emotions: NDArray[np.float64] | None
    """(items, 32) scores of the speaker's emotions."""
    intents: NDArray[np.float64] | None
    """(items, 41) scores of the response's emotions and intents."""


def judge(model: ReplyModel, table: Table) -> Judged:
    """Has a model say of every item how probable its response is, and what it sees in the context.

    What a model draws by chance follows from a seed of its own, so that measuring twice gives the same figures, and
    training goes on as if nothing had been measured.
    """
    devices = [model.device] if model.device.type == "cuda" else []
    with torch.random.fork_rng(devices):
        torch.manual_seed(0)
        return _judge(model, table)


def _judge(model: ReplyModel, table: Table) -> Judged:
    losses = np.zeros(len(table))
    found: dict[str, list[NDArray[np.float64]]] = {"emotion": [], "intent": []}
    order: list[int] = []
    for items in measured_batches(table):
        each, outcome = model.judged(table.batch(items))
        losses[items] = _numbers(each)
        order += items
        for name, scores in (("emotion", outcome.emotion), ("intent", outcome.intent)):
            if scores is not None:
                found[name].append(_numbers(scores))

    def sorted_back(parts: list[NDArray[np.float64]]) -> NDArray[np.float64] | None:
        return np.concatenate(parts)[np.argsort(order)] if parts else None

    return Judged(losses, sorted_back(found["emotion"]), sorted_back(found["intent"]))


def measured_batches(table: Table) -> Iterator[list[int]]:
    """The items of a table in batches of like length."""
    lengths = (table.context_lengths + table.response_lengths).tolist()
    yield from Batches(lengths, tokens=MEASURED_TOKENS).epoch(0)


def _numbers(values: Tensor) -> NDArray[np.float64]:
    numbers: NDArray[np.float64] = values.float().cpu().numpy().astype(np.float64)
    return numbers


class ResponderTrainee:
    """A model, or a stage of one, that learns to reply."""

    def __init__(
        self,
        model: ReplyModel,
        stage: str,
        *,
        train: Table,
        valid: Table,
        weights: Mapping[str, float],
        smoothing: float,
    ) -> None:
        """Sets the trainee up.

        Args:
            model: What learns.
            stage: Which of its stages.
            train: What is learned from.
            valid: What it is measured on.
            weights: How much each loss counts; 1 where nothing is said.
            smoothing: Probability that is spread over the vocabulary.
        """
        self.responder = model
        self.stage = stage
        self.train = train
        self.valid = valid
        self.weights = weights
        self.smoothing = smoothing
        self.lengths: Sequence[int] = (train.context_lengths + train.response_lengths).tolist()
        last = stage == model.stages[-1]
        self.goal: tuple[str, Literal["higher", "lower"]] = (
            ("ppl-token", "lower") if last else ("intent-top-1", "higher")
        )
        model.enter(stage)

    @property
    def model(self) -> nn.Module:
        """The responder, as the loop knows it."""
        return self.responder

    def loss(self, items: Sequence[int]) -> dict[str, Term]:
        """The terms of the model's own loss."""
        nothing = not items  # as it may be for one of several processes: the terms are there, and weigh nothing
        found = self.responder.loss(self.train.batch(items if items else [0]), smoothing=self.smoothing)
        return {
            name: Term(each.total * 0 if nothing else each.total, 0 if nothing else each.count, self.weight(name))
            for name, each in found.items()
        }

    def weight(self, name: str) -> float:
        """How much a loss counts."""
        return self.weights.get(name, 1.0)

    def evaluate(self) -> dict[str, float]:
        """Perplexity, and how often emotion and intent are named rightly."""
        judged = judge(self.responder, self.valid)
        tokens = self.valid.response_lengths
        figures = {
            "ppl-token": float(np.exp(judged.losses.sum() / tokens.sum())),
            "ppl-moel": float(np.exp((judged.losses / tokens).mean())),
        }
        for name, scores, labels in (
            ("emotion", judged.emotions, self.valid.emotion),
            ("intent", judged.intents, self.valid.intent),
        ):
            true = labels.cpu().numpy()
            known = true != UNLABELLED
            if scores is not None and known.any():
                figures[f"{name}-top-1"] = 100 * top_k_accuracy(scores[known], true[known], 1)
        return figures

    def groups(self, rate: float, decay: float) -> list[dict[str, Any]]:
        """Matrices decay, vectors do not."""
        learned = [weight for weight in self.responder.parameters() if weight.requires_grad]
        matrices = [weight for weight in learned if weight.dim() > 1]
        vectors = [weight for weight in learned if weight.dim() < 2]
        return [
            {"params": matrices, "lr": rate, "weight_decay": decay},
            {"params": vectors, "lr": rate, "weight_decay": 0.0},
        ]
