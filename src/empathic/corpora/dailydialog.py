"""DailyDialog (Li et al. 2017) in ConvLab's layout: `data.zip`, read without unpacking it to disk."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Turn

MEMBER = "data/dialogues.json"
HOME = "https://huggingface.co/datasets/ConvLab/dailydialog"


class _Intent(msgspec.Struct):
    intent: str


class _Acts(msgspec.Struct):
    binary: list[_Intent] = []


class _Utterance(msgspec.Struct):
    speaker: str
    utterance: str
    emotion: str | None = None
    dialogue_acts: _Acts = msgspec.field(default_factory=_Acts)


class _Dialogue(msgspec.Struct):
    dialogue_id: str
    data_split: str
    turns: list[_Utterance]
    domains: list[str] = []


@corpus(
    name="dailydialog",
    title="DailyDialog",
    holds="13,118 everyday conversations with an emotion and an act on every turn",
    licence="CC BY-NC-SA 4.0",
    citation="Li et al. DailyDialog: A Manually Labelled Multi-turn Dialogue Dataset. IJCNLP 2017.",
    home=HOME,
    folder="dailydialog",
    layout={"train valid test": "data.zip"},
    downloads=(Download(f"{HOME}/resolve/main/data.zip", to="data.zip"),),
)
def read(source: Source) -> Iterator[Dialogue]:
    document = source.zipped(MEMBER) if source.path.suffix == ".zip" else source
    if document is None:
        return
    for line, _, dialogue in document.json_items(_Dialogue):
        turns = tuple(
            Turn("speaker" if each.speaker == "user" else "listener", each.utterance.strip(), labels=_labels(each))
            for each in dialogue.turns
        )
        if turns and all(turn.text for turn in turns):
            split = {"validation": "valid"}.get(dialogue.data_split, dialogue.data_split)
            labels = {"topic": ", ".join(dialogue.domains)} if dialogue.domains else {}
            yield Dialogue(dialogue.dialogue_id, turns, "dailydialog", split, labels=labels)
        else:
            source.defect(line, f"[{dialogue.dialogue_id}] holds no turns, or an empty one")


def _labels(utterance: _Utterance) -> dict[str, str]:
    labels = {"emotion": utterance.emotion} if utterance.emotion else {}
    acts = [act.intent for act in utterance.dialogue_acts.binary]
    return labels | {"act": ", ".join(acts)} if acts else labels
