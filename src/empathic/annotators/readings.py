"""How a conversation is laid out for an encoder: which turns are read, and what is left out of long ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import torch

from empathic.dialogue import Role
from empathic.models.annotator import TextBatch
from empathic.models.encoder import Encoder
from empathic.text import tidy

__all__ = ["MOST_TURNS", "Line", "Script", "Text", "collate", "lay_out", "turns_to_read"]

MOST_TURNS = 48
"""Of longer conversations the first turn and the latest ones are read."""
LONGEST_TURN = 20_000
"""Characters of a turn that are looked at; no encoder reads that far."""


@dataclass(frozen=True, slots=True)
class Line:
    """One turn to be read."""

    role: Role
    text: str


Script = Sequence[Line]


@dataclass(frozen=True, slots=True)
class Text:
    """A script as tokens."""

    ids: list[int]
    roles: list[int]
    turns: list[int]
    """The turn of every token, -1 for marks."""
    read: list[int]
    """Which turns of the script were read; `turns` counts along this list."""
    offsets: list[tuple[int, int]]
    """Where in its turn's tidied text a token stands; empty unless asked for."""


def lay_out(encoder: Encoder, scripts: Sequence[Script], *, longest: int, offsets: bool = False) -> list[Text]:
    """Tokens for every script: start, turn, end, turn, end ...

    A script that is longer than `longest` tokens loses the ends of its longest turns, so that as much as possible
    of all others stays.
    """
    read = [turns_to_read(len(script)) for script in scripts]
    flat = [tidy(script[turn].text[:LONGEST_TURN]) for script, kept in zip(scripts, read, strict=True) for turn in kept]
    encode = encoder.tokenizer.encode_batch if offsets else encoder.tokenizer.encode_batch_fast
    pieces = iter(encode(flat, add_special_tokens=False))
    texts = []
    for script, kept_turns in zip(scripts, read, strict=True):
        encoded = [next(pieces) for _ in kept_turns]
        tokens = [each.ids for each in encoded]
        most = _most_tokens_each([len(each) for each in tokens], longest - 1 - len(tokens))
        ids, roles, turns, places = [encoder.start], [0], [-1], [(0, 0)]
        for number, each in enumerate(tokens):
            kept = each[:most]
            role = int(script[kept_turns[number]].role == "listener")
            ids += kept
            ids.append(encoder.end)
            roles += [role] * (len(kept) + 1)
            turns += [number] * len(kept)
            turns.append(-1)
            if offsets:
                places += [*encoded[number].offsets[:most], (0, 0)]
        texts.append(Text(ids, roles, turns, kept_turns, places if offsets else []))
    return texts


def turns_to_read(count: int) -> list[int]:
    """Which of so many turns are read: all of them, or the first and the latest."""
    return list(range(count)) if count <= MOST_TURNS else [0, *range(count - MOST_TURNS + 1, count)]


def _most_tokens_each(lengths: list[int], room: int) -> int:
    """The largest m so that the sum of min(length, m) does not exceed the room."""
    if sum(lengths) <= room:
        return max(lengths, default=0)
    left, most = room, 0
    for position, length in enumerate(sorted(lengths)):
        most = left // (len(lengths) - position)
        if length > most:
            break
        left -= length
    return max(most, 0)


def collate(texts: Sequence[Text], pad: int) -> TextBatch:
    """Texts padded to the longest of them."""
    lengths = np.fromiter((len(text.ids) for text in texts), np.int64, len(texts))
    mask = np.arange(lengths.max())[None, :] < lengths[:, None]

    def padded(rows: Iterable[list[int]], filler: int) -> torch.Tensor:
        filled = np.full(mask.shape, filler, np.int64)
        filled[mask] = np.fromiter(chain.from_iterable(rows), np.int64, int(lengths.sum()))
        return torch.from_numpy(filled)

    return TextBatch(
        padded((text.ids for text in texts), pad),
        torch.from_numpy(mask),
        padded((text.roles for text in texts), 0),
        padded((text.turns for text in texts), -1),
        max(len(text.read) for text in texts),
    )
