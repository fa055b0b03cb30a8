"""How varied replies are, among each other and in themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

__all__ = ["distinct", "repeats_itself"]


def distinct(texts: Iterable[Sequence[str]], order: int) -> float:
    """Li et al. 2016: how many different n-grams there are, over how many n-grams there are, in all texts together."""
    total = 0
    seen: set[tuple[str, ...]] = set()
    for text in texts:
        for gram in _grams(text, order):
            total += 1
            seen.add(gram)
    return len(seen) / total if total else 0.0


def repeats_itself(text: Sequence[str], order: int) -> bool:
    """Whether any n-gram comes twice."""
    grams = list(_grams(text, order))
    return len(set(grams)) < len(grams)


def _grams(text: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    return (tuple(text[begin : begin + order]) for begin in range(len(text) - order + 1))
