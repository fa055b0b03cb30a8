"""Synthetic-Persona-Chat (Jandaghi et al. 2023): a table with two personas and a generated conversation a row.

Of the conversation, the lines `User 1: ...` and `User 2: ...` are turns; a line without a name goes on with the turn
before it, and stage directions before the first turn are passed over. Where no line has a name at all, the lines take
turns. User 1 is the speaker, user 2 the listener.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Role, Turn

_TURN = re.compile(r"[*\s]*user ([12])\**\s*:\**\s*(.*)", re.IGNORECASE)
_SEPARATOR = re.compile(r"[\s*\-_]*")
_FILES = {
    "train": "Synthetic-Persona-Chat_train.csv",
    "valid": "Synthetic-Persona-Chat_valid.csv",
    "test": "Synthetic-Persona-Chat_test.csv",
}
RAW = "https://raw.githubusercontent.com/google-research-datasets/Synthetic-Persona-Chat/main/data/"


@corpus(
    name="synthetic-persona-chat",
    title="Synthetic-Persona-Chat",
    holds="generated conversations of two people, with five or so sentences about each",
    licence="CC BY 4.0",
    citation="Jandaghi et al. Faithful Persona-based Conversational Dataset Generation with LLMs. 2023.",
    home="https://github.com/google-research-datasets/Synthetic-Persona-Chat",
    folder="synthetic_persona_chat",
    layout=_FILES,
    downloads=tuple(Download(RAW + name, to=name) for name in _FILES.values()),
)
def read(source: Source) -> Iterator[Dialogue]:
    columns = ("user 1 personas", "user 2 personas", "Best Generated Conversation")
    for number, (speaker, listener, conversation) in source.rows(columns):
        turns = tuple(_turns(conversation)) or tuple(_lines_in_turn(conversation))
        if turns:
            yield Dialogue(
                f"{source.path.stem}-{number}",
                turns,
                "synthetic-persona-chat",
                source.split,
                persona=_sentences(listener),
                speaker_persona=_sentences(speaker),
            )
        else:
            source.defect(number, "an empty conversation")


def _turns(conversation: str) -> Iterator[Turn]:
    role: Role | None = None
    said: list[str] = []
    for line in conversation.splitlines():
        if match := _TURN.fullmatch(line):
            if role and said:
                yield Turn(role, " ".join(said))
            role, said = ("speaker" if match[1] == "1" else "listener"), [match[2].strip()] if match[2].strip() else []
        elif role and not _SEPARATOR.fullmatch(line):
            said.append(line.strip())
    if role and said:
        yield Turn(role, " ".join(said))


def _lines_in_turn(conversation: str) -> Iterator[Turn]:
    said = [line.strip() for line in conversation.splitlines() if not _SEPARATOR.fullmatch(line)]
    for position, text in enumerate(said):
        yield Turn("listener" if position % 2 else "speaker", text)


def _sentences(persona: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in persona.splitlines() if line.strip())
