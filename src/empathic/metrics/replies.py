"""What is measured on replies beside what people said in their place: each measure by its name, with its definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic.errors import UsageError, nearest, require
from empathic.metrics.diversity import distinct, repeats_itself
from empathic.metrics.overlap import rouge_l
from empathic.metrics.significance import Score, interval_of_sums, mean_interval
from empathic.metrics.similarity import SentenceEncoder, cosine_similarities
from empathic.metrics.vectors import WordVectors, greedy_matching
from empathic.text import plain_words, tidy, words

__all__ = ["MEASURES", "Measure", "Replies", "Tools", "chosen_measures", "tokens"]

Floats = NDArray[np.float64]


class Replies(NamedTuple):
    """What was said, and what a person said in its place, in the same order."""

    hypotheses: Sequence[str]
    references: Sequence[str]


class Tools(NamedTuple):
    """What some measures need beside the texts."""

    vectors: WordVectors | None = None
    encoder: SentenceEncoder | None = None
    samples: int = 1000
    """How often items are drawn anew for an interval."""
    seed: int = 0


class Measure(NamedTuple):
    """A measure of replies."""

    name: str
    about: str
    take: Callable[[Replies, Tools], Score]
    needs: str = ""
    """The tool without which it cannot be taken."""


MEASURES: dict[str, Measure] = {}
"""All that are known, in the order in which they are shown."""


def chosen_measures(names: Sequence[str]) -> list[Measure]:
    """Measures by their names, in the order of `MEASURES`; a `UsageError` names the nearest to one that is none."""
    for name in names:
        if name not in MEASURES:
            raise UsageError(f"there is no measure {name!r}; {nearest(name, MEASURES)}")
    return [measure for name, measure in MEASURES.items() if name in names]


@lru_cache(maxsize=1 << 16)
def tokens(text: str) -> tuple[str, ...]:
    """The words and marks that are counted: in lower case."""
    return tuple(words(tidy(text).lower()))


def _of_each(name: str, about: str, needs: str = "") -> Callable[[Callable[[Replies, Tools], list[float]]], None]:
    """A measure of every reply, whose mean is the figure."""

    def register(items_of: Callable[[Replies, Tools], list[float]]) -> None:
        def take(replies: Replies, tools: Tools) -> Score:
            items = np.array(items_of(replies, tools), np.float64)
            return Score(float(items.mean()), mean_interval(items, samples=tools.samples, seed=tools.seed), items)

        MEASURES[name] = Measure(name, f"{about}; mean over replies", take, needs)

    return register


def _bleu(
    name: str,
    about: str,
    *,
    smoothing: str = "exp",
    order: int = 4,
    cut: Callable[[str], list[str]] | None = None,
    **settings: Any,
) -> None:
    """A BLEU of sacrebleu, over all replies together; of words that are cut beforehand, where `cut` says how."""

    def prepared(text: str) -> str:
        return text if cut is None else " ".join(cut(text))

    def take(replies: Replies, tools: Tools) -> Score:
        metrics = require("sacrebleu.metrics", extra="report", purpose="BLEU")
        bleu = metrics.BLEU(lowercase=True, force=True, smooth_method=smoothing, max_ngram_order=order, **settings)
        pairs = ((prepared(said), prepared(meant)) for said, meant in zip(*replies, strict=True))
        found = [bleu.corpus_score([said], [[meant]]) for said, meant in pairs]
        counted = np.array([[*each.counts, *each.totals, each.sys_len, each.ref_len] for each in found], np.float64)

        def value(sums: Floats) -> float:
            *grams, said, meant = sums.astype(int).tolist()
            whole = metrics.BLEU.compute_bleu(
                grams[:order], grams[order:], said, meant, smooth_method=smoothing, max_ngram_order=order
            )
            return float(whole.score)

        return Score(value(counted.sum(0)), interval_of_sums(counted, value, samples=tools.samples, seed=tools.seed))

    MEASURES[name] = Measure(name, about, take)


def _distinct(order: int, what: str) -> None:
    """Distinct n-grams; drawing replies anew would repeat some, so that there is no interval."""

    def take(replies: Replies, _: Tools) -> Score:
        return Score(100 * distinct([tokens(said) for said in replies.hypotheses], order))

    about = f"different {what} over all {what} of all replies, x 100; falls as the set grows"
    MEASURES[f"distinct-{order}"] = Measure(f"distinct-{order}", about, take)


_bleu("bleu", "BLEU over the whole set: up to 4-grams, sacrebleu's 13a tokens, lower case, exponential smoothing")
_bleu("bleu-2", "the same up to bigrams", order=2)
_bleu(
    "multi-bleu",
    "what Moses' multi-bleu.perl -lc gives: up to 4-grams, no smoothing, words cut as those of MoEL's arrays are",
    smoothing="none",
    cut=plain_words,
    tokenize="none",
)


@_of_each("rouge-l", "F of the longest common subsequence of words, recall weighing 1.2 squared times, x 100")
def _rouge_l(replies: Replies, _: Tools) -> list[float]:
    return [100 * rouge_l(tokens(said), tokens(meant)) for said, meant in zip(*replies, strict=True)]


@_of_each(
    "greedy",
    "greedy matching: every word with the most alike of the other text by the cosine of word vectors, mean over words "
    "and both directions, x 100",
    needs="vectors",
)
def _greedy(replies: Replies, tools: Tools) -> list[float]:
    if tools.vectors is None:
        raise UsageError("greedy needs word vectors", remedy="name a file of GloVe's layout with --vectors")
    pairs = zip(*replies, strict=True)
    return [100 * greedy_matching(tokens(said), tokens(meant), tools.vectors) for said, meant in pairs]


@_of_each(
    "similarity",
    "cosine of the sentence embeddings of reply and reference by all-MiniLM-L6-v2, x 100",
    needs="encoder",
)
def _similarity(replies: Replies, tools: Tools) -> list[float]:
    if tools.encoder is None:
        raise UsageError("similarity needs an encoder of sentences")
    return [100 * cosine for cosine in cosine_similarities(*replies, tools.encoder).tolist()]


_distinct(1, "words")
_distinct(2, "bigrams")


@_of_each("unique", "per cent of replies that no other reply of the set equals")
def _unique(replies: Replies, _: Tools) -> list[float]:
    said = [" ".join(tokens(each)) for each in replies.hypotheses]
    times: dict[str, int] = {}
    for each in said:
        times[each] = times.get(each, 0) + 1
    return [100.0 * (times[each] == 1) for each in said]


@_of_each("repeating", "per cent of replies in which a 4-gram of words comes twice")
def _repeating(replies: Replies, _: Tools) -> list[float]:
    return [100.0 * repeats_itself(tokens(said), 4) for said in replies.hypotheses]


@_of_each("words", "words and marks of a reply")
def _words(replies: Replies, _: Tools) -> list[float]:
    return [float(len(tokens(said))) for said in replies.hypotheses]
