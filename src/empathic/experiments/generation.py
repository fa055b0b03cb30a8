"""Replies to the contexts of a corpus, written beside what people replied; taken up where a killed process came to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from empathic.decoding import Decoding
from empathic.dialogue import Plan, Request
from empathic.experiments.outputs import SaidReply
from empathic.experiments.responder_data import Item
from empathic.experiments.runs import fingerprint
from empathic.growing import growing_file
from empathic.models.trained_responder import TrainedResponder

__all__ = ["decoding_name", "write_replies_to"]

ALWAYS = ("repetition_penalty", "block", "shortest", "longest")
"""What counts in every way of decoding."""
SEEDS_APART = 1_000_000
STRETCH = 4
"""Batches that are written together; contexts of like length are sorted into them."""


def decoding_name(decoding: Decoding) -> str:
    """What a way of decoding is called: what it is, and what of all that counts in it is not as it would be."""
    counts = {"greedy": (), "beam": ("length_norm",), "sample": ("temperature", "top_k", "top_p")}[decoding.strategy]
    parts = [f"beam-{decoding.beams}" if decoding.strategy == "beam" else decoding.strategy]
    for field in msgspec.structs.fields(Decoding):
        value = getattr(decoding, field.name)
        if field.name in (*counts, *ALWAYS) and value != field.default:
            parts.append(f"{field.name.replace('_', '-')}-{value:g}")
    return "-".join(parts)


def write_replies_to(
    path: Path,
    responder: TrainedResponder,
    items: Sequence[Item],
    *,
    plan: Plan | None = None,
    seed: int = 0,
    at_once: int = 64,
    told: Callable[[int], None] = lambda _: None,
) -> Path:
    """Writes a line for each item.

    Args:
        path: The file.
        responder: Who replies.
        items: To what, with what a person replied.
        plan: How every reply is to be.
        seed: Where chance comes from; each item has a seed of its own that follows from it.
        at_once: How many contexts are decoded together, which changes no reply.
        told: Told how many more have been answered.
    """
    # Contexts of like length go together; the lines are in the items' own order within each stretch that is written.
    made_from = fingerprint((responder.identity, plan, seed, [item.exchange.id for item in items]))
    stretch = at_once * STRETCH
    with growing_file(path, made_from) as growing:
        told(growing.done)
        for begin in range(growing.done, len(items), stretch):
            part = range(begin, min(begin + stretch, len(items)))
            said: dict[int, str] = {}
            by_length = sorted(part, key=lambda number: sum(len(turn.text) for turn in items[number].exchange.context))
            for cut in range(0, len(by_length), at_once):
                numbers = by_length[cut : cut + at_once]
                requests = [Request(items[number].exchange.context, plan=plan) for number in numbers]
                seeds = [seed * SEEDS_APART + number for number in numbers]
                said |= dict(zip(numbers, responder.replies(requests, seeds=seeds), strict=True))
                told(len(numbers))
            lines = (_line(items[number], said[number], plan) for number in part)
            growing.add(b"".join(msgspec.json.encode(line) + b"\n" for line in lines), len(part))
    return path


def _line(item: Item, reply: str, plan: Plan | None) -> SaidReply:
    exchange = item.exchange
    return SaidReply(
        id=exchange.id,
        emotion=exchange.emotion,
        context=exchange.context,
        reply=reply,
        reference=exchange.response.text,
        plan=plan,
    )
