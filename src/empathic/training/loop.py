"""The loop: batches, loss, step, measurement, checkpoint; the same for everything that learns."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from empathic.compute import computing
from empathic.errors import ArtifactError, EmpathicError
from empathic.training.batches import Batches
from empathic.training.checkpoint import Progress, learning, load_checkpoint, save_checkpoint, save_weights
from empathic.training.log import Log
from empathic.training.parallel import Workers
from empathic.training.settings import TrainingSettings

__all__ = ["Tell", "Term", "Trainee", "train"]

LOGGED_EVERY = 10


class DivergedError(EmpathicError):
    """A training whose loss is no number any more."""


@dataclass(frozen=True)
class Term:
    """A part of the loss: a sum, over how much it is a sum, and how much its mean weighs."""

    total: Tensor
    count: int
    weight: float = 1.0


class Trainee(Protocol):
    """What the loop trains."""

    @property
    def model(self) -> nn.Module:
        """Whose weights learn: those that ask for a gradient."""

    @property
    def lengths(self) -> Sequence[int]:
        """Tokens of every training item."""

    @property
    def goal(self) -> tuple[str, Literal["higher", "lower"]]:
        """The measurement that says which weights are best."""

    def loss(self, items: Sequence[int]) -> Mapping[str, Term]:
        """The terms of the loss over these items; what is minimised is the weighted sum of their means."""

    def evaluate(self) -> dict[str, float]:
        """Measures the model on the validation split."""

    def groups(self, rate: float, decay: float) -> list[dict[str, Any]]:
        """The optimizer's groups of weights."""


Tell = Callable[[str, int, int, Mapping[str, float]], None]
"""Told of what happens ("step" or "measured"), the step, how many there will be, and the figures."""


def train(
    trainee: Trainee, settings: TrainingSettings, folder: Path, workers: Workers, *, tell: Tell | None = None
) -> Progress:
    """Trains until the end or until it gets no better, from where `folder` says that it had come.

    Afterwards the model holds the best weights, which also lie in `best.safetensors`.
    """
    training = _Training(trainee, settings, folder, workers, tell or (lambda *_: None))
    training.run()
    workers.wait()
    best = folder / "best.safetensors"
    if best.is_file():
        try:
            trainee.model.load_state_dict(load_file(best), strict=False)
        except SafetensorError as error:
            raise ArtifactError(f"{best}: damaged: {error}", remedy=f"remove {folder} and train anew") from error
    return training.progress


