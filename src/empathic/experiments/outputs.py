"""What a responder leaves in its run folder to be measured: how likely it finds what people said, and what it says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from empathic.corpora import Source
from empathic.dialogue import Plan, Turn
from empathic.errors import DataError, UsageError, nearest
from empathic.experiments.runs import RECIPE, RESULT
from empathic.storage import whole_file
from empathic.taxonomy import EMOTIONS_AND_INTENTS

__all__ = [
    "EmotionVectors",
    "Likelihood",
    "Outputs",
    "SaidReply",
    "write_emotion_vectors",
    "write_likelihood",
    "write_replies",
]

LIKELIHOOD, REPLIES, EMOTIONS, LOG = "likelihood", "replies", "emotions.json", "log.jsonl"
Count = Annotated[int, msgspec.Meta(ge=1)]


class Likelihood(msgspec.Struct, frozen=True, kw_only=True):
    """A line of `likelihood/<split>.jsonl`: what a responder makes of a context and of a person's response."""

    id: str
    """The exchange's; the same in every run on the same data."""
    emotion: str | None = None
    """What the speaker feels, as the corpus tells."""
    loss: Annotated[float, msgspec.Meta(ge=0)]
    """The negative log-likelihood of the whole response in nats, its end included."""
    tokens: Count
    """Of the run's own vocabulary; the end is one."""
    words: Count
    """Words and marks, as `metrics.replies.tokens` counts them, and one for the end."""
    characters: Count
    """Of the response, and one for the end."""
    emotions: tuple[str, ...] | None = None
    """What the responder takes the speaker to feel, likeliest first."""
    intent: str | None = None
    """What the person's response does: one of `taxonomy.EMOTIONS_AND_INTENTS`."""
    intents: tuple[str, ...] | None = None
    """What the responder would have a response do, likeliest first."""

    def __post_init__(self) -> None:
        for label in (self.intent, *(self.intents or ())):
            if label is not None and label not in EMOTIONS_AND_INTENTS:
                raise ValueError(f"{label!r} is no intent and no emotion; {nearest(label, EMOTIONS_AND_INTENTS)}")


class SaidReply(msgspec.Struct, frozen=True, kw_only=True):
    """A line of `replies/<decoding>/<split>.jsonl`: what a responder says, and what a person said in its place."""

    id: str
    emotion: str | None = None
    context: tuple[Turn, ...]
    reply: str
    reference: str
    plan: Plan | None = None


class EmotionVectors(msgspec.Struct, frozen=True):
    """`emotions.json`: where a responder has the emotions lie."""

    labels: tuple[str, ...]
    vectors: tuple[tuple[float, ...], ...]


Line = TypeVar("Line", Likelihood, SaidReply)


class Outputs:
    """A run folder of a responder, as those read it who measure and compare."""

    def __init__(self, folder: Path) -> None:
        """Takes a folder that holds a recipe; another is refused."""
        self.folder = folder
        if not (folder / RECIPE).is_file():
            raise UsageError(f"{folder} is no run's folder: it holds no {RECIPE}", remedy="empathic train RECIPE")
        self.recipe: dict[str, Any] = _read_json(folder / RECIPE, dict[str, Any])
        result = folder / RESULT
        self.result: dict[str, Any] = _read_json(result, dict[str, Any]) if result.is_file() else {}

    def decodings(self, split: str) -> list[str]:
        """The ways of decoding by which a split was answered."""
        return sorted(file.parent.name for file in (self.folder / REPLIES).glob(f"*/{split}.jsonl"))

    def likelihood(self, split: str) -> list[Likelihood]:
        """How likely the run finds the responses of a split; none where that was not computed."""
        path = self.folder / LIKELIHOOD / f"{split}.jsonl"
        return _read_lines(path, Likelihood) if path.is_file() else []

    def replies(self, decoding: str, split: str) -> list[SaidReply]:
        """What the run says in a split."""
        return _read_lines(self.folder / REPLIES / decoding / f"{split}.jsonl", SaidReply)

    def emotion_vectors(self) -> EmotionVectors | None:
        """The emotions' embeddings, where the responder has some."""
        path = self.folder / EMOTIONS
        if not path.is_file():
            return None
        found = _read_json(path, EmotionVectors)
        widths = {len(vector) for vector in found.vectors}
        if len(found.labels) != len(found.vectors) or len(widths) != 1:
            raise DataError(f"{path}: {len(found.labels)} labels, {len(found.vectors)} vectors of {len(widths)} widths")
        return found

    def log(self) -> list[dict[str, Any]]:
        """The whole lines of the training's log; one without its end was cut off by a kill."""
        path = self.folder / LOG
        if not path.is_file():
            return []
        lines = path.read_bytes().split(b"\n")[:-1]
        try:
            return [msgspec.json.decode(line, type=dict[str, Any]) for line in lines if line]
        except msgspec.MsgspecError as error:
            raise DataError(f"{path}: not a log of a training: {error}") from error


def write_likelihood(folder: Path, split: str, items: Iterable[Likelihood]) -> Path:
    """Writes what a run folder tells of a split's responses."""
    return _write_lines(folder / LIKELIHOOD / f"{split}.jsonl", items)


def write_replies(folder: Path, decoding: str, split: str, items: Iterable[SaidReply]) -> Path:
    """Writes what a run folder says in a split.

    Args:
        folder: The run's.
        decoding: What the way of decoding is called, such as greedy or beam-5.
        split: The split.
        items: A reply for every exchange.
    """
    return _write_lines(folder / REPLIES / decoding / f"{split}.jsonl", items)


def write_emotion_vectors(folder: Path, labels: Sequence[str], vectors: Iterable[Iterable[float]]) -> Path:
    """Writes the emotions' embeddings of a responder."""
    path = folder / EMOTIONS
    with whole_file(path) as file:
        file.write(msgspec.json.encode(EmotionVectors(tuple(labels), tuple(map(tuple, vectors)))) + b"\n")
    return path


def _read_lines(path: Path, kind: type[Line]) -> list[Line]:
    """All lines of a file; damage is an error, since what is left would be another set of items."""
    lines: dict[str, Line] = {}
    for number, line in Source(path).json_lines(kind):
        if line.id in lines:
            raise DataError(f"{path}:{number}: the id {line.id!r} was there before")
        lines[line.id] = line
    if not lines:
        raise DataError(f"{path}: holds nothing to measure")
    return list(lines.values())


def _write_lines(path: Path, items: Iterable[Likelihood | SaidReply]) -> Path:
    with whole_file(path) as file:
        file.writelines(msgspec.json.encode(item) + b"\n" for item in items)
    return path


Whole = TypeVar("Whole")


def _read_json(path: Path, kind: type[Whole]) -> Whole:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except msgspec.MsgspecError as error:
        raise DataError(f"{path}: damaged: {error}") from error
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from error
