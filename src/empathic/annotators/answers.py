"""What scores say: the label, how probable the likeliest ones are, and which words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from empathic.annotators.calibration import EVEN
from empathic.annotators.readings import Text

__all__ = ["labels_chosen", "likeliest", "several_chosen", "strongest_run", "words_shown", "yes_levels"]

Floats = NDArray[np.floating]
DIGITS = 4
"""Decimals that are kept of a probability."""


def likeliest(labels: Sequence[str], probabilities: Floats, top: int) -> list[dict[str, float]]:
    """For every row the labels with the highest probabilities, the highest first."""
    if top == 1:
        best = probabilities.argmax(1)
        values = np.round(probabilities[np.arange(len(best)), best], DIGITS)
        return [{labels[which]: value} for which, value in zip(best.tolist(), values.tolist(), strict=True)]
    order = np.argsort(-probabilities, axis=1, kind="stable")[:, :top]
    ordered = np.round(np.take_along_axis(probabilities, order, 1), DIGITS)
    return [
        {labels[which]: value for which, value in zip(row, values, strict=True)}
        for row, values in zip(order.tolist(), ordered.tolist(), strict=True)
    ]


def several_chosen(said: Floats, threshold: float) -> NDArray[np.bool_]:
    """Where any number of labels may hold: those that are probable enough, and the likeliest in any case."""
    return (said >= threshold) | (said == said.max(axis=1, keepdims=True))  # type: ignore[no-any-return]


def labels_chosen(labels: Sequence[str], chosen: NDArray[np.bool_]) -> list[tuple[str, ...]]:
    """For every row the labels that were chosen, in their order."""
    rows, columns = np.nonzero(chosen)
    names = [labels[column] for column in columns.tolist()]
    bounds = np.searchsorted(rows, np.arange(len(chosen) + 1)).tolist()
    return [tuple(names[begin:end]) for begin, end in pairwise(bounds)]


def yes_levels(probabilities: Floats) -> NDArray[np.int64]:
    """Levels of (none, weak, strong): none unless the other two together are likelier."""
    shown = probabilities[:, 1:].sum(1) > probabilities[:, 0]
    return np.where(shown, 1 + probabilities[:, 1:].argmax(1), 0)


def words_shown(text: Text, turn: int, said: str, probabilities: Floats, threshold: float = EVEN) -> tuple[str, ...]:
    """The runs of words of a turn that a head marks.

    Args:
        text: What was read.
        turn: Which of its turns.
        said: That turn, tidied.
        probabilities: Of every token of the text.
        threshold: From here on a token is marked.
    """
    runs: list[tuple[int, int]] = []
    for position in _tokens(text, turn):
        if probabilities[position] < threshold:
            continue
        begin, end = text.offsets[position]
        # What a mark or a single space parts is one run.
        if runs and begin - runs[-1][1] <= 1:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((begin, end))
    return tuple(said[begin:end] for begin, end in _whole_words(runs, said))


def strongest_run(text: Text, turn: int, said: str, probabilities: Floats, threshold: float = EVEN) -> str | None:
    """The one run of words of a turn that most speaks for: its probabilities' sum above the threshold is highest."""
    best, sum_so_far, begin = (0.0, -1, -1), 0.0, -1
    for position in _tokens(text, turn):
        if sum_so_far <= 0:
            sum_so_far, begin = 0.0, position
        sum_so_far += float(probabilities[position]) - threshold
        if sum_so_far > best[0]:
            best = (sum_so_far, begin, position)
    if best[1] < 0:
        return None
    ((first, last),) = _whole_words([(text.offsets[best[1]][0], text.offsets[best[2]][1])], said)
    return said[first:last]


def _tokens(text: Text, turn: int) -> Iterator[int]:
    return (position for position, number in enumerate(text.turns) if number == turn)


def _whole_words(runs: Sequence[tuple[int, int]], said: str) -> list[tuple[int, int]]:
    """Runs that begin and end where words do."""
    whole: list[tuple[int, int]] = []
    for first, last in runs:
        begin, end = first, last
        while begin < end and not said[begin].isalnum() and any(map(str.isalnum, said[begin:end])):
            begin += 1
        while begin > 0 and said[begin - 1].isalnum() and said[begin].isalnum():
            begin -= 1
        while end < len(said) and said[end - 1].isalnum() and said[end].isalnum():
            end += 1
        if whole and begin <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((begin, end))
    return whole
