"""Film scripts parsed to turns: `{"title": ..., "turns": [[CHARACTER, TEXT], ...]}`, one film a line.

Scripts mark no scenes, so that a film is one long dialogue; roles change with every change of character, and the names
tell who is who.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from empathic.corpora._registry import corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Role, Turn


class _Film(msgspec.Struct):
    title: str
    turns: list[tuple[str, str]]


@corpus(
    name="film-scripts",
    title="Film scripts",
    holds="the spoken turns of films, with the characters' names",
    licence="none stated",
    citation="none: a layout for whoever has parsed film scripts to turns",
    home="no one place: parse scripts that you have",
    folder="movie_scripts",
    layout={"all": "turns.jsonl.gz"},
)
def read(source: Source) -> Iterator[Dialogue]:
    for number, film in source.json_lines(_Film):
        turns = []
        role: Role = "listener"
        previous: str | None = None
        for character, text in film.turns:
            if not text.strip():
                source.defect(number, f"[{film.title[:40]}] an empty turn of {character[:40]}")
                continue
            if character != previous:
                role = "listener" if role == "speaker" else "speaker"
            previous = character
            turns.append(Turn(role, text.strip(), name=character))
        if turns:
            yield Dialogue(f"film-{number}", tuple(turns), "film-scripts", None, labels={"title": film.title})
        else:
            source.defect(number, f"[{film.title[:40]}] holds no turns")
