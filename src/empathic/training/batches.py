"""Which items go together: of like length, in an order that the seed and the epoch decide and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

__all__ = ["Batches"]

POOL = 4096
"""Items that are sorted by length among themselves; large enough to waste little, small enough to mix well."""


class Batches:
    """The batches of every epoch."""

    def __init__(self, lengths: Sequence[int], *, tokens: int, items: int | None = None, seed: int = 0) -> None:
        """Sets out from the length of every item.

        Args:
            lengths: Tokens of each item.
            tokens: Tokens of a batch, padding included; one long item may exceed it alone.
            items: A fixed number of items a batch instead.
            seed: What the order follows from.
        """
        self.lengths = np.asarray(lengths)
        self.tokens = tokens
        self.items = items
        self.seed = seed

    def epoch(self, number: int) -> list[list[int]]:
        """The batches of an epoch, in order."""
        generator = np.random.default_rng((self.seed, number))
        order = generator.permutation(len(self.lengths))
        batches = [
            batch
            for begin in range(0, len(order), POOL)
            for batch in self._cut(self._sorted(order[begin : begin + POOL]))
        ]
        return [batches[position] for position in generator.permutation(len(batches))]

    def _sorted(self, pool: np.ndarray) -> np.ndarray:
        return pool[np.argsort(self.lengths[pool], kind="stable")]

    def _cut(self, pool: np.ndarray) -> Iterator[list[int]]:
        batch: list[int] = []
        for item in pool.tolist():
            # Sorted: the newest item is the longest, so that all are padded to its length.
            full = len(batch) >= self.items if self.items else (len(batch) + 1) * self.lengths[item] > self.tokens
            if batch and full:
                yield batch
                batch = []
            batch.append(item)
        if batch:
            yield batch
