"""ESConv (Liu et al. 2021): `ESConv.json`, one array; or its form with one conversation a line, as it is handed on.

The two name things differently (`dialog` with `content` and `annotation`, or with `text` and `strategy`; seeker and
supporter, or usr and sys); both are read, and so is `FailedESConv.json`, whose roles are speaker and listener.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Role, Turn
from empathic.taxonomy import ESCONV_STRATEGIES

HOME = "https://github.com/thu-coai/Emotional-Support-Conversation"
RAW = "https://raw.githubusercontent.com/thu-coai/Emotional-Support-Conversation/main/"
ROLES: dict[str, Role] = {
    "seeker": "speaker",
    "usr": "speaker",
    "speaker": "speaker",
    "supporter": "listener",
    "sys": "listener",
    "listener": "listener",
}


class _Utterance(msgspec.Struct):
    speaker: str
    content: str | None = None
    text: str | None = None
    annotation: dict[str, Any] = {}
    strategy: str | None = None


class _Conversation(msgspec.Struct):
    dialog: list[_Utterance]
    experience_type: str | None = None
    emotion_type: str | None = None
    problem_type: str | None = None
    situation: str | None = None
    survey_score: dict[str, dict[str, Any]] = {}


@corpus(
    name="esconv",
    title="ESConv",
    holds="1,300 conversations of emotional support, each supporter's turn with its strategy",
    licence="CC BY-NC 4.0",
    citation="Liu et al. Towards Emotional Support Dialog Systems. ACL 2021.",
    home=HOME,
    folder="esconv",
    layout={
        None: {"all": "ESConv.json"},
        "lines": {"train": "train.txt", "valid": "valid.txt", "test": "test.txt"},
        "failed": {"all": "FailedESConv.json"},
    },
    parts={
        "lines": "the same with one conversation a line and a split: train.txt, valid.txt, test.txt",
        "failed": "196 conversations that did not help",
    },
    downloads=(
        Download(RAW + "ESConv.json", to="ESConv.json"),
        Download(RAW + "FailedESConv.json", to="FailedESConv.json"),
    ),
)
def read(source: Source) -> Iterator[Dialogue]:
    prefix = source.path.stem
    for line, key, conversation in _conversations(source):
        turns = []
        for utterance in conversation.dialog:
            text = (utterance.content or utterance.text or "").strip()
            role = ROLES.get(utterance.speaker)
            if role is None:
                source.defect(line, f"[{key}] {utterance.speaker[:40]!r} is neither seeker nor supporter")
            elif not text:
                source.defect(line, f"[{key}] holds an empty utterance")
            else:
                turns.append(Turn(role, text, labels=_labels(utterance)))
        if turns:
            yield Dialogue(
                f"{prefix}-{key}",
                tuple(turns),
                "esconv",
                source.split,
                situation=(conversation.situation or "").strip() or None,
                labels=_about(conversation),
            )
        else:
            source.defect(line, f"[{key}] holds no turns")


def _conversations(source: Source) -> Iterator[tuple[int, str, _Conversation]]:
    if source.path.suffix == ".json":
        yield from source.json_items(_Conversation)
    else:
        for line, conversation in source.json_lines(_Conversation):
            yield line, str(line), conversation


def _labels(utterance: _Utterance) -> dict[str, str]:
    strategy = utterance.strategy or utterance.annotation.get("strategy")
    labels = {"strategy": _strategy(str(strategy))} if strategy else {}
    feedback = utterance.annotation.get("feedback")
    return labels | {"feedback": str(feedback)} if feedback is not None else labels


def _strategy(written: str) -> str:
    """The name in the published list; the failed conversations write two of them otherwise."""
    name = {"Questions": "Question", "Other": "Others"}.get(written, written)
    return name if name in ESCONV_STRATEGIES else written


def _about(conversation: _Conversation) -> dict[str, str]:
    labels = {
        "experience": conversation.experience_type,
        "emotion": conversation.emotion_type,
        "problem": conversation.problem_type,
    }
    for who, scores in conversation.survey_score.items():
        labels |= {f"{who}.{question}": str(score) for question, score in scores.items()}
    return {name: label for name, label in labels.items() if label}
