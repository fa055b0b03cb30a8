"""What annotators learn from: labelled texts out of corpora, each with the answers that its corpus gives.

A source is a named function from a split to examples. An example's answers are by head: the number of a label, several
numbers, the turns that are a cause, or spans of characters in a turn's tidied text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from empathic import corpora
from empathic.annotators.readings import Line
from empathic.annotators.scripts import to_read
from empathic.dialogue import Turn
from empathic.errors import UsageError, nearest
from empathic.taxonomy import ACTS, EMOTIONS, EMOTIONS_AND_INTENTS, GOEMOTIONS, MECHANISMS, SITUATION_EMOTIONS
from empathic.text import tidy

__all__ = ["SOURCES", "Example", "Span", "examples", "unlabelled"]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `begin` to `end` of a turn, under a head's label of that number."""

    turn: int
    begin: int
    end: int
    label: int = 0


Answer = int | tuple[int, ...] | tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """Something to read, and what should be read off it."""

    script: tuple[Line, ...]
    answers: dict[str, Answer] = field(default_factory=dict)


Source = Callable[[str], Iterator[Example]]
SOURCES: dict[str, Source] = {}


def examples(source: str, split: str) -> Iterator[Example]:
    """The examples of a split of a source."""
    if source not in SOURCES:
        raise UsageError(f"there is no source {source!r} of examples; {nearest(source, SOURCES)}")
    return SOURCES[source](split)


def _source(name: str) -> Callable[[Source], Source]:
    def register(function: Source) -> Source:
        SOURCES[name] = function
        return function

    return register


@_source("intents")
def _intents(split: str) -> Iterator[Example]:
    """EmpatheticIntents: an utterance and one of 41 emotions and intents."""
    for dialogue in corpora.read_dialogues("empathetic-intents", split=split):
        yield _utterance(
            dialogue.turns[0], {"intent": EMOTIONS_AND_INTENTS.index(_factor(dialogue.turns[0], "intent"))}
        )


@_source("acts")
def _acts(split: str) -> Iterator[Example]:
    """EmpatheticIntents' lexically extended part: a listener's utterance and its act."""
    for dialogue in corpora.read_dialogues("empathetic-intents", part="lexical", split=split):
        yield _utterance(dialogue.turns[0], {"act": ACTS.index(_factor(dialogue.turns[0], "act"))})


@_source("acts-by-hand")
def _acts_by_hand(split: str) -> Iterator[Example]:
    """EmpatheticIntents' utterances labelled by people; all of them are for testing."""
    if split == "test":
        for dialogue in corpora.read_dialogues("empathetic-intents", part="manual"):
            yield _utterance(dialogue.turns[0], {"act": ACTS.index(_factor(dialogue.turns[0], "act"))})


@_source("goemotions")
def _goemotions(split: str) -> Iterator[Example]:
    """GoEmotions: a comment, its fine emotions, and one of nine and neutral where it has a single one."""
    for dialogue in corpora.read_dialogues("goemotions", split=split):
        factors = dialogue.turns[0].factors
        if factors is None:
            continue
        answers: dict[str, Answer] = {"fine_emotions": tuple(GOEMOTIONS.index(each) for each in factors.fine_emotions)}
        if factors.emotion is not None:
            answers["emotion"] = EMOTIONS.index(factors.emotion)
        yield _utterance(dialogue.turns[0], answers)


@_source("mechanisms")
def _mechanisms(split: str) -> Iterator[Example]:
    """Empathy-Mental-Health: a post, a response, three levels and the words that show them."""
    for dialogue in corpora.read_dialogues("empathy-mental-health", split=split):
        post, response = dialogue.turns
        shown = response.factors.mechanisms if response.factors else None
        if shown is None:
            continue
        answers: dict[str, Answer] = {}
        spans: list[Span] = []
        for number, name in enumerate(MECHANISMS):
            mechanism = getattr(shown, name)
            answers[name] = mechanism.level
            spans += [span for words in mechanism.rationale for span in _found(words, 1, response.text, number)]
        answers["rationale"] = tuple(spans)
        yield Example((_line(post), _line(response)), answers)


