"""A small model with attention over all that was said, and cached keys and values as a great one has them."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

SIZE = 16


class Memory:
    """Contexts as vectors, and the keys and values of what has been said to each."""

    def __init__(self, contexts: Tensor) -> None:
        self.contexts = contexts
        self.said = contexts.new_empty(len(contexts), 0, SIZE)

    def select(self, rows: Tensor) -> None:
        self.contexts, self.said = self.contexts[rows], self.said[rows]


class Toy:
    """Knows nothing, but what it says depends on the context and on every token before, and where it stood.

    The longer a reply, the likelier its end.
    """

    begin, end = 0, 1
    device = torch.device("cpu")

    def __init__(self, *, vocabulary: int = 12, seed: int = 0, ending: float = -2.0, sharpness: float = 2.0) -> None:
        generator = torch.Generator().manual_seed(seed)

        def weights(*shape: int) -> Tensor:
            return torch.randn(*shape, generator=generator, dtype=torch.float64)

        self.tokens, self.places = weights(vocabulary, SIZE), 0.5 * weights(128, SIZE)
        self.asked, self.answered = weights(SIZE, SIZE) / 4, weights(SIZE, SIZE) / 4
        self.output = weights(SIZE, vocabulary) * sharpness / SIZE**0.5
        self.bias = torch.zeros(128, vocabulary, dtype=torch.float64)
        self.bias[:, self.end] = ending + 0.4 * torch.arange(128)
        self.rows_stepped: list[int] = []

    @staticmethod
    def contexts(count: int, seed: int = 0) -> Tensor:
        return torch.randn(count, SIZE, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)

    def step(self, tokens: Tensor, state: Memory) -> Tensor:
        self.rows_stepped.append(len(tokens))
        latest = self.tokens[tokens] + self.places[state.said.shape[1]]
        state.said = torch.cat([state.said, latest[:, None]], 1)
        attention = torch.einsum("rd,rtd->rt", (latest + state.contexts) @ self.asked, state.said).softmax(1)
        seen = torch.einsum("rt,rtd->rd", attention, state.said) @ self.answered
        return torch.tanh(seen + latest / 2 + state.contexts) @ self.output + self.bias[state.said.shape[1] - 1]

    def scores(self, context: Tensor, reply: Sequence[int]) -> list[float]:
        """The same for one context, from the beginning and without a cache."""
        told = torch.stack([self.tokens[token] + self.places[at] for at, token in enumerate((self.begin, *reply))])
        attention = (told @ ((told[-1] + context) @ self.asked)).softmax(0)
        hidden = torch.tanh(attention @ told @ self.answered + told[-1] / 2 + context)
        scores: list[float] = (hidden @ self.output + self.bias[len(reply)]).tolist()
        return scores
