"""Factors as columns of a table: one text or number each."""

from __future__ import annotations

from collections.abc import Collection

from empathic.dialogue import Factors
from empathic.taxonomy import LEVELS, MECHANISMS

__all__ = ["columns", "columns_of"]

PREFIX = "factors."
TONES = ("polarity", "valence", "arousal", "dominance")


def columns_of(factors: Collection[str]) -> list[str]:
    """The columns of these factors; labels stand beside how probable they are."""
    names: list[str] = []
    for factor in factors:
        if factor == "mechanisms":
            names += [
                name for mechanism in MECHANISMS for name in (*_with_probability(mechanism), f"{mechanism}.words")
            ]
        elif factor == "causes":
            names += ["causes", "causes.words"]
        elif factor == "tone":
            names += TONES
        elif factor == "fine_emotions":
            names.append(factor)
        else:
            names += _with_probability(factor)
    return [PREFIX + name for name in names]


def _with_probability(name: str) -> list[str]:
    return [name, f"{name}.probability"]


def columns(factors: Factors) -> dict[str, str]:
    """The cells of `columns_of`; what there is nothing to say about is left out."""
    cells: dict[str, str] = {}
    for name in ("act", "emotion", "intent", "feeling"):
        label = getattr(factors, name)
        if label is not None:
            cells[name] = label
            cells[f"{name}.probability"] = _number(factors.probabilities.get(name, {}).get(label))
    cells["fine_emotions"] = " ".join(factors.fine_emotions)
    for name in MECHANISMS:
        mechanism = getattr(factors.mechanisms, name, None)
        if mechanism is not None:
            level = LEVELS[mechanism.level]
            cells[name] = level
            cells[f"{name}.probability"] = _number(factors.probabilities.get(name, {}).get(level))
            cells[f"{name}.words"] = " | ".join(mechanism.rationale)
    # Turns are counted from 1, as people count them.
    cells["causes"] = " ".join(str(cause.turn + 1) for cause in factors.causes)
    cells["causes.words"] = " | ".join(cause.span for cause in factors.causes if cause.span)
    cells["polarity"] = factors.polarity or ""
    cells |= {name: _number(getattr(factors, name)) for name in TONES[1:]}
    return {PREFIX + name: cell for name, cell in cells.items() if cell}


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"
