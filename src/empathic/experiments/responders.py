"""A recipe for a responder, carried out: data, vocabulary, training, the model, and what it says of the splits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from empathic.compute import device_name
from empathic.errors import DataError, UsageError
from empathic.experiments.cards import responder_card
from empathic.experiments.outputs import Likelihood, write_emotion_vectors, write_likelihood
from empathic.experiments.responder_data import SPLITS, Item, learned_from, measured_on
from empathic.experiments.responder_recipe import ResponderRecipe
from empathic.experiments.responder_training import ResponderTrainee, judge
from empathic.experiments.runs import ABOUT, DROPPED, RESULT, Run, fingerprint, versions
from empathic.metrics.replies import tokens
from empathic.metrics.vectors import find_vectors, read_vectors
from empathic.models.encoder_decoder import EncoderDecoder
from empathic.models.kinds import TrainedSettings, build, is_parted, load_responder, save_responder
from empathic.models.layout import UNLABELLED, Layout, Table
from empathic.models.meed2 import MEED2
from empathic.models.mime import MIME
from empathic.models.moel import MoEL
from empathic.models.reply_model import ReplyModel
from empathic.models.rounding import restored, rounded
from empathic.models.vocabulary import Vocabulary, learn_pieces, learn_words
from empathic.taxonomy import EMOTIONS_AND_INTENTS, SITUATION_EMOTIONS
from empathic.training import Tell, Workers, train

__all__ = ["begun", "run_responder"]

Note = Callable[[str], None]
NAMED = 5
"""Emotions and intents that are written down of every item, likeliest first."""


def run_responder(
    run: Run[ResponderRecipe], name: str, workers: Workers, *, note: Note, tell: Tell | None = None
) -> dict[str, Any]:
    """Trains, measures and saves a responder; goes on where an earlier process of the same run was ended.

    Args:
        run: The folder that everything goes to.
        name: What the recipe is called.
        workers: What is computed on, and with whom.
        note: Told in words of what is going on.
        tell: Told of every step and measurement.
    """
    recipe = run.recipe
    learned, dropped = learned_from(recipe.data)
    note(f"{len(learned):,} responses to learn; {len(dropped):,} dropped that stand in what is measured on")
    measured = {split: measured_on(recipe.data, split) for split in SPLITS[1:]}
    torch.manual_seed(recipe.training.seed)
    model, vocabulary = begun(recipe, learned)
    layout = Layout(
        vocabulary,
        longest=recipe.data.longest,
        longest_response=recipe.data.longest_response,
        parted=is_parted(recipe.model),
    )
    tables = {
        split: layout.lay_out(item.said for item in items).to(workers.device) for split, items in measured.items()
    }
    training = layout.lay_out(item.said for item in learned).to(workers.device)
    weights = sum(weight.numel() for weight in model.parameters())
    note(f"{weights / 1e6:.2f} million weights, {vocabulary.size:,} {vocabulary.units}")
    _require_intents(model, training)
    if workers.leads:
        run.write_lines(DROPPED, (each._asdict() for each in dropped))
        about = {
            "recipe": name,
            "items": {"train": len(learned), **{split: len(items) for split, items in measured.items()}},
            "dropped": len(dropped),
            "data": fingerprint(item.said for item in learned),
            "weights": weights,
            "vocabulary": vocabulary.size,
            "made with": versions(device_name(workers.device)),
        }
        run.write(ABOUT, about)
    seconds, steps = 0.0, {}
    for stage in model.stages:
        last = stage == model.stages[-1]
        trainee = ResponderTrainee(
            model,
            stage,
            train=training,
            valid=tables["valid"],
            weights=recipe.weights,
            smoothing=recipe.smoothing,
        )
        if not last:
            note(f"training the {stage}")
        progress = train(
            trainee,
            recipe.training if last else recipe.predictor,
            run.folder if last else run.folder / stage,
            workers,
            tell=tell,
        )
        seconds += progress.seconds
        steps[stage] = progress.best_step
    model.train(mode=False)
    tensors = rounded(model.own_weights(), recipe.stored)
    model.load_state_dict(restored(tensors), strict=False)  # what is saved is what is measured
    note("measuring")
    figures = {}
    for split, items in measured.items():
        figures[split] = _measure(run.folder, split, model, items, tables[split], writes=workers.leads)
        if model.told:
            table = tables[split].untold()
            untold = _measure(run.folder, f"{split}-untold", model, items, table, writes=workers.leads)
            figures[split] |= {f"{name}, untold": value for name, value in untold.items() if name.startswith("ppl")}
    result = {
        "recipe": name,
        "best step": steps,
        "seconds": round(seconds, 1),
        "weights": weights,
        "valid": figures["valid"],
        "test": figures["test"],
    }
    if workers.leads:
        settings = TrainedSettings(
            model=recipe.model,
            units=vocabulary.units,
            turns=recipe.data.turns,
            measured_on=recipe.data.measured_on,
            intents=recipe.data.intents != "none",
            decoding=recipe.decoding,
            longest=recipe.data.longest,
            longest_response=recipe.data.longest_response,
            recipe=name,
        )
        card = responder_card(name, recipe, figures["test"], weights)
        save_responder(
            run.model,
            tensors,
            vocabulary,
            settings,
            about=recipe.about,
            licence=recipe.licence,
            figures=figures["test"],
            card=card,
        )
        if isinstance(model, MIME):
            write_emotion_vectors(run.folder, SITUATION_EMOTIONS.labels, model.emotions.weight.tolist())
        elif isinstance(model, MoEL):
            write_emotion_vectors(run.folder, SITUATION_EMOTIONS.labels, model.keys.weight.tolist())
        run.write(RESULT, result)
    return result


def _require_intents(model: ReplyModel, training: Table) -> None:
    """Refuses to train a predictor of what nobody has labelled."""
    if isinstance(model, MEED2) and model.predictor is not None and bool((training.intent == UNLABELLED).all()):
        raise DataError(
            "none of the responses has an emotion or intent, which the predictor learns",
            remedy='set data.intents to "released" or "annotated", or model.predictor to "none"',
        )


def begun(recipe: ResponderRecipe, learned: Sequence[Item]) -> tuple[ReplyModel, Vocabulary]:
    """A model with the vocabulary and the weights that the recipe has it begin with."""
    if recipe.begin_from:
        folder = Path(recipe.begin_from)
        before = load_responder(folder / "model" if (folder / "model").is_dir() else folder)
        model = build(recipe.model, before.layout.vocabulary.size)
        there, wanted = before.model.own_weights(), model.own_weights()
        fitting = {
            name: weight for name, weight in there.items() if name in wanted and weight.shape == wanted[name].shape
        }
        if not fitting:
            raise UsageError(f"{folder} holds a {before.settings.model!r}, of which nothing fits {recipe.model!r}")
        model.load_state_dict(fitting, strict=False)
        return model, before.layout.vocabulary
    texts = _texts(recipe, learned)
    if recipe.vocabulary.units == "pieces":
        vocabulary = learn_pieces(texts, recipe.vocabulary.size)
    else:
        vocabulary = learn_words(texts, fewest=recipe.vocabulary.fewest)
    model = build(recipe.model, vocabulary.size)
    if recipe.vocabulary.vectors:
        _take_vectors(model, vocabulary, recipe.vocabulary.vectors)
    return model, vocabulary


def _texts(recipe: ResponderRecipe, learned: Sequence[Item]) -> Iterable[str]:
    """What the vocabulary is learned from, each text once."""
    if recipe.vocabulary.over == "all splits":
        items = [*learned, *(item for split in SPLITS[1:] for item in measured_on(recipe.data, split))]
    else:
        items = list(learned)
    texts: dict[str, None] = {}
    for item in items:
        exchange = item.exchange
        said = [turn.text for turn in (*exchange.context, exchange.response)]
        if recipe.vocabulary.over == "all splits" and exchange.situation:
            said.append(exchange.situation)
        texts |= dict.fromkeys(said)
    return texts


def _take_vectors(model: ReplyModel, vocabulary: Vocabulary, named: str) -> None:
    """Lets words begin with their vectors, turned into the model's width by chance where theirs is another."""
    file = find_vectors() if named == "found" else Path(named)
    if file is None:
        raise UsageError("there are no word vectors in the data folder", remedy="name a file: vocabulary.vectors")
    if not isinstance(model, EncoderDecoder) or vocabulary.units != "words":
        raise UsageError("word vectors are for models of whole words: set vocabulary.units to words, or name none")
    wanted = vocabulary.rows()
    vectors = read_vectors(file, wanted.keys())
    rows = torch.tensor([wanted[word] for word in vectors.numbers])
    found = torch.from_numpy(vectors.matrix)
    width = model.embedding.table.embedding_dim
    if vectors.width != width:
        turned = torch.empty(max(vectors.width, width), min(vectors.width, width))
        torch.nn.init.orthogonal_(turned)
        found = found @ (turned.T if turned.shape[0] == width else turned)
    model.take_vectors(rows, found)


