"""Social IQa (Sap et al. 2019): a situation, a question about somebody in it, and three answers of which one is right.

The kind of question gives the relation, the right answer is what is inferred, and whom the question is about decides
between the person who acts (x) and the others (o): the one who acts is the one whom the situation names first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Inference

# In this order: the first that matches decides.
_QUESTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), relation)
    for pattern, relation in (
        (
            r"\bneed(ed)? to do (before|first)|\bdo before|\bneed(s)? to (do|have|know|be|go|get)\b|\bneed\b.*\bbefore"
            r"|\bhave to do\b",
            "Need",
        ),
        (r"\bdescribed?\b|what (kind|type) of (?!place)|personality", "Attr"),
        (r"\bfeel\b|\bfeelings?\b|\breact\b", "React"),
        (r"^why\b|\bwhy (did|would|does|is|was)\b|\breason\b|motivat", "Intent"),
        (r"\bwant\b|\b(will|would|should) .*\b(do|say|take|make)\b|\bgoing to do\b|do next", "Want"),
        (r"\bhappen(s|ed)?\b|\bresult\b|\bafter\b|\beffect\b", "Effect"),
    )
)
# All but a few situations are about some of these people.
PEOPLE = frozenset(
    "addison alex ash aubrey austin bailey cameron carson casey jan jesse jordan kai kendall lee quinn remy riley "
    "robin sasha skylar sydney taylor tracy".split()
)
_WORD = re.compile(r"[A-Za-z]+")
NO_NAMES = frozenset("others other the a this they he she i".split())
_ANSWERS = {"1": "answerA", "2": "answerB", "3": "answerC"}


class _Item(msgspec.Struct):
    context: str
    question: str
    answerA: str
    answerB: str
    answerC: str


@corpus(
    name="social-iqa",
    title="Social IQa",
    holds="35k questions on why people act and what they then want, feel and do, with the right answer",
    licence="none stated",
    citation="Sap et al. Social IQa: Commonsense Reasoning about Social Interactions. EMNLP 2019.",
    home="https://allenai.org/data/socialiqa",
    folder="socialiqa",
    layout={"train": "train.jsonl", "valid": "dev.jsonl"},
    kind="inferences",
    downloads=(
        Download(
            "https://storage.googleapis.com/ai2-mosaic/public/socialiqa/socialiqa-train-dev.zip",
            to="",
            unpack=("train.jsonl", "train-labels.lst", "dev.jsonl", "dev-labels.lst"),
        ),
    ),
)
def read(source: Source) -> Iterator[Inference]:
    labels = dict(source.companion(f"{source.path.stem}-labels.lst").lines())
    for number, item in source.json_lines(_Item):
        answer = _ANSWERS.get(labels.get(number, "").strip())
        if answer is None:
            source.defect(number, f"there is no label 1, 2 or 3 for it in {source.path.stem}-labels.lst")
            continue
        head, tail = item.context.strip(), getattr(item, answer).strip()
        if not head or not tail:
            source.defect(number, "an empty situation or answer")
            continue
        person = person_asked_about(item.question, head)
        yield Inference(
            head,
            relation_of(item.question, head),
            tail,
            "social-iqa",
            source.split,
            labels={"question": item.question, "person": person},
        )


def relation_of(question: str, situation: str) -> str:
    """The relation a question asks for; one that fits no kind asks what happens."""
    kind = next((relation for pattern, relation in _QUESTIONS if pattern.search(question)), "Effect")
    person = person_asked_about(question, situation).lower()
    named = (word for word in _words(situation) if word in PEOPLE or word == person)
    return f"x{kind}" if person and person == next(named, None) else f"o{kind}"


def person_asked_about(question: str, situation: str) -> str:
    """The name in the question, or nothing where it asks about others."""
    asked = _WORD.findall(question)
    known = (word for word in asked if word.lower() in PEOPLE)
    # Behind the first word, a capital that the situation has as well is a name, too.
    there = set(_WORD.findall(situation))
    others = (word for word in asked[1:] if word[0].isupper() and word in there and word.lower() not in NO_NAMES)
    return next(known, next(others, ""))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
