"""Checking finds what cannot be read and what can be read but not be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic import corpora
from empathic.corpora import Defect
from empathic.dialogue import Cause, Dialogue, Factors, Inference, Turn


def check(*args: object, **options: object) -> tuple[int, list[Defect]]:
    defects: list[Defect] = []
    count = corpora.check(*args, report=defects.append, **options)  # type: ignore[arg-type]
    return count, defects


@pytest.mark.parametrize(
    ("name", "part"), [(corpus.name, part) for corpus in corpora.known() for part in (None, *corpus.parts)]
)
def test_the_published_samples_are_without_a_defect(name: str, part: str | None) -> None:
    count, defects = check(name, part=part)
    assert defects == []
    assert count == len(list(corpora.read(name, part=part)))


@pytest.mark.parametrize(
    ("factors", "what"),
    [
        (Factors(act="advising"), "'advising' is none of the dialog acts"),
        (Factors(emotion="merry"), "'merry' is none of the emotions"),
        (Factors(intent="advising"), "'advising' is none of the emotions and intents"),
        (Factors(fine_emotions=("joy", "glee")), "'glee' is none of the labels of GoEmotions"),
        (Factors(causes=(Cause(0), Cause(2))), "its cause is said to be in turn 3, which the dialogue does not have"),
    ],
)
def test_a_label_of_no_set_is_located_by_line_dialogue_and_turn(tmp_path: Path, factors: Factors, what: str) -> None:
    file = tmp_path / "mine.jsonl"
    good = Dialogue("good", (Turn("speaker", "Yes."),))
    bad = Dialogue("bad", (Turn("speaker", "Yes."), Turn("listener", "No.", factors=factors)))
    corpora.write([good, bad], file)
    assert check(file) == (2, [Defect(str(file), f"[bad] turn 2: {what}", 2)])


def test_good_labels_are_no_defect(tmp_path: Path) -> None:
    factors = Factors(act="others", emotion="joy", fine_emotions=("joy",), intent="wishing", causes=(Cause(0),))
    corpora.write([Dialogue("a", (Turn("listener", "Hurrah!", factors=factors),))], tmp_path / "mine.jsonl")
    assert check(tmp_path / "mine.jsonl") == (1, [])


@pytest.mark.parametrize(
    ("record", "what"),
    [
        (Dialogue("d", ()), "[d] holds no turns"),
        (Dialogue("d", (Turn("speaker", " \u200b\n"),)), "[d] turn 1: empty"),
        (Inference("rain", "xReact", " "), "[rain xReact] an inference without a head or a tail"),
    ],
)
def test_a_record_that_says_nothing_is_a_defect(tmp_path: Path, record: Dialogue, what: str) -> None:
    file = tmp_path / "mine.jsonl"
    corpora.write([record], file)
    assert check(file) == (1, [Defect(str(file), what, 1)])


def test_an_id_used_before_is_a_defect(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    corpora.write([Dialogue(identity, (Turn("speaker", "Hm."),)) for identity in "aba"], file)
    assert check(file) == (3, [Defect(str(file), "[a] an earlier dialogue has the same id", 3)])


def test_what_cannot_be_read_is_among_the_defects(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text('{"id": "a", "turns": [{"role": "speaker", "text": ""}]}\n{"id":\n')
    count, defects = check(file)
    assert count == 1
    assert sorted((defect.line, defect.what) for defect in defects) == [
        (1, "[a] turn 1: empty"),
        (2, "Input data was truncated"),
    ]


def test_in_a_published_corpus_the_place_is_its_name_and_the_id(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("One\t17\tg1\nTwo\t17\tg1\n")
    assert check("goemotions", path=tmp_path / "train.tsv") == (
        2,
        [Defect("goemotions", "[g1] an earlier dialogue has the same id")],
    )


def test_a_split_of_one_s_own_file_can_be_checked_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    corpora.write([Dialogue("a", (), split="train"), Dialogue("b", (), split="test")], file)
    assert check(file, split="test") == (1, [Defect(str(file), "[b] holds no turns", 2)])


def test_labels_of_no_set_and_tones_beyond_the_scale_are_defects(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    factors = Factors(feeling="sadly", polarity="meh", valence=7.0)
    corpora.write([Dialogue("a", (Turn("speaker", "Hm.", factors=factors),))], file)
    assert check(file)[1] == [
        Defect(str(file), "[a] turn 1: 'sadly' is none of the situation emotions", 1),
        Defect(str(file), "[a] turn 1: 'meh' is no polarity: positive or negative", 1),
        Defect(str(file), "[a] turn 1: the valence 7 is not between 0 and 1", 1),
    ]
