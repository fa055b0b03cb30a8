"""What CoMAE (Zheng et al. 2021) released: conversations of PEC with automatic labels of mechanisms, act and emotion.

One conversation a line, `{"dialog": [{"speaker": "usr" | "sys", "text": ..., "dialact": ..., "emotion": ..., "er": ...,
"in": ..., "ex": ...}]}`. Labels are names, or positions in the released lists, which differ from the paper's: 8 acts
(suggesting is among others) and 9 emotions. Mechanisms are yes or no there; a yes is
read as weak, the least it can mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from empathic.corpora._registry import Layout, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Factors, Level, Mechanism, Mechanisms, Role, Turn
from empathic.taxonomy import ACTS, EMOTIONS

RELEASED_ACTS = (
    "acknowledging",
    "agreeing",
    "consoling",
    "encouraging",
    "questioning",
    "sympathizing",
    "wishing",
    "others",
)
RELEASED_EMOTIONS = ("admiration", "anger", "approval", "caring", "fear", "joy", "sadness", "surprise", "neutral")


LAYOUT: Layout = {
    None: {"train": "train.txt", "valid": "valid.txt", "test": ("test_happy.txt", "test_offmychest.txt")},
    "happy": {"test": "test_happy.txt"},
    "offmychest": {"test": "test_offmychest.txt"},
}


class _Utterance(msgspec.Struct):
    text: str
    speaker: Literal["usr", "sys"]
    dialact: int | str | None = None
    emotion: int | str | None = None
    er: Literal[0, 1] | None = None
    interpretation: Literal[0, 1] | None = msgspec.field(default=None, name="in")
    ex: Literal[0, 1] | None = None


class _Conversation(msgspec.Struct):
    dialog: list[_Utterance]


@corpus(
    name="comae-pec",
    title="CoMAE's annotated PEC",
    holds="195k conversations of PEC with automatic labels of mechanisms, act and emotion",
    licence="none stated",
    citation="Zheng et al. CoMAE: A Multi-factor Hierarchical Framework for Empathetic Response Generation. 2021.",
    home="https://github.com/chujiezheng/CoMAE",
    folder="comae",
    layout=LAYOUT,
    parts={"happy": "the test set of the forum of good news", "offmychest": "the test set of the forum of burdens"},
)
def read(source: Source) -> Iterator[Dialogue]:
    for number, conversation in source.json_lines(_Conversation):
        try:
            turns = tuple(_turn(utterance) for utterance in conversation.dialog)
        except ValueError as error:
            source.defect(number, str(error))
            continue
        if turns and all(turn.text for turn in turns):
            yield Dialogue(f"{source.path.stem}-{number}", turns, "comae-pec", source.split)
        else:
            source.defect(number, "a conversation with no turns, or with an empty one")


def _turn(utterance: _Utterance) -> Turn:
    levels = (utterance.er, utterance.interpretation, utterance.ex)
    mechanisms = Mechanisms(*(_mechanism(level) for level in levels)) if any(x is not None for x in levels) else None
    factors = Factors(
        mechanisms,
        act=_label(utterance.dialact, RELEASED_ACTS, tuple(ACTS)),
        emotion=_label(utterance.emotion, RELEASED_EMOTIONS, tuple(EMOTIONS)),
    )
    role: Role = "speaker" if utterance.speaker == "usr" else "listener"
    return Turn(role, utterance.text.strip(), factors=factors if factors != Factors() else None)


def _mechanism(yes: Literal[0, 1] | None) -> Mechanism | None:
    # The release knows yes and no only; yes is what the original annotation calls weak or strong.
    return None if yes is None else Mechanism(_level(yes))


def _level(yes: Literal[0, 1]) -> Level:
    return 1 if yes else 0


def _label(written: int | str | None, released: tuple[str, ...], known: tuple[str, ...]) -> str | None:
    if isinstance(written, int):
        if not 0 <= written < len(released):
            raise ValueError(f"there is no label {written}; they run from 0 to {len(released) - 1}")
        return released[written]
    if written is not None and written not in known:
        raise ValueError(f"{written[:40]!r} is no label that CoMAE uses")
    return written
