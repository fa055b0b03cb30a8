"""`empathic score`: replies of any system, in text or JSONL, beside what people said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
SAID = ["I am so sorry to hear that.", "That is great!", "", "What happened?"]
MEANT = ["I am sorry to hear that.", "That is great news!", "Oh.", "Why did that happen?"]


@pytest.fixture
def files(program: Run, tmp_path: Path) -> Path:
    """The same replies in several forms."""
    (tmp_path / "said.txt").write_text("\n".join(SAID) + "\n")
    (tmp_path / "meant.txt").write_text("\n".join(MEANT) + "\n")
    (tmp_path / "other.txt").write_text("Hm.\n" * 4)
    both = [
        {"id": n, "reply": said, "reference": meant} for n, (said, meant) in enumerate(zip(SAID, MEANT, strict=True))
    ]
    (tmp_path / "both.jsonl").write_text("".join(json.dumps(each) + "\n" for each in both))
    (tmp_path / "glove.txt").write_text("sorry 1 0\nsad 1 1\ngreat 0 1\nhappened 1 2\nhappen 1 2\n")
    return tmp_path


def test_without_files_every_measure_is_listed_with_its_definition(program: Run) -> None:
    code, out, _ = program("score")
    assert code == 0
    for name in ("bleu", "bleu-2", "multi-bleu", "rouge-l", "greedy", "similarity", "distinct-1", "distinct-2"):
        assert any(line.startswith(f"{name} ") for line in out.splitlines())


def test_text_and_jsonl_give_the_same_figures(program: Run, files: Path) -> None:
    options = ("--metrics", "bleu,rouge-l,distinct-2,words", "--samples", "50", "--json")
    _, text, _ = program("score", "--hyp", files / "said.txt", "--ref", files / "meant.txt", *options)
    _, lines, _ = program("score", "--hyp", files / "both.jsonl", "--ref", files / "both.jsonl", *options)
    ours, theirs = json.loads(text), json.loads(lines)
    assert ours["scores"]["said"] == theirs["scores"]["both"]
    assert ours["replies"] == 4
    assert set(ours["scores"]["said"]) == {"bleu", "rouge-l", "distinct-2", "words"}


def test_all_measures_are_taken_by_default_as_far_as_there_is_what_they_need(program: Run, files: Path) -> None:
    command = ("score", "--hyp", files / "said.txt", "--ref", files / "meant.txt", "--device", "cpu", "--samples", "20")
    code, out, err = program(*command)
    assert code == 0
    assert "similarity" in out
    assert "greedy is left out: it needs vectors" in err
    _, out, _ = program(*command, "--vectors", files / "glove.txt")
    assert any(line.startswith("greedy ") for line in out.splitlines())


def test_several_systems_are_compared_with_the_first(program: Run, files: Path) -> None:
    command = ("score", "--hyp", files / "said.txt", "--hyp", files / "other.txt", "--ref", files / "meant.txt")
    _, out, _ = program(*command, "--metrics", "rouge-l,words", "--samples", "99", "--json")
    found = json.loads(out)["differences"]
    assert found.keys() == {"other"}
    assert found["other"]["rouge-l"]["mean"] < 0
    assert 0 < found["other"]["rouge-l"]["permutation_test"] <= 1
    _, out, _ = program(*command, "--metrics", "words")
    assert "Beside said: the difference" in out


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["--hyp", "said.txt"], 2, "both are needed"),
        (["--hyp", "short.txt", "--ref", "meant.txt"], 1, "short.txt holds 1 replies, meant.txt 4 references"),
        (["--hyp", "none.txt", "--ref", "meant.txt"], 1, "none.txt: there is no such file"),
        (["--hyp", "empty.txt", "--ref", "meant.txt"], 1, "empty.txt: holds nothing to measure"),
        (["--hyp", "bad.jsonl", "--ref", "meant.txt"], 1, "bad.jsonl:2: no text under reply; the keys are: reply"),
        (
            ["--hyp", "bad.jsonl", "--field", "x", "--ref", "meant.txt"],
            1,
            "bad.jsonl:1: no text under x; the keys are: reply",
        ),
        (["--hyp", "bytes.txt", "--ref", "meant.txt"], 1, "bytes.txt:2: not UTF-8 text"),
        (["--hyp", "said.txt", "--ref", "meant.txt", "--metrics", "blue"], 2, "did you mean 'bleu'?"),
        (["--hyp", "said.txt", "--ref", "meant.txt", "--metrics", "greedy"], 2, "name a file of GloVe's layout with"),
        (["--hyp", "short.txt", "--hyp", "short.txt", "--ref", "short.txt"], 2, "short.txt is named twice"),
        (["--hyp", "short.txt", "--ref", "short.txt", "--metrics", ","], 2, "--metrics names none"),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_line(
    program: Run, files: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, error: str
) -> None:
    monkeypatch.chdir(files)
    Path("short.txt").write_text("One.\n")
    Path("empty.txt").write_text("")
    Path("bad.jsonl").write_text('{"reply": "One."}\n{"reply": 2}\n')
    Path("bytes.txt").write_bytes(b"One.\n\xff\n")
    found, _, err = program("score", *arguments)
    assert found == code
    assert error in err
    assert err.count("\n") == 1


def test_replies_are_measured_by_the_polarity_of_what_the_speaker_feels(program: Run, files: Path) -> None:
    rows = [json.loads(line) for line in (files / "both.jsonl").read_text().splitlines()]
    feelings = ["sad", "joyful", "joyful", None]
    told = [row | {"emotion": feeling} for row, feeling in zip(rows, feelings, strict=True)]
    (files / "told.jsonl").write_text("".join(json.dumps(each) + "\n" for each in told))
    command = ("score", "--hyp", files / "both.jsonl", "--hyp", files / "other.txt", "--ref", files / "told.jsonl")
    command = (*command, "--by", "polarity", "--metrics", "words", "--samples", "20")
    found = json.loads(program(*command, "--json")[1])
    assert found["replies"] == 4
    assert {name: each["replies"] for name, each in found["by"].items()} == {"positive": 2, "negative": 1}
    values = {name: each["scores"]["both"]["words"]["value"] for name, each in found["by"].items()}
    assert values == {"positive": 2.0, "negative": 8.0}  # "That is great!" and nothing; "I am so sorry to hear that."
    assert found["by"]["positive"]["differences"]["other"]["words"]["mean"] == 0.0
    _, out, _ = program(*command)
    assert "2 to positive emotions" in out


def test_without_emotions_nothing_is_told_apart_by_polarity(program: Run, files: Path) -> None:
    for reference in ("meant.txt", "both.jsonl"):
        code, _, err = program(
            "score", "--hyp", files / "said.txt", "--ref", files / reference, "--by", "polarity", "--metrics", "words"
        )
        assert code == 2
        assert f"{reference} does not tell what the speaker feels" in err
