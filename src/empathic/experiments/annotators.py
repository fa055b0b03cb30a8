"""A recipe for an annotator, carried out: data, training, temperatures, measurement on the test splits, the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from empathic.annotators.calibration import cut, fit_temperature, fit_threshold, probabilities
from empathic.annotators.examples import Example, examples, unlabelled
from empathic.annotators.factors import Reading, reading
from empathic.annotators.folder import AnnotatorSettings, save_reading
from empathic.annotators.scoring import Scores
from empathic.compute import device_name
from empathic.experiments.annotator_measures import calibration_errors, measure
from empathic.experiments.annotator_training import AnnotatorTrainee, Prepared, prepare
from empathic.experiments.cards import annotator_card
from empathic.experiments.recipes import AnnotatorRecipe
from empathic.experiments.runs import ABOUT, DROPPED, RESULT, Run, fingerprint, versions
from empathic.experiments.teaching import Teachers
from empathic.models.annotator import AnnotatorModel
from empathic.models.encoder import Encoder, load_encoder
from empathic.training import Tell, TestTexts, Workers, train

__all__ = ["run_annotator"]

Note = Callable[[str], None]


def run_annotator(
    run: Run[AnnotatorRecipe], name: str, workers: Workers, *, note: Note, tell: Tell | None = None
) -> dict[str, Any]:
    """Trains, measures and saves an annotator; goes on where an earlier process of the same run was ended.

    Args:
        run: The folder that everything goes to.
        name: What the recipe is called.
        workers: What is computed on, and with whom.
        note: Told in words of what is going on.
        tell: Told of every step and measurement.
    """
    recipe = run.recipe
    what = reading(recipe.reading)
    torch.manual_seed(recipe.training.seed)
    encoder = load_encoder(recipe.encoder)
    model = AnnotatorModel(encoder, what.heads, rank=recipe.adapter, dropout=recipe.dropout)
    learned, dropped = _to_learn_from(recipe)
    note(f"{len(learned):,} examples to learn from; {len(dropped):,} dropped that stand in a test split")
    training = prepare(encoder, what, learned)
    _smooth(what, training, recipe.smoothing)
    teachers = None if recipe.teacher is None else Teachers(recipe.teacher, what, workers.device)
    if teachers is not None:
        note("asking the teacher")
        teachers.teach(learned, training)
    trainee = AnnotatorTrainee(
        model, encoder, what, train=training, valid=_split(recipe, encoder, what, "valid"), weights=recipe.weights
    )
    if workers.leads:
        run.write_lines(DROPPED, dropped)
        about = {
            "recipe": name,
            "examples": len(learned),
            "dropped": len(dropped),
            "data": fingerprint((example.script, example.answers) for example in learned),
            "weights that learn": sum(weight.numel() for weight in model.parameters() if weight.requires_grad),
            "made with": versions(device_name(workers.device)),
        }
        run.write(ABOUT, about)
    progress = train(trainee, recipe.training, run.folder, workers, tell=tell)
    model.train(mode=False)
    note("measuring on the test splits")
    temperatures, thresholds = _calibrated(what, trainee)
    cuts = {head: cut(threshold, temperatures[head]) for head, threshold in thresholds.items()}
    figures = _figures(recipe, what, encoder, trainee, temperatures, cuts, _seen(training))
    result: dict[str, Any] = {
        "recipe": name,
        "best step": progress.best_step,
        "seconds": round(progress.seconds, 1),
        "valid": progress.measured,
        "test": figures,
        "temperatures": temperatures,
        "thresholds": thresholds,
    }
    if teachers is not None:
        result["teacher"] = teachers.figures(_labelled(recipe, what, "test"))
    if workers.leads:
        settings = AnnotatorSettings(
            reading=what.name,
            encoder=recipe.encoder,
            adapter=recipe.adapter,
            temperatures=temperatures,
            thresholds=thresholds,
            recipe=name,
        )
        card = annotator_card(name, recipe, what, figures)
        save_reading(run.model, model, settings, about=recipe.about, licence=recipe.licence, figures=figures, card=card)
        run.write(RESULT, result)
    return result


def _to_learn_from(recipe: AnnotatorRecipe) -> tuple[list[Example], list[dict[str, str]]]:
    """The training examples, and those that were left out since a test split holds them."""
    tests = TestTexts()
    for source in (*recipe.sources, *recipe.tested_on):
        for example in examples(source, "test"):
            tests.add(_said(example, source == "causes"))
    kept: list[Example] = []
    dropped: list[dict[str, str]] = []

    def take(found: Iterator[Example], source: str, times: int) -> None:
        for example in found:
            overlap = tests.overlap(_said(example, recipe.reading == "cause"))
            if overlap is None:
                kept.extend([example] * times)
            else:
                dropped.append({"source": source, "text": overlap.text, "reason": overlap.reason})

    for source, times in recipe.sources.items():
        take(examples(source, "train"), source, times)
    if recipe.teacher is not None:
        for corpus, split in recipe.teacher.corpora.items():
            take(unlabelled(corpus, recipe.reading, split or None), corpus, 1)
    return kept, dropped


def _said(example: Example, emotion_first: bool) -> list[str]:
    """What was said, without the emotion that stands before it when causes are asked for."""
    return [line.text for line in example.script[emotion_first:]]


def _split(recipe: AnnotatorRecipe, encoder: Encoder, what: Reading, split: str) -> dict[str, list[Prepared]]:
    """The examples of every source that have an answer for what is read."""
    return {source: prepare(encoder, what, found) for source, found in _labelled(recipe, what, split).items()}


def _labelled(recipe: AnnotatorRecipe, what: Reading, split: str) -> dict[str, list[Example]]:
    asked = {head.name for head in what.heads}
    sources = {
        source: [example for example in examples(source, split) if asked & example.answers.keys()]
        for source in (*recipe.sources, *recipe.tested_on)
    }
    return {source: found for source, found in sources.items() if found}


def _smooth(what: Reading, training: Sequence[Prepared], smoothing: float) -> None:
    for head in what.heads:
        if smoothing and head.kind == "single":
            for each in training:
                if head.name in each.targets:
                    each.targets[head.name] *= 1 - smoothing
                    each.targets[head.name] += smoothing / len(head.labels)


def _calibrated(what: Reading, trainee: AnnotatorTrainee) -> tuple[dict[str, float], dict[str, float]]:
    """A temperature for every head, and a threshold for those that say yes or no, over all validation examples."""
    temperatures, thresholds = {}, {}
    answered = [(found, trainee.answer(found)) for found in trainee.valid.values()]
    for head in what.heads:
        pairs = [
            (said, each.targets[head.name])
            for found, scores in answered
            for each, said in zip(found, scores[head.name], strict=True)
            if head.name in each.targets
        ]
        if pairs:
            join = np.stack if head.kind in ("single", "several") else np.concatenate
            scores, targets = (join([pair[side] for pair in pairs]) for side in (0, 1))
            temperatures[head.name] = fit_temperature(head.kind, scores, targets)
            if head.kind != "single":
                sure = probabilities(head.kind, scores, temperatures[head.name])
                thresholds[head.name] = fit_threshold(head.kind, sure, targets)
    return temperatures, thresholds


def _seen(training: Sequence[Prepared]) -> set[tuple[int, ...]]:
    """What was learned from, token by token."""
    return {tuple(each.text.ids) for each in training}


def _figures(
    recipe: AnnotatorRecipe,
    what: Reading,
    encoder: Encoder,
    trainee: AnnotatorTrainee,
    temperatures: Mapping[str, float],
    cuts: Mapping[str, float],
    seen: set[tuple[int, ...]],
) -> dict[str, dict[str, Any]]:
    """By source: the figures on its test split, and on that split without the texts that stand in training."""
    figures: dict[str, dict[str, Any]] = {}
    for source, found in _split(recipe, encoder, what, "test").items():
        scores = trainee.answer(found)
        measured = measure(what, found, scores, cuts).figures
        figures[source] = measured | calibration_errors(what, found, scores, temperatures)
        new = [row for row, each in enumerate(found) if tuple(each.text.ids) not in seen]
        if len(new) < len(found):
            left: Scores = {head: [of[row] for row in new] for head, of in scores.items()}
            apart = measure(what, [found[row] for row in new], left, cuts)
            figures[f"{source}, without texts of training"] = dict(apart.figures)
    return figures
