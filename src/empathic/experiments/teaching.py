"""Teachers: annotators whose answers another learns; of several, the mean of what they say counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from empathic.annotators.calibration import cut
from empathic.annotators.examples import Example
from empathic.annotators.factors import Reading
from empathic.annotators.folder import load_reading
from empathic.annotators.readings import lay_out
from empathic.annotators.scoring import Scores, score
from empathic.errors import ArtifactError, UsageError
from empathic.experiments.annotator_measures import measure
from empathic.experiments.annotator_training import Prepared, prepare
from empathic.experiments.recipes import Teacher

__all__ = ["Teachers"]

SUREST = 1e-6
"""No probability is taken for nearer to 0 or 1 than that."""


class Teachers:
    """The annotators that a recipe names as its teacher, loaded."""

    def __init__(self, teacher: Teacher, what: Reading, device: torch.device) -> None:
        """Loads them.

        Args:
            teacher: What the recipe says of them.
            what: The reading that they must be of.
            device: What they compute on.
        """
        self.share = teacher.share
        self.what = what
        self.device = device
        for folder in teacher.models:
            if not Path(folder).is_dir():
                raise ArtifactError(
                    f"there is no teacher {folder}", remedy="train it first, or name others: teacher.models"
                )
        self.trained = [load_reading(Path(folder)) for folder in teacher.models]
        for folder, each in zip(teacher.models, self.trained, strict=True):
            if each.reading.name != what.name:
                raise UsageError(f"{folder} reads {each.reading.name!r}; a teacher of {what.name!r} is needed")

    def answers(self, examples: Sequence[Example]) -> list[dict[str, NDArray[np.float32]]]:
        """For every example and head: how probable the labels are, on the mean over all teachers."""
        answers: list[dict[str, NDArray[np.float32]]] = [{} for _ in examples]
        for each in self.trained:
            each.model.to(self.device)
            texts = lay_out(each.encoder, [example.script for example in examples], longest=self.what.longest)
            scores = score(each.model, texts, pad=each.encoder.pad, device=self.device)
            for head in self.what.heads:
                for answer, found in zip(answers, scores[head.name], strict=True):
                    said = (each.probabilities(head, found) / len(self.trained)).astype(np.float32)
                    answer[head.name] = answer[head.name] + said if head.name in answer else said
            each.model.to("cpu")
        return answers

    def teach(self, learned: Sequence[Example], training: Sequence[Prepared]) -> None:
        """Mixes their answers into the targets of training; where there is no target, theirs is the target."""
        for each, answer in zip(training, self.answers(learned), strict=True):
            for name, answered in answer.items():
                own = each.targets.get(name)
                if own is None:
                    each.targets[name] = answered
                elif own.shape == answered.shape:
                    each.targets[name] = ((1 - self.share) * own + self.share * answered).astype(np.float32)

    def figures(self, sources: Mapping[str, Sequence[Example]]) -> dict[str, dict[str, float]]:
        """What they reach together on examples with answers, by source."""
        figures = {}
        thresholds = {head: np.mean([each.threshold(head) for each in self.trained]) for head in self.what.heads}
        cuts = {head.name: cut(float(threshold), 1.0) for head, threshold in thresholds.items()}
        for source, examples in sources.items():
            prepared = prepare(self.trained[0].encoder, self.what, examples)
            answers = self.answers(examples)
            scores: Scores = {
                head.name: [_scores(answer[head.name], apart=head.kind != "single") for answer in answers]
                for head in self.what.heads
            }
            figures[source] = measure(self.what, prepared, scores, cuts).figures
        return figures


def _scores(said: NDArray[np.float32], *, apart: bool) -> NDArray[np.float32]:
    """Scores that mean these probabilities: of one label among all, or of yes and no for each."""
    sure = np.clip(said.astype(np.float64), SUREST, 1 - SUREST)
    return np.log(sure / (1 - sure) if apart else sure).astype(np.float32)
