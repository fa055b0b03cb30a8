"""RECCON (Poria et al. 2021): dialogues whose emotional turns name the turns and the words that caused the emotion.

The speaker is whoever speaks first. A piece of evidence `b` stands for background that the dialogue does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Cause, Dialogue, Factors, Turn

HOME = "https://github.com/declare-lab/RECCON"
RAW = "https://raw.githubusercontent.com/declare-lab/RECCON/main/data/original_annotation/"
DAILY = {"train": "dailydialog_train.json", "valid": "dailydialog_valid.json", "test": "dailydialog_test.json"}


class _Utterance(
    msgspec.Struct, rename={"evidence": "expanded emotion cause evidence", "spans": "expanded emotion cause span"}
):
    turn: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    speaker: str
    utterance: str
    emotion: str
    evidence: list[int | str] = []
    spans: list[str] = []


@corpus(
    name="reccon",
    title="RECCON",
    holds="1,106 dialogues of DailyDialog and 16 of IEMOCAP, with the causes of every emotional turn",
    licence="none stated",
    citation="Poria et al. Recognizing Emotion Cause in Conversations. Cognitive Computation 2021.",
    home=HOME,
    folder="reccon",
    layout={None: DAILY, "iemocap": {"test": "iemocap_test.json"}},
    parts={"iemocap": "16 dialogues of IEMOCAP, for testing on another domain"},
    downloads=tuple(Download(RAW + name, to=name) for name in (*DAILY.values(), "iemocap_test.json")),
)
def read(source: Source) -> Iterator[Dialogue]:
    for line, identity, annotated in source.json_items(list[list[_Utterance]]):
        utterances = annotated[0] if annotated else []
        if not utterances:
            source.defect(line, f"[{identity}] holds no turns")
            continue
        speaker = utterances[0].speaker
        turns = tuple(
            Turn(
                "speaker" if each.speaker == speaker else "listener",
                each.utterance.strip(),
                name=each.speaker,
                factors=Factors(causes=causes) if (causes := _causes(each, len(utterances))) else None,
                labels={"emotion": each.emotion},
            )
            for each in utterances
        )
        if all(turn.text for turn in turns):
            yield Dialogue(identity, turns, "reccon", source.split)
        else:
            source.defect(line, f"[{identity}] holds an empty utterance")


def _causes(utterance: _Utterance, turns: int) -> tuple[Cause, ...]:
    spans = utterance.spans if len(utterance.spans) == len(utterance.evidence) else [""] * len(utterance.evidence)
    return tuple(
        Cause(position - 1, span.strip() or None)
        for position, span in zip(utterance.evidence, spans, strict=True)
        if isinstance(position, int) and 1 <= position <= turns
    )