def _measure(
    folder: Path, split: str, model: ReplyModel, items: Sequence[Item], table: Table, *, writes: bool
) -> dict[str, float]:
    """Writes what the model makes of a split's items, and gives the main figures."""
    with torch.inference_mode():
        judged = judge(model, table)
    counts = table.response_lengths
    lines = [
        Likelihood(
            id=item.exchange.id,
            emotion=item.said.emotion,
            loss=float(judged.losses[row]),
            tokens=int(counts[row]),
            words=len(tokens(item.exchange.response.text)) + 1,
            characters=len(item.exchange.response.text) + 1,
            emotions=_likeliest(judged.emotions, row, SITUATION_EMOTIONS.labels),
            intent=item.said.intent,
            intents=_likeliest(judged.intents, row, EMOTIONS_AND_INTENTS.labels),
        )
        for row, item in enumerate(items)
    ]
    if writes:
        write_likelihood(folder, split, lines)
    figures = {
        "count": float(len(lines)),
        "ppl-moel": float(np.exp((judged.losses / counts).mean())),
        "ppl-token": float(np.exp(judged.losses.sum() / counts.sum())),
        "ppl-word": float(np.exp(judged.losses.sum() / sum(line.words for line in lines))),
    }
    for top in (1, 2, 5):
        named = [line.emotion in line.emotions[:top] for line in lines if line.emotion and line.emotions]
        if named:
            figures[f"emotion-top-{top}"] = 100 * float(np.mean(named))
    return figures


def _likeliest(scores: NDArray[np.float64] | None, row: int, labels: Sequence[str]) -> tuple[str, ...] | None:
    if scores is None:
        return None
    return tuple(labels[number] for number in np.argsort(-scores[row])[:NAMED])
