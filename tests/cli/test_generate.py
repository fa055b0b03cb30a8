"""`empathic train`, `generate`, `sweep` and `chat` with a responder that is trained from nothing."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
RECIPE = """
like = "mime"
licence = "Apache-2.0"
[data]
corpora = ["sample"]
measured_on = "sample"
examples = "listener"
[vocabulary]
vectors = ""
[model.sizes]
width = 16
depth = 8
inner = 12
[training]
epochs = 1
rate = 3e-3
warm_up = 5
[decoding]
shortest = 2
longest = 6
"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a recipe that trains in a second."""
    from empathic.cli import main

    folder = tmp_path_factory.mktemp("trained")
    (folder / "tiny.toml").write_text(RECIPE)
    with pytest.raises(SystemExit) as ended:
        main(["train", str(folder / "tiny.toml"), "--run", str(folder / "run")])
    assert not ended.value.code
    return folder / "run"


def test_replies_go_to_the_run_and_are_not_written_twice(program: Run, trained: Path) -> None:
    code, out, _ = program("generate", str(trained), "--strategy", "sample", "--top-p", "0.9")
    assert code == 0
    path = trained / "replies" / "sample-top-p-0.9-shortest-2-longest-6" / "test.jsonl"
    assert out.strip() == str(path)
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert {"id", "emotion", "context", "reply", "reference"} <= lines[0].keys()
    before = path.read_bytes()
    code, _, err = program("generate", str(trained), "--strategy", "sample", "--top-p", "0.9")
    assert (code, path.read_bytes()) == (0, before)
    assert "remove it to reply anew" in err
    # What another seed, or fewer contexts, would give goes elsewhere.
    for more in (("--seed", "3"), ("--first", "2")):
        code, out, _ = program("generate", str(trained), "--strategy", "sample", "--top-p", "0.9", *more)
        assert code == 0
        assert Path(out.strip()) != path
        assert Path(out.strip()).is_file()


def test_a_model_folder_replies_to_a_file_that_is_named(program: Run, trained: Path, tmp_path: Path) -> None:
    model, target = str(trained / "model"), tmp_path / "said.jsonl"
    code, _, err = program("generate", model, "--corpus", "sample")
    assert code == 2
    assert "say with --to" in err
    assert program("generate", model, "--corpus", "sample", "--to", str(target), "--first", "3")[0] == 0
    assert len(target.read_bytes().splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["no-such-run"], "there is no run, no model folder and no responder 'no-such-run'"),
        (["RUN", "--beams", "0"], "--beams: Expected `int` >= 1"),
        (["RUN", "--intent", "questoning"], "did you mean 'questioning'?"),
        (["RUN", "--intent", "questioning"], "plans no emotion and no intent"),
        (["RUN", "--split", "tset"], "holds nothing to reply to in the split 'tset'"),
        (["RUN", "--at-once", "0"], "1 at least"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    program: Run, trained: Path, arguments: list[str], complaint: str
) -> None:
    code, _, err = program("generate", *(str(trained) if each == "RUN" else each for each in arguments))
    assert code in (1, 2)
    assert complaint in err
    assert err.count("\n") == 1


def test_chat_answers_with_a_trained_responder_by_its_recipe(
    program: Run, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("I lost my dog.\nIt is so quiet now.\n"))
    code, out, _ = program("chat", "--model", str(trained))
    assert code == 0
    assert len(out.splitlines()) == 2
    monkeypatch.setattr(sys, "stdin", io.StringIO("I lost my dog.\n"))
    code, _, err = program("chat", "--model", str(trained), "--instruction", "Be kind.")
    assert code == 2
    assert "was trained to reply and takes no instruction" in err


def test_a_run_that_was_not_finished_says_so(program: Run, trained: Path, tmp_path: Path) -> None:
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "recipe.json").write_bytes((trained / "recipe.json").read_bytes())
    code, _, err = program("generate", str(tmp_path / "begun"))
    assert code == 1
    assert "has not been trained to its end" in err


