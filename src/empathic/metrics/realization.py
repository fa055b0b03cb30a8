"""Realization: whether a reply does what was planned for it, as annotators read it (CoMAE, section 6.6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from empathic.dialogue import Dialogue, Factors, Mechanism, Mechanisms, Plan, Turn
from empathic.metrics.significance import Score, mean_interval
from empathic.taxonomy import MECHANISMS

if TYPE_CHECKING:
    from empathic.annotators.annotator import Annotator

__all__ = ["READ_OF_REPLIES", "REALIZATIONS", "read_replies", "realization"]

READ_OF_REPLIES = ("act", "emotion", "intent", "mechanisms")
"""The factors that can be planned, by the names that annotators know them by."""
NAN = float("nan")

Realized = Callable[[Plan, Factors], float]


def _label(factor: str) -> Realized:
    """1 where the label is the planned one, 0 where it is another; NaN where none was planned or read."""

    def realized(plan: Plan, found: Factors) -> float:
        planned, read = getattr(plan, factor), getattr(found, factor)
        return NAN if planned is None or read is None else float(planned == read)

    return realized


def _mechanism(name: str) -> Realized:
    """1 where a mechanism that was planned shows, 0 where it does not; NaN where it was not planned."""

    def realized(plan: Plan, found: Factors) -> float:
        shows = _shows(found.mechanisms, name)
        return NAN if shows is None or not _shows(plan.mechanisms, name) else float(shows)

    return realized


def _all_mechanisms(plan: Plan, found: Factors) -> float:
    """1 where each of those that were decided shows or does not show as planned."""
    pairs = [(_shows(plan.mechanisms, name), _shows(found.mechanisms, name)) for name in MECHANISMS]
    decided = [planned == shows for planned, shows in pairs if planned is not None and shows is not None]
    return float(all(decided)) if decided else NAN


def _shows(mechanisms: Mechanisms | None, name: str) -> bool | None:
    one: Mechanism | None = getattr(mechanisms, name, None)
    return None if one is None else one.level > 0


REALIZATIONS: dict[str, tuple[str, Realized]] = (
    {
        "realized-mechanisms": (
            "per cent of replies that show the mechanisms that were planned, and no other",
            _all_mechanisms,
        )
    }
    | {
        f"realized-{name.replace('_', '-')}": (
            f"per cent of replies that show {name.replace('_', ' ')}, of those for which it was planned",
            _mechanism(name),
        )
        for name in MECHANISMS
    }
    | {
        f"realized-{factor}": (
            f"per cent of replies whose {factor} is the planned one, of those with one planned",
            _label(factor),
        )
        for factor in ("act", "emotion", "intent")
    }
)
"""By name: what it is, and its value for a plan and what was read of the reply."""


def realization(
    plans: Sequence[Plan | None], found: Sequence[Factors], *, samples: int = 1000, seed: int = 0
) -> dict[str, Score]:
    """The share of replies in which what was planned is found, x 100, for each factor that any plan decides.

    Args:
        plans: How each reply was meant to be; None where nothing was planned.
        found: What was read of it.
        samples: How often replies are drawn anew for the intervals.
        seed: What is drawn follows from it.
    """
    scores = {}
    for name, (_, realized) in REALIZATIONS.items():
        items = np.array(
            [NAN if plan is None else 100 * realized(plan, of) for plan, of in zip(plans, found, strict=True)]
        )
        counted = items[~np.isnan(items)]
        if len(counted):
            scores[name] = Score(float(counted.mean()), mean_interval(counted, samples=samples, seed=seed), items)
    return scores


def read_replies(
    annotator: Annotator,
    contexts: Sequence[Sequence[Turn]],
    replies: Sequence[str],
    *,
    told: Callable[[int], None] = lambda _: None,
) -> list[Factors]:
    """What annotators read of replies, each as the answer to what the speaker said last; kept, and read only once.

    Args:
        annotator: What reads them.
        contexts: What was said before each.
        replies: The replies.
        told: Told how many more have been read.
    """
    from empathic.annotators.kept import annotate_once

    asked = [
        Dialogue(str(number), (*_last_said(context), Turn("listener", reply)))
        for number, (context, reply) in enumerate(zip(contexts, replies, strict=True))
    ]
    return [dialogue.turns[-1].factors or Factors() for dialogue in annotate_once(annotator, lambda: asked, told=told)]


def _last_said(context: Sequence[Turn]) -> tuple[Turn, ...]:
    return tuple(turn for turn in context if turn.role == "speaker")[-1:]
