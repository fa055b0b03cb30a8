"""Annotators as something the training loop can train: labelled examples, a teacher's answers, and measurements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from empathic.annotators.examples import Example, Span
from empathic.annotators.factors import Reading
from empathic.annotators.readings import Text, collate, lay_out
from empathic.annotators.scoring import Scores, score
from empathic.experiments.annotator_measures import measure
from empathic.models.annotator import AnnotatorModel, Head
from empathic.models.encoder import Encoder
from empathic.training import Term

__all__ = ["AnnotatorTrainee", "Prepared", "prepare"]

PREPARED_AT_ONCE = 20_000
NEW_RATE = 10.0
"""Heads and adapters begin from nothing and learn so many times faster than pretrained weights."""

Target = NDArray[np.float32]
"""What the head should answer, as probabilities: of the labels, or of yes for every turn or token."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An example as tokens, and what each head should answer."""

    text: Text
    targets: dict[str, Target]


def prepare(encoder: Encoder, reading: Reading, examples: Sequence[Example]) -> list[Prepared]:
    """Lays examples out, and turns their answers into probabilities."""
    prepared = []
    for begin in range(0, len(examples), PREPARED_AT_ONCE):
        part = examples[begin : begin + PREPARED_AT_ONCE]
        texts = lay_out(encoder, [example.script for example in part], longest=reading.longest, offsets=True)
        for example, text in zip(part, texts, strict=True):
            targets = {
                head.name: _target(head, text, example.answers[head.name])
                for head in reading.heads
                if head.name in example.answers
            }
            prepared.append(Prepared(text, targets))
    return prepared


def _target(head: Head, text: Text, answer: Any) -> Target:
    if head.kind in ("single", "several"):
        target = np.zeros(len(head.labels), np.float32)
        target[[answer] if isinstance(answer, int) else list(answer)] = 1
    elif head.kind == "turns":
        target = np.fromiter((turn in answer for turn in text.read), np.float32)[:, None]
    else:
        target = np.zeros((len(text.ids), len(head.labels)), np.float32)
        for span in answer:
            target[_tokens_of(span, text), span.label] = 1
    return target


def _tokens_of(span: Span, text: Text) -> list[int]:
    return [
        position
        for position, (turn, (begin, end)) in enumerate(zip(text.turns, text.offsets, strict=True))
        if turn >= 0 and text.read[turn] == span.turn and begin < span.end and end > span.begin
    ]


class AnnotatorTrainee:
    """An annotator that learns a reading's heads from labelled examples and from what a teacher says."""

    goal: tuple[str, Literal["higher", "lower"]] = ("score", "higher")

    def __init__(
        self,
        model: AnnotatorModel,
        encoder: Encoder,
        reading: Reading,
        *,
        train: Sequence[Prepared],
        valid: Mapping[str, Sequence[Prepared]],
        weights: Mapping[str, float],
    ) -> None:
        """Sets the trainee up.

        Args:
            model: What learns.
            encoder: Whose tokens the examples are made of.
            reading: The heads, and what they are about.
            train: What is learned from.
            valid: What it is measured on, by source.
            weights: How much each head's loss counts; 1 where nothing is said.
        """
        self.annotator = model
        self.encoder = encoder
        self.reading = reading
        self.train = train
        self.valid = valid
        self.weights = weights
        self.lengths: Sequence[int] = [len(each.text.ids) for each in train]

    @property
    def model(self) -> nn.Module:
        """The annotator, as the loop knows it."""
        return self.annotator

    @property
    def device(self) -> torch.device:
        return self.annotator.role.weight.device

    def loss(self, items: Sequence[int]) -> dict[str, Term]:
        """Cross-entropy with the targets, head by head, over the examples that have one."""
        batch = [self.train[item] for item in items]
        texts = collate([each.text for each in batch], self.encoder.pad).to(self.device) if batch else None
        outputs = self.annotator(texts) if texts is not None else {}
        terms = {}
        for head in self.reading.heads:
            rows = [row for row, each in enumerate(batch) if head.name in each.targets]
            total, count = torch.zeros((), device=self.device), 0
            if rows:
                scores = outputs[head.name][rows].float()
                targets = [batch[row].targets[head.name] for row in rows]
                total, count = _cross_entropy(head, scores, targets)
            terms[head.name] = Term(total, count, self.weights.get(head.name, 1.0))
        return terms

    def evaluate(self) -> dict[str, float]:
        """The figures of every source's validation split, and the mean of those it is known by as `score`."""
        figures: dict[str, float] = {}
        scores = []
        for source, examples in self.valid.items():
            measured = measure(self.reading, examples, self.answer(examples))
            figures |= {f"{source}/{name}": value for name, value in measured.figures.items()}
            scores += measured.known_by
        return {"score": float(np.mean(scores)), **figures}

    def answer(self, examples: Sequence[Prepared]) -> Scores:
        """The model's scores for these examples."""
        return score(self.annotator, [each.text for each in examples], pad=self.encoder.pad, device=self.device)

    def groups(self, rate: float, decay: float) -> list[dict[str, Any]]:
        """Pretrained weights at the rate, new ones faster; matrices decay, vectors do not."""
        groups: dict[tuple[bool, bool], list[nn.Parameter]] = {}
        for name, weight in self.annotator.named_parameters():
            if weight.requires_grad:
                new = not name.startswith("encoder.") or name.endswith((".up", ".down"))
                groups.setdefault((new, weight.dim() > 1), []).append(weight)
        return [
            {"params": weights, "lr": rate * (NEW_RATE if new else 1), "weight_decay": decay if matrix else 0.0}
            for (new, matrix), weights in groups.items()
        ]


def _cross_entropy(head: Head, scores: Tensor, targets: Iterable[Target]) -> tuple[Tensor, int]:
    """The sum over all that is asked of a head, and how much was asked."""
    targets = list(targets)
    if head.kind in ("single", "several"):
        wanted = torch.from_numpy(np.stack(targets)).to(scores.device)
        if head.kind == "single":
            return -(wanted * scores.log_softmax(-1)).sum(), len(targets)
        return nn.functional.binary_cross_entropy_with_logits(scores, wanted, reduction="sum"), len(targets)
    sizes = [len(target) for target in targets]
    said = torch.cat([row[:size] for row, size in zip(scores, sizes, strict=True)])
    wanted = torch.from_numpy(np.concatenate(targets)).to(scores.device)
    return nn.functional.binary_cross_entropy_with_logits(said, wanted, reduction="sum"), sum(sizes)
