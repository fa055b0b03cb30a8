"""The sample corpus: dialogues written for this project, so that everything can be tried with no download."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from empathic.corpora._registry import corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue

FILE = Path(__file__).with_name("sample.jsonl")


@corpus(
    name="sample",
    title="empathic's sample",
    holds="160 short dialogues, five for each of the 32 emotions, written for this project",
    licence="Apache-2.0",
    citation="The empathic project.",
    home="this package",
    folder=str(FILE.parent),
    layout={"train valid test": FILE.name},
)
def read(source: Source) -> Iterator[Dialogue]:
    for _, dialogue in source.json_lines(Dialogue):
        yield dialogue
