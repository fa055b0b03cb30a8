"""How much of the same words two texts have."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["rouge_l"]

BETA = 1.2
"""As nlg-eval, and so CoMAE, weighs recall."""


def rouge_l(said: Sequence[str], meant: Sequence[str], *, beta: float = BETA) -> float:
    """Lin 2004: the F of the longest common subsequence, (1 + b²) P R / (R + b² P); 0 where there is none."""
    common = _longest_common_subsequence(said, meant)
    if not common:
        return 0.0
    precision, recall = common / len(said), common / len(meant)
    return (1 + beta**2) * precision * recall / (recall + beta**2 * precision)


def _longest_common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    lengths = [0] * (len(other) + 1)
    for word in one:
        diagonal = 0
        for position, each in enumerate(other, 1):
            above = lengths[position]
            lengths[position] = diagonal + 1 if word == each else max(above, lengths[position - 1])
            diagonal = above
    return lengths[-1]
