"""Which turns of a conversation each reading looks at, and which turn the answer belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from empathic.annotators.readings import Line, turns_to_read
from empathic.dialogue import Turn

__all__ = ["EMOTION", "ToRead", "to_read"]

EMOTION = -1
"""The place of a line that no turn says: the emotion whose causes are asked for."""


class ToRead(NamedTuple):
    """What is read about a turn."""

    turn: int
    """The position of the turn in its dialogue."""
    script: tuple[Line, ...]
    places: tuple[int, ...]
    """The position in the dialogue of every line of the script."""


def to_read(turns: Sequence[Turn], reading: str, feelings: Mapping[int, str] | None = None) -> Iterator[ToRead]:
    """What a reading reads in a dialogue.

    Args:
        turns: The dialogue's.
        reading: Its name. An utterance is read by itself, a listener's turn behind what it answers, and a speaker's
            turn behind all that was said before it, once for what is felt and once for why.
        feelings: What the speaker feels at a turn, whose causes are asked for; turns without are passed over.
    """
    lines = [Line(turn.role, turn.text) for turn in turns]
    answered = None
    for position, turn in enumerate(turns):
        if reading == "utterance":
            yield ToRead(position, (lines[position],), (position,))
        elif turn.role == "listener":
            if reading == "exchange" and answered is not None:
                yield ToRead(position, (lines[answered], lines[position]), (answered, position))
        elif reading == "exchange":
            answered = position
        elif reading == "context":
            places = tuple(turns_to_read(position + 1))
            yield ToRead(position, tuple(lines[place] for place in places), places)
        elif feelings is not None and position in feelings:
            places = tuple(line + EMOTION for line in turns_to_read(position + 2))
            feeling = Line("speaker", feelings[position])
            yield ToRead(position, (feeling, *(lines[place] for place in places[1:])), places)
