"""The figures of a run on a set of items, with their intervals and with what each item adds to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from empathic.dialogue import Factors
from empathic.experiments.figures import AT_RANDOM, TOP
from empathic.experiments.outputs import Likelihood, SaidReply
from empathic.metrics.classification import random_guesses, weighted_scores
from empathic.metrics.perplexity import PERPLEXITIES, Losses
from empathic.metrics.realization import realization
from empathic.metrics.replies import Measure, Replies, Tools
from empathic.metrics.significance import Score, mean_interval
from empathic.taxonomy import EMOTIONS_AND_INTENTS

__all__ = ["likelihood_scores", "reply_scores"]


def likelihood_scores(items: Sequence[Likelihood], tools: Tools) -> dict[str, Score]:
    """Perplexities, how often the speaker's emotion was recognised, and how well the response's intent was foreseen."""
    rows = [(item.loss, item.tokens, item.words, item.characters) for item in items]
    losses = Losses(*np.array(rows, np.float64).T)
    scores = {name: each.take(losses, tools.samples, tools.seed) for name, each in PERPLEXITIES.items()}
    return scores | dict(_emotions(items, tools)) | dict(_intents(items, tools))


def _emotions(items: Sequence[Likelihood], tools: Tools) -> Iterator[tuple[str, Score]]:
    """A share is left out where too few emotions were told for it."""
    asked = [item.emotions for item in items if item.emotion is not None]
    for k in TOP:
        told = [emotions for emotions in asked if emotions is not None and len(emotions) >= k]
        if not asked or len(told) < len(asked):
            return
        right = np.array(
            [
                float("nan") if each.emotion is None else 100.0 * (each.emotion in (each.emotions or ())[:k])
                for each in items
            ]
        )
        counted = right[~np.isnan(right)]
        interval = mean_interval(counted, samples=tools.samples, seed=tools.seed)
        yield f"emotion-top-{k}", Score(float(counted.mean()), interval, right)


def _intents(items: Sequence[Likelihood], tools: Tools) -> Iterator[tuple[str, Score]]:
    answered = [row for row, item in enumerate(items) if item.intent is not None and item.intents]
    if not answered:
        return
    true, said = (
        np.array([EMOTIONS_AND_INTENTS.index(label) for label in labels])
        for labels in (
            [items[row].intent or "" for row in answered],
            [(items[row].intents or ("",))[0] for row in answered],
        )
    )
    count = len(EMOTIONS_AND_INTENTS)
    found = weighted_scores(said, true, count, samples=tools.samples, seed=tools.seed)
    random = random_guesses(true, count, samples=tools.samples, seed=tools.seed)
    for ending, scores in (("", found), (AT_RANDOM, random)):
        for part, score in scores._asdict().items():
            yield f"intent-{part}{ending}", _in_per_cent(score, answered, len(items))


def _in_per_cent(score: Score, rows: Sequence[int], count: int) -> Score:
    """The score x 100, its items at their places among all."""
    items = None
    if score.items is not None:
        items = np.full(count, float("nan"))
        items[rows] = 100 * score.items
    interval = score.interval and type(score.interval)(*(100 * edge for edge in score.interval))
    return Score(100 * score.value, interval, items)


def reply_scores(
    said: Sequence[SaidReply], measures: Sequence[Measure], tools: Tools, found: Sequence[Factors] | None = None
) -> dict[str, Score]:
    """What is measured on replies, and the realization of plans where it was read what replies do.

    Args:
        said: The replies with their references.
        measures: What is measured.
        tools: What that needs.
        found: What annotators read of the replies.
    """
    texts = Replies([each.reply for each in said], [each.reference for each in said])
    scores = {measure.name: measure.take(texts, tools) for measure in measures}
    if found is not None:
        plans = [each.plan for each in said]
        scores |= realization(plans, found, samples=tools.samples, seed=tools.seed)
    return scores
