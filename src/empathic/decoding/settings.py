"""How a reply is decoded."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

__all__ = ["Decoding"]

Count = Annotated[int, msgspec.Meta(ge=0)]


class Decoding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table [decoding] of a recipe."""

    strategy: Literal["greedy", "beam", "sample"] = "greedy"
    """The likeliest token each time, the likeliest reply that a beam search finds, or tokens drawn by chance."""
    beams: Annotated[int, msgspec.Meta(ge=1)] = 5
    """Beam search: how many unfinished replies are kept."""
    length_norm: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.0
    """Beam search: the best reply has the highest log-probability / length**length_norm, with its end counted."""
    temperature: Annotated[float, msgspec.Meta(ge=0, le=10)] = 1.0
    """Sampling: below 1 the likely become likelier; 0 takes the likeliest always."""
    top_k: Count = 0
    """Sampling: only so many of the likeliest tokens are drawn from; 0 is all."""
    top_p: Annotated[float, msgspec.Meta(gt=0, le=1)] = 1.0
    """Sampling: of those, only the likeliest that together have this probability are drawn from."""
    repetition_penalty: Annotated[float, msgspec.Meta(ge=1, le=10)] = 1.0
    """Scores of tokens said before are divided by this (multiplied where they are negative); 1 leaves them alone."""
    block: Count = 0
    """No token completes a sequence of so many that the reply already holds; 0 lets all repeat."""
    shortest: Count = 0
    """A reply does not end before so many tokens."""
    longest: Annotated[int, msgspec.Meta(ge=1)] = 50
    """After so many tokens it ends wherever it is."""

    def __post_init__(self) -> None:
        if self.shortest > self.longest:
            raise ValueError(f"the shortest reply, {self.shortest} tokens, is longer than the longest, {self.longest}")
