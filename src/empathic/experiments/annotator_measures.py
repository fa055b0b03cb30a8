"""What an annotator is known by: the figures of each head, on the examples that have an answer for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic.annotators.answers import several_chosen
from empathic.annotators.calibration import probabilities
from empathic.annotators.factors import Reading
from empathic.annotators.scoring import Scores
from empathic.metrics.classification import accuracy, binary_f1, expected_calibration_error, macro_f1, top_k_accuracy
from empathic.models.annotator import Head

if TYPE_CHECKING:
    from empathic.experiments.annotator_training import Prepared

__all__ = ["Measured", "calibration_errors", "measure"]


class Measured(NamedTuple):
    """Figures by name, and those among them that say how good the annotator is."""

    figures: dict[str, float]
    known_by: list[float]


def measure(
    reading: Reading, examples: Sequence[Prepared], scores: Scores, cuts: Mapping[str, float] | None = None
) -> Measured:
    """Holds scores against answers.

    Args:
        reading: The heads.
        examples: What was read, with its answers.
        scores: What the heads say of each.
        cuts: By head: the score above which it says yes; 0 where nothing is said.
    """
    cuts = cuts or {}
    figures: dict[str, float] = {}
    known_by: list[float] = []
    for head in reading.heads:
        rows = [row for row, example in enumerate(examples) if head.name in example.targets]
        if not rows:
            continue
        found = _of_head(
            head,
            [examples[row].targets[head.name] for row in rows],
            [scores[head.name][row] for row in rows],
            cuts.get(head.name, 0.0),
        )
        figures |= {f"{head.name}/{name}": value for name, value in found.figures.items()}
        known_by += found.known_by
    return Measured(figures, known_by)


def _of_head(head: Head, targets: list[NDArray[np.float32]], scores: list[NDArray[np.float32]], cut: float) -> Measured:
    if head.kind == "single":
        return _of_labels(head, np.stack(targets).argmax(1), np.stack(scores).astype(np.float64))
    said, true = np.concatenate(scores) >= cut, np.concatenate(targets) > 0
    figures = {"count": float(len(targets))}
    if head.kind == "several":
        said, true = several_chosen(np.stack(scores), cut), np.stack(targets) > 0
        f1 = float(np.mean([binary_f1(said[:, label], true[:, label]) for label in range(len(head.labels))]))
        figures |= {"macro_f1": f1, "micro_f1": binary_f1(said.ravel(), true.ravel())}
        return Measured(figures, [])
    positive, negative = binary_f1(said, true), binary_f1(~said, ~true)
    figures |= {"positive_f1": positive, "negative_f1": negative, "macro_f1": (positive + negative) / 2}
    return Measured(figures, [(positive + negative) / 2] if head.kind == "turns" else [])


def _of_labels(head: Head, true: NDArray[np.int64], scores: NDArray[np.float64]) -> Measured:
    said = scores.argmax(1)
    figures = {"count": float(len(true)), "accuracy": accuracy(said, true), "macro_f1": macro_f1(said, true)}
    if len(head.labels) == 3:
        # The papers' yes or no: weak and strong together.
        odds = np.exp(scores - scores.max(1, keepdims=True))
        yes = odds[:, 1:].sum(1) > odds[:, 0]
        figures["yes/accuracy"] = accuracy(yes.astype(np.int64), (true > 0).astype(np.int64))
        figures["yes/macro_f1"] = (binary_f1(yes, true > 0) + binary_f1(~yes, true == 0)) / 2
        return Measured(figures, [(figures["yes/accuracy"] + figures["yes/macro_f1"]) / 2])
    if len(head.labels) > 20:
        figures |= {f"top_{k}": top_k_accuracy(scores, true, k) for k in (2, 5)}
        return Measured(figures, [figures["accuracy"]])
    return Measured(figures, [(figures["accuracy"] + figures["macro_f1"]) / 2])


def calibration_errors(
    reading: Reading, examples: Sequence[Prepared], scores: Scores, temperatures: Mapping[str, float]
) -> dict[str, float]:
    """Each head's expected calibration error, as the model says it and under its temperature."""
    errors = {}
    for head in reading.heads:
        rows = [row for row, example in enumerate(examples) if head.name in example.targets]
        if not rows:
            continue
        join = np.stack if head.kind in ("single", "several") else np.concatenate
        said = join([scores[head.name][row] for row in rows])
        true = join([examples[row].targets[head.name] for row in rows]) > 0
        for name, temperature in (("before", 1.0), ("after", temperatures.get(head.name, 1.0))):
            sure = probabilities(head.kind, said, temperature)
            if head.kind == "single":
                right = true[np.arange(len(true)), sure.argmax(1)]
                error = expected_calibration_error(sure.max(1), right)
            else:
                error = expected_calibration_error(sure.ravel(), true.ravel())
            errors[f"{head.name}/calibration_error/{name}"] = error
    return errors
