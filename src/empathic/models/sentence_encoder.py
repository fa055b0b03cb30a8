"""Sentences as vectors: the mean of an encoder's last states, brought to length 1, as all-MiniLM-L6-v2 was trained."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from empathic.models.encoder import Encoder, load_encoder
from empathic.text import tidy

__all__ = ["SentenceEncoder"]

LONGEST = 256
AT_ONCE = 64


class SentenceEncoder:
    """Embeds texts, and remembers them: references are asked for again with every system that is held against them."""

    def __init__(self, name: str = "all-minilm-l6-v2", *, device: torch.device | None = None) -> None:
        """Loads an encoder.

        Args:
            name: Base weights by name, a folder, or a model of the hub.
            device: What to compute on; the CPU by default.
        """
        self.encoder: Encoder = load_encoder(name)
        self.device = device or torch.device("cpu")
        self.known: dict[str, NDArray[np.float32]] = {}
        self.encoder.model.to(self.device).requires_grad_(False).train(mode=False)  # type: ignore[arg-type]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A vector of length 1 for every text: (texts, width)."""
        tidied = [tidy(text) for text in texts]
        new = list(dict.fromkeys(text for text in tidied if text not in self.known))
        encoded = [each.ids for each in self.encoder.tokenizer.encode_batch_fast(new)]
        longest = min(LONGEST, self.encoder.longest)
        tokens = [ids if len(ids) <= longest else [*ids[: longest - 1], self.encoder.end] for ids in encoded]
        order = sorted(range(len(tokens)), key=lambda item: len(tokens[item]))
        for begin in range(0, len(order), AT_ONCE):
            items = order[begin : begin + AT_ONCE]
            vectors = self._embedded([tokens[item] for item in items])
            self.known |= {new[item]: vector for item, vector in zip(items, vectors, strict=True)}
        return np.stack([self.known[text] for text in tidied])

    def _embedded(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        width = max(map(len, tokens))
        ids = torch.tensor([each + [self.encoder.pad] * (width - len(each)) for each in tokens], device=self.device)
        mask = torch.tensor([[1] * len(each) + [0] * (width - len(each)) for each in tokens], device=self.device)
        with torch.inference_mode():
            states = self.encoder.model(input_ids=ids, attention_mask=mask).last_hidden_state
            means = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
            found: NDArray[np.float32] = torch.nn.functional.normalize(means, dim=1).cpu().numpy()
        return found
