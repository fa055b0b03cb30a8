"""What a responder's run leaves is read as it was written, and damage is named with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.dialogue import Plan, Turn
from empathic.errors import DataError, UsageError
from empathic.experiments.outputs import (
    EmotionVectors,
    Likelihood,
    Outputs,
    SaidReply,
    write_emotion_vectors,
    write_likelihood,
    write_replies,
)
from made_up_runs import exchanges, make_run

LIKELY = Likelihood(id="a#1", emotion="sad", loss=12.5, tokens=5, words=4, characters=20, emotions=("sad", "lonely"))
SAID = SaidReply(
    id="a#1", emotion="sad", context=(Turn("speaker", "My dog died."),), reply="Oh.", reference="I am sorry."
)


def read_all(run: Path) -> None:
    outputs = Outputs(run)
    outputs.emotion_vectors()
    outputs.log()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path / "mime", among=exchanges(4))


def test_what_is_written_is_read_again(run: Path) -> None:
    planned = SaidReply(
        id="b#1", context=(), reply="Why?", reference="What?", plan=Plan(act="questioning", intent="questioning")
    )
    write_likelihood(run, "valid", [LIKELY])
    write_replies(run, "top-p", "valid", [SAID, planned])
    write_emotion_vectors(run, ["sad", "joyful"], [[0.5, 1.0], [-0.5, 2.0]])
    outputs = Outputs(run)
    assert outputs.likelihood("valid") == [LIKELY]
    assert outputs.replies("top-p", "valid") == [SAID, planned]
    assert outputs.emotion_vectors() == EmotionVectors(("sad", "joyful"), ((0.5, 1.0), (-0.5, 2.0)))
    assert (outputs.decodings("valid"), outputs.decodings("test")) == (["top-p"], ["greedy"])


def test_a_line_is_what_the_documentation_says(run: Path) -> None:
    path = write_replies(run, "greedy", "valid", [SAID])
    assert path == run / "replies" / "greedy" / "valid.jsonl"
    assert json.loads(path.read_text()) == {
        "id": "a#1",
        "emotion": "sad",
        "context": [{"role": "speaker", "text": "My dog died."}],
        "reply": "Oh.",
        "reference": "I am sorry.",
        "plan": None,
    }
    path = write_likelihood(run, "valid", [LIKELY])
    assert path == run / "likelihood" / "valid.jsonl"
    assert json.loads(path.read_text())["emotions"] == ["sad", "lonely"]


def test_what_is_not_there_is_nothing(run: Path) -> None:
    (run / "emotions.json").unlink()
    (run / "log.jsonl").unlink()
    (run / "result.json").unlink()
    outputs = Outputs(run)
    assert (outputs.likelihood("train"), outputs.decodings("train"), outputs.emotion_vectors()) == ([], [], None)
    assert (outputs.log(), outputs.result) == ([], {})


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"id": "x", "loss": -1, "tokens": 1, "words": 1, "characters": 1}', r":2: Expected `float` >= 0"),
        ('{"id": "x", "loss": 1, "tokens": 0, "words": 1, "characters": 1}', r":2: Expected `int` >= 1"),
        ('{"id": "x", "loss": 1, "tokens": 1, "words": 1}', ":2: .*missing required field `characters`"),
        (
            '{"id": "x", "loss": 1, "tokens": 1, "words": 1, "characters": 1, "intent": "asking"}',
            ":2: 'asking' is no intent and no emotion",
        ),
        ('{"id": "a#1", "loss": 1, "tokens": 1, "words": 1, "characters": 1}', ":2: the id 'a#1' was there before"),
        ('{"id": "x", "loss"', ":2: "),
    ],
)
def test_a_damaged_line_is_an_error_with_its_place(run: Path, line: str, what: str) -> None:
    path = write_likelihood(run, "valid", [LIKELY])
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(DataError, match=f"valid.jsonl{what}"):
        Outputs(run).likelihood("valid")


def test_an_empty_file_holds_nothing_to_measure(run: Path) -> None:
    write_likelihood(run, "valid", [])
    with pytest.raises(DataError, match=r"valid\.jsonl: holds nothing to measure"):
        Outputs(run).likelihood("valid")


def test_a_folder_without_a_recipe_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"is no run's folder: it holds no recipe.json \(empathic train"):
        Outputs(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("recipe.json", "{", "recipe.json: damaged"),
        ("emotions.json", '{"labels": ["sad"], "vectors": [[1], [2]]}', "emotions.json: 1 labels, 2 vectors"),
        ("emotions.json", '{"labels": ["sad", "joyful"], "vectors": [[1], [2, 3]]}', "vectors of 2 widths"),
        ("log.jsonl", "{}\n{\n", "log.jsonl: not a log of a training"),
    ],
)
def test_damaged_files_of_a_run_are_named(run: Path, name: str, text: str, what: str) -> None:
    (run / name).write_text(text)
    with pytest.raises(DataError, match=what):
        read_all(run)


def test_a_line_of_the_log_that_a_kill_cut_off_is_passed_over(run: Path) -> None:
    whole = Outputs(run).log()
    with (run / "log.jsonl").open("a") as log:
        log.write('{"step": 31')
    assert Outputs(run).log() == whole
