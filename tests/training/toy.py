"""Something small that learns, with chance in it: a line through points, behind dropout.

As a program it trains: `python toy.py FOLDER [STEPS]`; under torchrun, several processes train as one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import nn

from empathic.training import Term, TrainingSettings, join, train

SETTINGS = TrainingSettings(epochs=4, batch_tokens=64, rate=0.02, patience=9, evaluations=2, precision="fp32")


class Toy:
    goal: tuple[str, Literal["higher", "lower"]] = ("error", "lower")

    def __init__(self, dropout: float = 0.2) -> None:
        torch.manual_seed(0)
        self.model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Dropout(dropout), nn.Linear(16, 1))
        generator = torch.Generator().manual_seed(1)
        self.points = torch.randn(300, 8, generator=generator)
        self.values = self.points.sum(1, keepdim=True)
        self.lengths: Sequence[int] = [1 + number % 7 for number in range(300)]
        self.measured = 0
        self.best_at: int | None = None

    def loss(self, items: Sequence[int]) -> dict[str, Term]:
        items = list(items)
        error = nn.functional.mse_loss(self.model(self.points[items]), self.values[items], reduction="sum")
        size = self.model[0].weight.abs().sum() * len(items)
        return {"error": Term(error, len(items)), "size": Term(size, len(items), 0.01)}

    def evaluate(self) -> dict[str, float]:
        self.measured += 1
        if self.best_at is not None:
            return {"error": float(abs(self.measured - self.best_at))}
        with torch.no_grad():
            return {"error": float(nn.functional.mse_loss(self.model(self.points), self.values))}

    def groups(self, rate: float, decay: float) -> list[dict[str, Any]]:
        return [{"params": list(self.model.parameters()), "lr": rate, "weight_decay": decay}]


def main() -> None:
    """Trains without dropout, and says so after every step."""
    folder = Path(sys.argv[1])
    toy = Toy(dropout=float(sys.argv[2]))

    def tell(what: str, step: int, *_: object) -> None:
        if what == "measured" and step > 20:
            sys.stdout.write("ready\n")
            sys.stdout.flush()

    with join("cpu") as workers:
        train(toy, SETTINGS, folder, workers, tell=tell)


if __name__ == "__main__":
    main()
