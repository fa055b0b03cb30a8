"""Decoding as plainly as can be: one context, the whole reply read anew for every token, lists and loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

import torch

from empathic.decoding import Decoding, Said

Scores = Callable[[Sequence[int]], list[float]]
"""From a reply so far to a score for every token."""

NEVER = -math.inf


def reference(scores: Scores, settings: Decoding, *, end: int, seed: int = 0, forbidden: Collection[int] = ()) -> Said:
    if settings.strategy == "beam":
        return beam(scores, settings, end, forbidden)
    chances = torch.rand(settings.longest, generator=torch.Generator().manual_seed(seed)).tolist()
    reply: list[int] = []
    total = 0.0
    while len(reply) < settings.longest:
        logs, allowed = step(scores, reply, settings, end, forbidden)
        if settings.strategy == "greedy" or settings.temperature == 0:
            token = max(range(len(allowed)), key=lambda each: allowed[each])
        else:
            token = draw(allowed, settings, chances[len(reply)])
        total += logs[token]
        if token == end:
            break
        reply.append(token)
    return Said(tuple(reply), total)


def beam(scores: Scores, settings: Decoding, end: int, forbidden: Collection[int]) -> Said:
    """Goes on to the greatest length whatever has ended, and then takes the best of all that ever ended."""
    opened: list[tuple[float, list[int]]] = [(0.0, [])]
    ended: list[tuple[float, float, list[int]]] = []
    for length in range(1, settings.longest + 1):
        candidates = []
        for total, reply in opened:
            logs, allowed = step(scores, reply, settings, end, forbidden)
            candidates += [(total + logs[token], reply, token) for token in range(len(logs)) if allowed[token] > NEVER]
        candidates.sort(key=lambda each: -each[0])
        for total, reply, token in candidates[: settings.beams]:
            if token == end:
                ended.append((total / length**settings.length_norm, total, reply))
        others = [(total, [*reply, token]) for total, reply, token in candidates if token != end]
        opened = others[: settings.beams]
    if ended:
        _, total, reply = max(ended, key=lambda each: each[0])
    else:
        total, reply = opened[0]
    return Said(tuple(reply), total)


def step(
    scores: Scores, reply: list[int], settings: Decoding, end: int, forbidden: Collection[int]
) -> tuple[list[float], list[float]]:
    """The log-probability of every token, and its score, minus infinity for what may not come."""
    penalised = scores(reply)
    for token in set(reply):
        better = penalised[token] > 0
        penalised[token] *= 1 / settings.repetition_penalty if better else settings.repetition_penalty
    whole = math.log(sum(math.exp(score) for score in penalised))
    allowed = [
        NEVER
        if token in forbidden
        or (token == end and len(reply) < settings.shortest)
        or completes_again(reply, token, settings.block)
        else score
        for token, score in enumerate(penalised)
    ]
    if max(allowed) == NEVER:
        allowed[end] = penalised[end]
    return [score - whole for score in penalised], allowed


def completes_again(reply: list[int], token: int, order: int) -> bool:
    """Whether the reply would end in a sequence of that many tokens that it held already."""
    if order == 0 or len(reply) < order:
        return False
    sequence = [*reply[len(reply) - order + 1 :], token]
    return any(reply[place : place + order] == sequence for place in range(len(reply) - order + 1))


def draw(allowed: list[float], settings: Decoding, chance: float) -> int:
    """Goes down the likeliest until so much of their probability has been passed as chance says."""
    order = sorted((token for token, score in enumerate(allowed) if score > NEVER), key=lambda each: -allowed[each])
    if settings.top_k:
        order = order[: settings.top_k]
    highest = allowed[order[0]]
    weights = [math.exp((allowed[token] - highest) / settings.temperature) for token in order]
    kept: list[float] = []
    for weight in weights:
        if sum(kept) / sum(weights) >= settings.top_p:
            break
        kept.append(weight)
    passed = 0.0
    for token, weight in zip(order, kept, strict=False):
        passed += weight
        if passed > chance * sum(kept):
            return token
    raise AssertionError("chance is below 1")
