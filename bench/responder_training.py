"""Measures how quickly MIME and MoEL are trained, beside what their public code was measured at elsewhere.

    EMPATHIC_DATA=... python bench/responder_training.py docs/results/responder-training [--steps N] [--device cuda]

Writes responder-training.json and .md, on a GPU responder-training-cuda. The recipes are carried out by the loop that
trains everything, on training items drawn by chance, for so many steps. Each step is taken in several runs, and its
shortest time counts, so that what else the machine does weighs least.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import torch

from empathic import corpora
from empathic.compute import choose_device
from empathic.experiments.recipes import load_recipe
from empathic.experiments.responder_data import Item, learned_from
from empathic.experiments.responder_recipe import ResponderRecipe
from empathic.experiments.responder_training import ResponderTrainee
from empathic.experiments.responders import begun
from empathic.models.layout import Layout, Table
from empathic.models.reply_model import ReplyModel
from empathic.training import Term, Workers, train
from timing import machine

RUNS = 4
WARM_UP = 5
BATCH = 16
SEED = 0
BAR = 4
BY_CHANCE = 'vocabulary.vectors=""'
SAMPLE = ('data.corpora=["sample"]', 'data.measured_on="sample"')


class Subject(NamedTuple):
    """A recipe with what is changed in it, and what it stands beside."""

    recipe: str
    changes: tuple[str, ...]
    words: str
    peer: str


class Speed(NamedTuple):
    """Of a training at batch 16."""

    iterations: float
    """A second."""
    tokens: float
    """Of responses, with their ends, a second."""


PEERS = {"MIME": Speed(1.35, 330), "MoEL": Speed(0.64, 147)}
"""The public code, patched to run on a CPU: measured apart from this program, on two cores of the same make."""
SUBJECTS = (
    Subject("mime", (), "MIME", "MIME"),
    Subject("moel", (), "MoEL as a training begins: each row hears the listener of its true emotion", "MoEL"),
    Subject(
        "moel",
        ("model.oracle=0",),
        "MoEL where the model chooses five for each row, which are the same for most while it is new",
        "MoEL",
    ),
)


class Timed(ResponderTrainee):
    """Takes note of when every step begins."""

    def __init__(self, model: ReplyModel, table: Table, recipe: ResponderRecipe) -> None:
        few = _part(table, range(min(BATCH, len(table))))
        super().__init__(model, "model", train=table, valid=few, weights=recipe.weights, smoothing=recipe.smoothing)
        self.begun: list[float] = []
        self.tokens: list[int] = []

    def loss(self, items: Sequence[int]) -> dict[str, Term]:
        """The model's loss."""
        if self.responder.device.type == "cuda":
            torch.cuda.synchronize()
        self.begun.append(time.perf_counter())
        self.tokens.append(int(self.train.response_lengths[items].sum()))
        return super().loss(items)


