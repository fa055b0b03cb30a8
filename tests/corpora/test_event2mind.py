from __future__ import annotations

from typing import Any

from empathic import corpora
from empathic.dialogue import Inference


def inference(relation: str, tail: str, row: int) -> Inference:
    return Inference("PersonX mends ___", relation, tail, "event2mind", "train", labels={"row": str(row)})


def test_a_row_yields_an_inference_for_every_text_in_its_three_columns() -> None:
    assert list(corpora.read("event2mind", split="train", strict=True)) == [
        inference("xIntent", "to help", 2),
        inference("xIntent", "to save money", 2),
        inference("xReact", "useful", 2),
        inference("oReact", "none", 2),
        inference("xIntent", "to learn", 3),
    ]


def test_the_splits_are_three_files() -> None:
    inferences = list(corpora.read_inferences("event2mind", strict=True))
    assert [(each.split, each.head) for each in inferences[5:]] == [
        *[("valid", "PersonX calls PersonY")] * 3,
        *[("test", "It rains")] * 3,
    ]


def test_damaged_rows_are_located_and_passed_over(read_text: Any) -> None:
    text = (
        "Source,Event,Xintent,Xemotion,Otheremotion,Xsent,Osent\n"
        'x,PersonX waves,"[""to greet""]",,,,\n'
        'x,,"[""to greet""]",,,,\n'
        'x,PersonX waits,"[""to rest""","[""calm""]",,,\n'
        "x,PersonX walks\n"
        'x,PersonX wades,,"[""cold"", "" ""]",,,\n'
    )
    records, defects = read_text("event2mind", "train.csv", text)
    assert [(record.head, record.relation, record.tail) for record in records] == [
        ("PersonX waves", "xIntent", "to greet"),
        ("PersonX waits", "xReact", "calm"),
        ("PersonX wades", "xReact", "cold"),
    ]
    assert defects == [
        "train.csv:3: an empty event",
        "train.csv:4: '[\"to rest\"' is no list of texts",
        "train.csv:5: 2 fields where the header has 7",
    ]
