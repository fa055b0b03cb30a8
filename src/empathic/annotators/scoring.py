"""A model's scores for many texts: in batches of like length, given back in the order they came."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from empathic.annotators.readings import Text, collate
from empathic.compute import Precision, computing
from empathic.models.annotator import AnnotatorModel

__all__ = ["Scores", "score"]

MANY_TOKENS = 32768
BATCH_TOKENS = {"cpu": 1024}
"""A GPU wants as much at once as there is; a CPU what stays in its caches."""

Scores = dict[str, Sequence[NDArray[np.float32]]]
"""By head and then by text: the scores of its labels, or one row of them for each of its turns or tokens."""


def score(
    model: AnnotatorModel,
    texts: Sequence[Text],
    *,
    pad: int,
    device: torch.device,
    precision: Precision = "bf16",
) -> Scores:
    """Scores before calibration."""
    order = sorted(range(len(texts)), key=lambda item: len(texts[item].ids))
    batches = _cut(order, texts, BATCH_TOKENS.get(device.type, MANY_TOKENS))
    # A GPU computes one batch while the next is being put together: nothing is fetched from it before the end.
    with torch.inference_mode(), computing(device, precision):
        computed = [model(collate([texts[item] for item in items], pad).to(device)) for items in batches]
    scored: Scores = {}
    for head in model.heads:
        fetched = [each[head.name].float().cpu().numpy() for each in computed]
        if head.kind in ("single", "several"):
            rows = np.empty((len(texts), len(head.labels)), np.float32)
            for items, scores in zip(batches, fetched, strict=True):
                rows[items] = scores
            scored[head.name] = rows  # type: ignore[assignment]  # an array is a sequence of its rows
        else:
            parts: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * len(texts)
            for items, scores in zip(batches, fetched, strict=True):
                for item, row in zip(items, scores, strict=True):
                    parts[item] = row[: len(texts[item].read if head.kind == "turns" else texts[item].ids)]
            scored[head.name] = parts
    return scored


def _cut(order: Sequence[int], texts: Sequence[Text], batch_tokens: int) -> list[list[int]]:
    """Items in their order, cut so that no batch has more tokens than that when its last, longest text pads it."""
    batches: list[list[int]] = []
    begin = 0
    while begin < len(order):
        end = begin + 1
        while end < len(order) and (end + 1 - begin) * len(texts[order[end]].ids) <= batch_tokens:
            end += 1
        batches.append(list(order[begin:end]))
        begin = end
    return batches
