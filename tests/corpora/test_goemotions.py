from __future__ import annotations

from typing import Any

from empathic import corpora
from empathic.dialogue import Dialogue, Factors, Turn


def comment(identity: str, split: str, text: str, *fine: str, emotion: str | None = None) -> Dialogue:
    turn = Turn("speaker", text, factors=Factors(emotion=emotion, fine_emotions=fine))
    return Dialogue(identity, (turn,), "goemotions", split)


def test_a_comment_keeps_all_its_emotions_and_maps_a_single_one() -> None:
    assert list(corpora.read("goemotions", strict=True)) == [
        comment("ga1", "train", "Well done, all of you", "admiration", "joy"),
        comment("ga2", "train", "Who took my chair?", "anger", emotion="anger"),
        comment("ga3", "train", '"Quoted" and plain', "neutral", emotion="neutral"),
        comment("gb1", "valid", "Oh, I see now", "realization", emotion="approval"),
        comment("gc1", "test", "Sorry about that", "remorse", emotion="sadness"),
    ]


def test_damaged_lines_are_located_and_passed_over(read_text: Any) -> None:
    text = (
        "Fine\t17\tg1\n"
        "no tabs at all\n"
        "No such label\t28\tg3\n"
        "Not a number\tjoy\tg4\n"
        "No label\t\tg5\n"
        "\t17\tg6\n"
        "Too\tmany\t17\tg7\n"
        "Fine again\t27\tg8\n"
    )
    records, defects = read_text("goemotions", "train.tsv", text)
    assert [record.id for record in records] == ["g1", "g8"]
    assert defects == [
        "train.tsv:2: expected TEXT, LABELS and ID with tabs between",
        "train.tsv:3: '28' is no label; they run from 0 to 27",
        "train.tsv:4: 'joy' is no label; they run from 0 to 27",
        "train.tsv:5: '' is no label; they run from 0 to 27",
        "train.tsv:6: expected TEXT, LABELS and ID with tabs between",
        "train.tsv:7: expected TEXT, LABELS and ID with tabs between",
    ]