@_source("contexts")
def _contexts(split: str) -> Iterator[Example]:
    """EmpatheticDialogues: all that was said before each of a listener's responses, and the speaker's emotion."""
    for dialogue in corpora.read_dialogues("empathetic-dialogues", split=split):
        emotion = SITUATION_EMOTIONS.index(dialogue.emotion or "")
        for exchange in dialogue.exchanges():
            yield Example(tuple(map(_line, exchange.context)), {"feeling": emotion})


@_source("conversations")
def _conversations(split: str) -> Iterator[Example]:
    """EmpatheticDialogues: all that is said in a conversation, without an answer; for what is to be measured on."""
    for dialogue in corpora.read_dialogues("empathetic-dialogues", split=split):
        yield Example(tuple(map(_line, dialogue.turns)))


@_source("situations")
def _situations(split: str) -> Iterator[Example]:
    """EmpatheticDialogues: the situation as the speaker wrote it down beforehand, and its emotion."""
    for dialogue in corpora.read_dialogues("empathetic-dialogues", split=split):
        emotion = SITUATION_EMOTIONS.index(dialogue.emotion or "")
        yield Example((Line("speaker", dialogue.situation or ""),), {"feeling": emotion})


@_source("openings")
def _openings(split: str) -> Iterator[Example]:
    """EmpatheticDialogues: what the speaker says first, and its emotion among the 41 emotions and intents."""
    for dialogue in corpora.read_dialogues("empathetic-dialogues", split=split):
        emotion = EMOTIONS_AND_INTENTS.index(dialogue.emotion or "")
        yield Example((_line(dialogue.turns[0]),), {"intent": emotion})


@_source("causes")
def _causes(split: str) -> Iterator[Example]:
    """RECCON: an emotion, the turns up to the one that shows it, and which of these hold its causes."""
    for dialogue in corpora.read_dialogues("reccon", split=split):
        for position, turn in enumerate(dialogue.turns):
            if turn.labels["emotion"] == "neutral":
                continue
            # An emotional turn without causes is one whose cause is background that the dialogue does not hold.
            causes = [cause for cause in turn.factors.causes if cause.turn <= position] if turn.factors else []
            # The emotion stands before the turns, so that turn t is line t + 1.
            spans = tuple(
                span
                for cause in causes
                if cause.span
                for span in _found(cause.span, cause.turn + 1, dialogue.turns[cause.turn].text, 0)
            )
            yield Example(
                (Line("speaker", turn.labels["emotion"]), *map(_line, dialogue.turns[: position + 1])),
                {"cause": tuple(sorted({cause.turn + 1 for cause in causes})), "cause_span": spans},
            )


def _utterance(turn: Turn, answers: dict[str, Answer]) -> Example:
    return Example((_line(turn),), answers)


def _line(turn: Turn) -> Line:
    return Line(turn.role, turn.text)


def _factor(turn: Turn, name: str) -> str:
    return str(getattr(turn.factors, name))


def _found(words: str, turn: int, text: str, label: int) -> Iterator[Span]:
    """Where some words stand in a text; nowhere if the annotators changed them."""
    begin = tidy(text).find(tidy(words))
    if begin >= 0 and words.strip():
        yield Span(turn, begin, begin + len(tidy(words)), label)


def unlabelled(corpus: str, reading: str, split: str | None) -> Iterator[Example]:
    """What a reading would read in a corpus, without any answers: for learning from a teacher."""
    for dialogue in corpora.read_dialogues(corpus, split=split):
        turns = dialogue.turns
        feelings = dict.fromkeys(range(len(turns)), dialogue.emotion) if dialogue.emotion is not None else None
        yield from (Example(each.script) for each in to_read(turns, reading, feelings))
