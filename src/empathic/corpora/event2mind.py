"""Event2Mind (Rashkin et al. 2018): what an event makes a person intend and feel, and what it makes others feel."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Inference

COLUMNS = {"Xintent": "xIntent", "Xemotion": "xReact", "Otheremotion": "oReact"}
FILES = {"train": "train.csv", "valid": "dev.csv", "test": "test.csv"}


@corpus(
    name="event2mind",
    title="Event2Mind",
    holds="24,716 events with what the person intends and feels, and what others feel, as crowd workers wrote it",
    licence="MIT",
    citation="Rashkin et al. Event2Mind: Commonsense Inference on Events, Intents, and Reactions. ACL 2018.",
    home="https://github.com/uwnlp/event2mind",
    folder="event2mind",
    layout=FILES,
    kind="inferences",
    downloads=(
        Download("https://uwnlp.github.io/event2mind/data/event2mind.zip", to="", unpack=tuple(FILES.values())),
    ),
)
def read(source: Source) -> Iterator[Inference]:
    """A value "none", which says that there is nothing to infer, is an inference like any other."""
    decode = msgspec.json.Decoder(list[str]).decode
    for number, (event, *written) in source.rows(("Event", *COLUMNS)):
        head = event.strip()
        if not head:
            source.defect(number, "an empty event")
            continue
        for relation, cell in zip(COLUMNS.values(), written, strict=True):
            try:
                tails = decode(cell) if cell else []
            except (msgspec.MsgspecError, RecursionError):
                source.defect(number, f"{cell[:40]!r} is no list of texts")
                continue
            for tail in tails:
                if tail.strip():
                    yield Inference(
                        head, relation, tail.strip(), "event2mind", source.split, labels={"row": str(number)}
                    )