def test_one_process_works_in_a_run_at_a_time(program: Run, trained: Path, tmp_path: Path) -> None:
    from empathic.experiments.recipes import load_recipe
    from empathic.experiments.runs import Run as Opened

    (tmp_path / "tiny.toml").write_text(RECIPE)
    with Opened(tmp_path / "run", load_recipe(tmp_path / "tiny.toml")).held():
        code, _, err = program("train", str(tmp_path / "tiny.toml"), "--run", str(tmp_path / "run"))
    assert code == 2
    assert "another process is working in" in err


@pytest.mark.parametrize("name", ["recipe.json", "result.json"])
def test_a_damaged_file_of_a_run_is_named_with_what_to_do(
    program: Run, trained: Path, tmp_path: Path, name: str
) -> None:
    run = shutil.copytree(trained, tmp_path / "run")
    (run / name).write_text("{")
    code, _, err = program("train", str(trained.parent / "tiny.toml"), "--run", str(run))
    assert code == 1
    assert f"{run / name}: damaged" in err
    assert f"remove {run} and train anew" in err


def test_a_training_that_goes_astray_ends_with_the_reason(program: Run, tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(RECIPE)
    train = ("train", str(tmp_path / "tiny.toml"), "--run", str(tmp_path / "run"))
    code, _, err = program(*train, "--set", "training.rate=inf")
    assert code == 2
    assert "training.rate: expected `float` <= " in err
    code, _, err = program(*train, "--set", "training.rate=1e8", "--set", "training.epochs=9")
    assert code == 1
    assert "the loss is no number any more" in err
    assert "lower training.rate" in err
    assert not (tmp_path / "run" / "result.json").exists()


def test_a_sweep_trains_every_combination_and_takes_up_what_is_there(program: Run, tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(RECIPE)
    sweep = ("sweep", str(tmp_path / "tiny.toml"), "--over", "training.seed=0,1", "--over", "model.mimicry=true,false")
    code, out, _ = program(*sweep, "--runs", str(tmp_path / "runs"), "--side-by-side", "2")
    assert code == 0
    names = [f"tiny-seed-{seed}-mimicry-{mimicry}" for seed in (0, 1) for mimicry in ("true", "false")]
    assert out.split() == [str(tmp_path / "runs" / name) for name in names]
    recipe = json.loads((tmp_path / "runs" / names[3] / "recipe.json").read_bytes())
    assert (recipe["training"]["seed"], recipe["model"]["mimicry"]) == (1, False)
    written = (tmp_path / "runs" / names[0] / "result.json").stat().st_mtime_ns
    assert program(*sweep, "--runs", str(tmp_path / "runs"))[0] == 0
    assert (tmp_path / "runs" / names[0] / "result.json").stat().st_mtime_ns == written


def test_a_sweep_says_what_is_wrong_before_it_begins(program: Run, tmp_path: Path) -> None:
    for arguments, complaint in (
        (["mime", "--over", "training.rat=1,2"], "there is no key 'training.rat'; did you mean 'rate'?"),
        (["mime", "--over", "training.rate"], "'training.rate' tries nothing: write KEY=VALUE,VALUE"),
        ([], "no recipe is named"),
    ):
        code, _, err = program("sweep", *arguments, "--runs", str(tmp_path / "runs"))
        assert code == 2
        assert complaint in err
    assert not (tmp_path / "runs").exists()


def test_a_training_that_fails_in_a_sweep_is_named_with_its_log(program: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(RECIPE.replace('corpora = ["sample"]', 'corpora = ["nowhere.jsonl"]'))
    code, out, err = program("sweep", str(tmp_path / "bad.toml"), "--runs", str(tmp_path / "runs"))
    assert (code, out) == (1, "")
    assert f"FAILED, see {tmp_path / 'runs' / 'bad'}.log" in err
    assert "nowhere.jsonl" in (tmp_path / "runs" / "bad.log").read_text()
