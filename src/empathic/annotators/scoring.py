"""A model's scores for many texts: in batches of like length, given back in the order they came."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from empathic.annotators.readings import Text, collate
from empathic.models.annotator import AnnotatorModel

__all__ = ["Scores", "score"]

Scores = dict[str, NDArray[np.float32]]
"""By head: the scores of the labels of one text, of its turns or of its tokens."""


def score(
    model: AnnotatorModel, texts: Sequence[Text], *, pad: int, device: torch.device, batch_tokens: int = 32768
) -> list[Scores]:
    """Scores before calibration, one dictionary a text."""
    order = sorted(range(len(texts)), key=lambda item: len(texts[item].ids))
    scored: list[Scores] = [{} for _ in texts]
    kinds = {head.name: head.kind for head in model.heads}
    begin = 0
    while begin < len(order):
        end = begin + 1
        while end < len(order) and (end + 1 - begin) * len(texts[order[end]].ids) <= batch_tokens:
            end += 1
        items = order[begin:end]
        begin = end
        batch = collate([texts[item] for item in items], pad).to(device)
        with torch.inference_mode():
            outputs = {name: each.float().cpu().numpy() for name, each in model(batch).items()}
        for name, rows in outputs.items():
            for item, row in zip(items, rows, strict=True):
                size = {"turns": len(texts[item].read), "words": len(texts[item].ids)}.get(kinds[name])
                scored[item][name] = row if size is None else row[:size]
    return scored