def main() -> None:
    """Measures and writes the two files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    device = choose_device(given.device)
    before = os.getloadavg()[0]
    changes = (BY_CHANCE, *(() if corpora.find("empathetic-dialogues").is_here() else SAMPLE))
    recipe = _recipe("mime", changes)
    learned, _ = learned_from(recipe.data)
    chosen = np.random.default_rng(SEED).permutation(len(learned))[: BATCH * (given.steps + WARM_UP + 1)]
    items = [learned[number] for number in chosen]
    rows = [measure(subject, changes, learned, items, device) for subject in SUBJECTS]
    found = {
        "machine": machine(device),
        "load": [round(load, 1) for load in (before, os.getloadavg()[0])],
        "versions": {"torch": version("torch")},
        "data": f"{len(items):,} training items of {', '.join(recipe.data.corpora)}, drawn by chance; the vocabulary "
        "of the recipes, whose words begin by chance",
        "protocol": f"batches of {BATCH}; {given.steps} steps behind {WARM_UP} that are not counted; of each step the "
        f"shortest time of {RUNS} runs over the same batches; seed {SEED}; optimizer and log included, measuring and "
        "checkpoints not",
        "peer": "the public code, patched to run on a CPU; measured apart from this program, on two cores of the same "
        "make",
        "rows": rows,
    }
    target = given.target if device.type == "cpu" else given.target.with_name(f"{given.target.name}-{device.type}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    target.with_suffix(".md").write_text(page(found), encoding="utf-8")
    print(page(found))


def _recipe(name: str, changes: Sequence[str]) -> ResponderRecipe:
    recipe = load_recipe(name, changes)
    assert isinstance(recipe, ResponderRecipe)
    return recipe


def measure(
    subject: Subject, changes: Sequence[str], learned: Sequence[Item], items: Sequence[Item], device: torch.device
) -> dict[str, Any]:
    """Iterations and tokens a second, and how many times the peer's they are."""
    recipe = _recipe(subject.recipe, (*changes, *subject.changes))
    # Nothing is measured, and so no checkpoint written.
    settings = msgspec.structs.replace(recipe.training, epochs=1, evaluations=0, batch_items=BATCH, seed=SEED)
    torch.manual_seed(SEED)
    model, vocabulary = begun(recipe, learned)
    layout = Layout(vocabulary, longest=recipe.data.longest, longest_response=recipe.data.longest_response)
    table = layout.lay_out(item.said for item in items).to(device)
    start = {name: weight.clone() for name, weight in model.state_dict().items()}
    times = []
    for _ in range(RUNS):
        model.load_state_dict(start)
        trainee = Timed(model, table, recipe)
        torch.manual_seed(SEED)
        with tempfile.TemporaryDirectory() as folder:
            train(trainee, settings, Path(folder), Workers(device))
        times.append(np.diff(trainee.begun)[WARM_UP:])
    seconds = np.min(times, 0)
    speed = Speed(len(seconds) / seconds.sum(), sum(trainee.tokens[WARM_UP:-1]) / seconds.sum())
    peer = PEERS[subject.peer]
    return {
        "subject": subject.words,
        "recipe": " ".join((subject.recipe, *subject.changes)),
        "steps": len(seconds),
        "tokens": sum(trainee.tokens[WARM_UP:-1]),
        "vocabulary": vocabulary.size,
        "precision": settings.precision,
        "iterations a second": round(speed.iterations, 2),
        "tokens a second": round(speed.tokens),
        "peer": peer._asdict(),
        "ratio of iterations": round(speed.iterations / peer.iterations, 1),
        "ratio of tokens": round(speed.tokens / peer.tokens, 1),
        "bar": BAR,
    }


def _part(table: Table, rows: Sequence[int]) -> Table:
    return Table(**{name: value[list(rows)] for name, value in vars(table).items()})


def page(found: dict[str, Any]) -> str:
    """The same as a page."""
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    before, after = found["load"]
    lines = [
        f"# Training responders on {found['machine']}",
        "",
        f"Written by `python bench/responder_training.py`. {versions}; the machine's load before and after: "
        f"{before} and {after}. Data: {found['data']}. Protocol: "
        f"{found['protocol']}. Peer: {found['peer']}, so that these ratios are not of one run.",
        "",
        "| what | recipe | steps, tokens | the peer, a second | iterations | tokens | bar |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    on_gpu = " thread" not in found["machine"]
    for row in found["rows"]:
        peer = row["peer"]
        absolute = f" ({row['tokens a second']:,} a second)" if on_gpu else ""
        lines.append(
            f"| {row['subject']} | `{row['recipe']}`, {row['precision']}, {row['vocabulary']:,} words "
            f"| {row['steps']}, {row['tokens']:,} | {peer['iterations']} iterations, {peer['tokens']} tokens "
            f"| {row['ratio of iterations']} × | {row['ratio of tokens']} ×{absolute} | {row['bar']} × |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
