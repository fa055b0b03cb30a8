"""`empathic analyze factors`: what was perceived, counted; tables, pictures and a page that say the same."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from empathic import corpora
from empathic.dialogue import Dialogue, Factors, Mechanism, Mechanisms, Turn

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def annotated(tmp_path: Path) -> Path:
    """Forty conversations: who is sad is consoled with sympathy, who is joyful is asked."""
    consoling = Factors(
        mechanisms=Mechanisms(Mechanism(2), Mechanism(0), Mechanism(0)), act="consoling", emotion="caring"
    )
    asking = Factors(
        mechanisms=Mechanisms(Mechanism(0), Mechanism(0), Mechanism(1)), act="questioning", emotion="surprise"
    )
    silent = Factors(mechanisms=Mechanisms(Mechanism(0), Mechanism(0), Mechanism(0)), act="others", emotion="neutral")

    def conversation(number: int) -> Dialogue:
        feeling, answer = (("sad", consoling), ("joyful", asking))[number % 2]
        answer = silent if number % 4 == 3 else answer
        turns = (Turn("speaker", "So.", factors=Factors(feeling=feeling)), Turn("listener", "Hm.", factors=answer))
        return Dialogue(str(number), turns, emotion=feeling)

    corpora.write(map(conversation, range(40)), tmp_path / "talks.jsonl")
    return tmp_path / "talks.jsonl"


def test_factors_that_are_given_are_counted_with_and_without_responses_that_show_no_mechanism(
    program: Run, annotated: Path
) -> None:
    code, out, _ = program("analyze", "factors", annotated, "--given", "--samples", "50", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["dialogues"], found["responses"], found["annotators"]) == (40, 40, {})
    by_name = {(each["responses"], each["domain"]): each for each in found["selections"]}
    assert {name: each["count"] for name, each in by_name.items()} == {
        ("all", "all"): 40,
        ("all", "negative"): 20,
        ("all", "positive"): 20,
        ("with a mechanism", "all"): 30,
        ("with a mechanism", "negative"): 20,
        ("with a mechanism", "positive"): 10,
    }
    assert by_name["all", "all"]["counts"]["mechanisms"] == [20, 0, 10, 10]
    met = next(each for each in by_name["all", "all"]["meetings"] if (each["x"], each["y"]) == ("act", "emotion"))
    rows = {
        (found["labels"]["act"][x], found["labels"]["emotion"][y]): count
        for x, row in enumerate(met["counts"])
        for y, count in enumerate(row)
        if count
    }
    assert rows == {("consoling", "caring"): 20, ("questioning", "surprise"): 10, ("others", "neutral"): 10}
    assert met["bits"] == pytest.approx(1.5, abs=0.1)
    assert met["share_of_y"] == pytest.approx(1.0, abs=0.05)


def test_tables_pictures_and_a_page_are_written(program: Run, annotated: Path, tmp_path: Path) -> None:
    folder = tmp_path / "analysis"
    code, _, err = program("analyze", "factors", annotated, "--given", "--samples", "10", "--to", folder)
    assert code == 0
    assert f"files in {folder}" in err
    names = {file.name for file in folder.iterdir()}
    assert {"factors.json", "factors.md", "pairs.csv", "distributions.csv", "information.csv"} <= names
    for picture in ("factors", "feelings", "distributions", "factors-with-a-mechanism", "factors-negative"):
        assert (folder / f"{picture}.svg").read_bytes().startswith(b"<?xml")
        assert (folder / f"{picture}.png").read_bytes().startswith(b"\x89PNG")
    pairs = csv.DictReader(io.StringIO((folder / "pairs.csv").read_text()))
    (row,) = (
        row
        for row in pairs
        if (row["responses"], row["domain"], row["x"], row["x label"], row["y"], row["y label"])
        == ("all", "all", "feeling", "joyful", "act", "questioning")
    )
    assert (row["count"], row["joint"], row["y given x"], row["x given y"]) == ("10", "0.25", "0.5", "1.0")
    page = (folder / "factors.md").read_text()
    assert "Without the 25.0% of responses that show no mechanism" in page
    assert "| consoling | caring 100% |" in page


def test_domains_may_be_told_by_any_label(program: Run, annotated: Path) -> None:
    _, out, _ = program("analyze", "factors", annotated, "--given", "--by", "emotion", "--samples", "0", "--json")
    assert {each["domain"] for each in json.loads(out)["selections"]} == {"all", "sad", "joyful"}


def test_a_label_that_no_conversation_has_tells_no_domains(program: Run, annotated: Path) -> None:
    code, _, err = program("analyze", "factors", annotated, "--given", "--by", "nosuch")
    assert code == 2
    assert "has a label 'nosuch' to tell domains by" in err


def test_where_nobody_answers_there_is_nothing_to_count(program: Run, tmp_path: Path) -> None:
    corpora.write([Dialogue("a", (Turn("speaker", "Hello?"),))], tmp_path / "alone.jsonl")
    code, _, err = program("analyze", "factors", tmp_path / "alone.jsonl", "--given")
    assert code == 1
    assert "no listener in it answers anybody" in err


def test_what_is_not_annotated_is_annotated_once(
    program: Run, tiny_annotators: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("analyze", "factors", "sample", "--split", "test", "--models", tiny_annotators, "--samples", "5")
    code, first, _ = program(*command)
    assert code == 0
    assert "64 responses of a listener" in first or "responses of a listener" in first
    assert "mutual information, bits" in first
    kept = list((tmp_path / "cache" / "annotated").iterdir())
    assert len(kept) == 1
    monkeypatch.setattr("empathic.annotators.annotator.Annotator.annotate", None)
    assert program(*command)[:2] == (0, first)


def test_a_corpus_without_factors_cannot_be_counted_as_it_stands(program: Run) -> None:
    code, _, err = program("analyze", "factors", "sample", "--given")
    assert code == 1
    assert "no response in it has factors (let them be read: leave out --given)" in err


def test_inferences_are_no_conversations(program: Run) -> None:
    code, _, err = program("analyze", "factors", "conceptnet", "--given")
    assert code == 2
    assert "conceptnet holds inferences, and no conversations" in err
