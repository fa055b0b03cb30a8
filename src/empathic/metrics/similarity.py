"""How near two texts are in meaning, by the embeddings of a sentence encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["SentenceEncoder", "cosine_similarities"]


class SentenceEncoder(Protocol):
    """What turns texts into vectors."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A vector of length 1 for every text: (texts, width)."""


def cosine_similarities(one: Sequence[str], other: Sequence[str], encoder: SentenceEncoder) -> NDArray[np.float64]:
    """The cosine of the embeddings of every two texts that stand beside each other."""
    cosines: NDArray[np.float64] = (encoder.embed(one).astype(np.float64) * encoder.embed(other)).sum(1)
    return cosines
