"""GoEmotions (Demszky et al. 2020): `TEXT <tab> LABELS <tab> ID`, the labels as numbers with commas between."""

from __future__ import annotations

from collections.abc import Iterator

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Factors, Turn
from empathic.taxonomy import GOEMOTIONS, GOEMOTIONS_TO_EMOTIONS

HOME = "https://github.com/google-research/google-research/tree/master/goemotions"
RAW = "https://raw.githubusercontent.com/google-research/google-research/master/goemotions/data/"


@corpus(
    name="goemotions",
    title="GoEmotions",
    holds="58k Reddit comments with any of 27 emotions, or neutral",
    licence="Apache-2.0",
    citation="Demszky et al. GoEmotions: A Dataset of Fine-Grained Emotions. ACL 2020.",
    home=HOME,
    folder="goemotions",
    layout={"train": "train.tsv", "valid": "dev.tsv", "test": "test.tsv"},
    downloads=tuple(Download(RAW + name, to=name) for name in ("train.tsv", "dev.tsv", "test.tsv")),
)
def read(source: Source) -> Iterator[Dialogue]:
    for number, line in source.lines():
        fields = line.split("\t")
        if len(fields) != 3 or not fields[0].strip():
            source.defect(number, "expected TEXT, LABELS and ID with tabs between")
            continue
        text, numbers, identity = fields
        try:
            fine = tuple(GOEMOTIONS[_position(each)] for each in numbers.split(","))
        except ValueError as error:
            source.defect(number, str(error))
            continue
        # Only a comment with a single label maps to a single one of CoMAE's emotions.
        emotion = GOEMOTIONS_TO_EMOTIONS[fine[0]] if len(fine) == 1 else None
        turn = Turn("speaker", text, factors=Factors(emotion=emotion, fine_emotions=fine))
        yield Dialogue(identity, (turn,), "goemotions", source.split)


def _position(written: str) -> int:
    if written.isascii() and written.isdigit() and len(written) < 3 and int(written) < len(GOEMOTIONS):
        return int(written)
    raise ValueError(f"{written[:20]!r} is no label; they run from 0 to {len(GOEMOTIONS) - 1}")
