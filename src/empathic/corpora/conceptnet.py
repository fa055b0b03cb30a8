"""ConceptNet 4 (Speer & Havasi): assertions `CONCEPT <tab> RELATION <tab> CONCEPT <tab> WEIGHT`.

A negative weight means that people denied it. A relation that ATOMIC-2020 took over carries its
name, and its own in `labels`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from empathic.corpora._registry import corpus
from empathic.corpora._source import Source
from empathic.dialogue import Inference
from empathic.taxonomy import CONCEPTNET_TO_RELATIONS


@corpus(
    name="conceptnet",
    title="ConceptNet 4, English",
    holds="225,202 assertions between concepts, their words reduced to stems",
    licence="CC BY-SA",
    citation="Havasi, Speer & Alonso. ConceptNet 3: a Flexible, Multilingual Semantic Network. RANLP 2007.",
    home="https://github.com/commonsense/conceptnet5/wiki",
    folder="conceptnet4",
    layout={"all": "conceptnet4_en_assertions.tsv.gz"},
    kind="inferences",
)
def read(source: Source) -> Iterator[Inference]:
    for number, line in source.lines():
        fields = line.split("\t")
        if len(fields) != 4 or not (fields[0] and fields[1] and fields[2]):
            source.defect(number, "expected CONCEPT, RELATION, CONCEPT and WEIGHT with tabs between")
            continue
        head, own, tail, written = fields
        try:
            weight = float(written)
        except ValueError:
            weight = math.nan
        if not math.isfinite(weight):
            source.defect(number, f"{written[:20]!r} is no weight")
            continue
        relation = CONCEPTNET_TO_RELATIONS.get(own, own)
        labels = {"relation": own} if relation != own else {}
        yield Inference(head, relation, tail, "conceptnet", None, weight, labels)