class _Training:
    """A training on its way."""

    def __init__(
        self, trainee: Trainee, settings: TrainingSettings, folder: Path, workers: Workers, tell: Tell
    ) -> None:
        self.trainee = trainee
        self.settings = settings
        self.folder = folder
        self.workers = workers
        self.tell = tell
        self.model = trainee.model.to(workers.device)
        self.plan = list(_plan(trainee.lengths, settings))
        groups = trainee.groups(settings.rate, settings.decay)
        self.optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=settings.epsilon, fused=True)
        self.peaks = [group["lr"] for group in self.optimizer.param_groups]
        self.progress = load_checkpoint(folder / "checkpoint", self.model, self.optimizer)

    def run(self) -> None:
        """Takes one step after the other."""
        before, begun = self.progress.seconds, time.monotonic()
        saved = begun
        with Log(self.folder / "log.jsonl", self.progress.step, writes=self.workers.leads) as log:
            for step in range(self.progress.step, len(self.plan)):
                if self.progress.without_better >= self.settings.patience:
                    break
                items, measuring = self.plan[step]
                figures = self.step(step, items)
                self.progress.step = step + 1
                self.progress.seconds = before + time.monotonic() - begun
                if step % LOGGED_EVERY == 0 or measuring:
                    shown = {name: float(value) for name, value in figures.items()}
                    _require_finite(shown["loss"], step + 1)
                    log.write({"step": step + 1, **shown, "rate": self.optimizer.param_groups[0]["lr"]})
                    self.tell("step", step + 1, len(self.plan), shown)
                if measuring:
                    measured = self.measure()
                    _require_finite(measured[self.trainee.goal[0]], step + 1)
                    self.judge(measured)
                    log.write({"step": step + 1, "measured": measured})
                    self.tell("measured", step + 1, len(self.plan), measured)
                # Every process must come to the same decision; the leading one's clock counts.
                if measuring or self.workers.told(time.monotonic() - saved > 60 * self.settings.checkpoint_minutes):
                    log.flush()
                    if self.workers.leads:
                        save_checkpoint(self.folder / "checkpoint", self.progress, self.model, self.optimizer)
                    saved = time.monotonic()

    def step(self, step: int, items: Sequence[int]) -> dict[str, Tensor]:
        """One step of the optimizer; returns the loss and the means of its terms."""
        for group, peak in zip(self.optimizer.param_groups, self.peaks, strict=True):
            group["lr"] = peak * _share_of_rate(step, len(self.plan), self.settings)
        self.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        with computing(self.workers.device, self.settings.precision):
            terms = self.trainee.loss(self.workers.share(items))
        counts = self.workers.totals([term.count for term in terms.values()])
        means = {name: term.total / max(1, count) for (name, term), count in zip(terms.items(), counts, strict=True)}
        loss = torch.stack([terms[name].weight * mean for name, mean in means.items()]).sum()
        if loss.requires_grad:  # one of several processes may have got nothing of a small batch
            torch.autograd.backward(loss)
        weights = list(learning(self.model).values())
        self.workers.sum_gradients(weights)
        if self.settings.clip:
            torch.nn.utils.clip_grad_norm_(weights, self.settings.clip)
        self.optimizer.step()
        figures = self.workers.total(torch.stack([loss.detach(), *(mean.detach() for mean in means.values())]))
        return dict(zip(("loss", *means), figures, strict=True))

    def measure(self) -> dict[str, float]:
        """The figures of the validation split."""
        self.model.eval()
        with torch.inference_mode(), computing(self.workers.device, self.settings.precision):
            return self.trainee.evaluate()

    def judge(self, measured: dict[str, float]) -> None:
        """Keeps the weights where the measurement is the best so far."""
        progress = self.progress
        name, direction = self.trainee.goal
        found = measured[name]
        if progress.best is not None and (found <= progress.best if direction == "higher" else found >= progress.best):
            progress.without_better += 1
            return
        progress.best, progress.best_step, progress.without_better = found, progress.step, 0
        progress.measured = measured
        if self.workers.leads:
            save_weights(self.folder / "best.safetensors", learning(self.model))


def _require_finite(value: float, step: int) -> None:
    """Ends a training that has gone astray: from there it never comes back."""
    if not math.isfinite(value):
        raise DivergedError(f"at step {step:,} the loss is no number any more", remedy="lower training.rate")


def _plan(lengths: Sequence[int], settings: TrainingSettings) -> Iterator[tuple[list[int], bool]]:
    """Every batch of every epoch, and whether it is measured behind it."""
    batches = Batches(lengths, tokens=settings.batch_tokens, items=settings.batch_items, seed=settings.seed)
    for number in range(settings.epochs):
        epoch = batches.epoch(number)
        for position, items in enumerate(epoch):
            done, doing = position * settings.evaluations // len(epoch), (position + 1) * settings.evaluations
            yield items, doing // len(epoch) > done


def _share_of_rate(step: int, steps: int, settings: TrainingSettings) -> float:
    """Of the highest rate: rising over the warm-up, and then as the schedule has it."""
    rising = max(1, round(settings.warm_up * steps if settings.warm_up < 1 else settings.warm_up))
    if step < rising:
        return (step + 1) / rising
    if settings.schedule == "inverse root":
        return math.sqrt(rising / (step + 1))
    return 1.0 if settings.schedule == "constant" else (steps - step) / max(1, steps - rising)
