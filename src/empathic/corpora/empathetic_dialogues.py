"""EmpatheticDialogues (Rashkin et al. 2019): `train.csv`, `valid.csv`, `test.csv`.

Commas inside a field are written `_comma_` and fields hold bare double quotes, so quoting is off. Some published rows
carry candidate replies in a ninth field that the header does not name; they are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Exchange, Turn

__all__ = ["moel_examples"]

COLUMNS = ("conv_id", "context", "prompt", "speaker_idx", "utterance")
_RATINGS = re.compile(r"[\d|_./NA]*")


@corpus(
    name="empathetic-dialogues",
    title="EmpatheticDialogues",
    holds="25k conversations of two to eight turns, each grown from a situation and one of 32 emotions",
    licence="CC BY-NC 4.0",
    citation="Rashkin, Smith, Li & Boureau. Towards Empathetic Open-domain Conversation Models. ACL 2019.",
    home="https://github.com/facebookresearch/EmpatheticDialogues",
    folder="empatheticdialogues",
    layout={"train": "train.csv", "valid": "valid.csv", "test": "test.csv"},
    downloads=(
        Download(
            "https://dl.fbaipublicfiles.com/parlai/empatheticdialogues/empatheticdialogues.tar.gz",
            to="",
            sha256="56f234d77b7dd1f005fd365bb17769cfe346c3c84295b69bc069c8ccb83be03d",
            unpack=("train.csv", "valid.csv", "test.csv"),
        ),
    ),
)
def read(source: Source) -> Iterator[Dialogue]:
    conversation: str | None = None
    emotion = situation = speaker = ""
    turns: list[Turn] = []

    def finished() -> Dialogue:
        return Dialogue(
            conversation or "", tuple(turns), "empathetic-dialogues", source.split, emotion, _commas(situation)
        )

    rows = source.rows(COLUMNS, optional=("selfeval",), quoted=False, surplus=True)
    for line, (conv_id, context, prompt, speaker_idx, utterance, selfeval) in rows:
        if not _RATINGS.fullmatch(selfeval):
            source.defect(line, "a bare comma: the fields after it are not where they should be")
            continue
        if conv_id != conversation:
            if turns:
                yield finished()
            conversation, emotion, situation, speaker, turns = conv_id, context, prompt, speaker_idx, []
        text = _commas(utterance).strip()
        if text:
            turns.append(Turn("speaker" if speaker_idx == speaker else "listener", text))
        else:
            source.defect(line, "an empty utterance")
    if turns:
        yield finished()


def _commas(text: str) -> str:
    return text.replace("_comma_", ",") if "_comma_" in text else text


def moel_examples(dialogues: Iterator[Dialogue]) -> Iterator[Exchange]:
    """One split's examples as the arrays hold them that MoEL published and most later systems train on.

    All double quotes are gone; neighbouring conversations with the same situation are one; the last one of the split
    is lost; every listener turn is a target, with all that stands before it as its context.
    """
    unquoted = (_unquoted(dialogue) for dialogue in dialogues)
    previous: Dialogue | None = None
    for _, group in groupby(unquoted, key=lambda dialogue: dialogue.situation):
        if previous is not None:
            yield from previous.exchanges()
        members = list(group)
        first = members[0]
        turns = tuple(turn for member in members for turn in member.turns)
        previous = Dialogue(first.id, turns, first.corpus, first.split, first.emotion, first.situation)


def _unquoted(dialogue: Dialogue) -> Dialogue:
    turns = tuple(Turn(turn.role, turn.text.replace('"', "")) for turn in dialogue.turns)
    situation = (dialogue.situation or "").replace('"', "")
    return Dialogue(dialogue.id, turns, dialogue.corpus, dialogue.split, dialogue.emotion, situation)
