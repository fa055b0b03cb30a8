"""`empathic train`, from a recipe to a result; killed, it goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
TRAIN = [sys.executable, "-c", "from empathic.cli import main; main()", "train"]


@pytest.fixture
def recipe(tmp_path: Path, tiny_encoder: Path) -> Path:
    """A recipe that learns nothing much, quickly."""
    file = tmp_path / "small.toml"
    file.write_text(
        f"""
kind = "annotator"
about = "small"
reading = "utterance"
licence = "Apache-2.0"
encoder = "{tiny_encoder}"
sources = {{goemotions = 30, intents = 30}}
[training]
epochs = 3
batch_tokens = 60
rate = 1e-3
checkpoint_minutes = 1e-6
"""
    )
    return file


def test_without_a_recipe_those_of_the_package_are_listed(program: Run) -> None:
    code, out, _ = program("train")
    assert code == 0
    assert any(line.startswith("annotators/utterance ") for line in out.splitlines())


def test_a_recipe_is_carried_out_once_and_its_result_shown_again(program: Run, recipe: Path, tmp_path: Path) -> None:
    code, out, err = program("train", recipe, "--run", tmp_path / "r", "--device", "cpu", "--json")
    assert code == 0
    first = json.loads(out)
    assert first["test"]["goemotions"]["fine_emotions/count"] > 0
    assert "examples to learn from" in err
    code, out, err = program("train", recipe, "--run", tmp_path / "r", "--json")
    assert (code, json.loads(out)) == (0, first)
    assert "is finished; remove it" in err


def test_a_setting_that_does_not_exist_is_a_usage_error(program: Run, recipe: Path) -> None:
    code, _, err = program("train", recipe, "--set", "training.speed=9")
    assert code == 2
    assert "there is no key 'training.speed'" in err


def test_a_training_that_is_killed_ends_as_if_it_had_not_been(recipe: Path, tmp_path: Path, published: Path) -> None:
    environment = os.environ | {"EMPATHIC_DATA": str(published), "CUDA_VISIBLE_DEVICES": ""}

    def logged(name: str) -> str:
        return (tmp_path / name / "log.jsonl").read_text()

    subprocess.run([*TRAIN, recipe, "--run", tmp_path / "whole"], check=True, capture_output=True, env=environment)
    command = [*TRAIN, str(recipe), "--run", str(tmp_path / "killed")]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 120
        while not (tmp_path / "killed" / "checkpoint").is_dir():
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "killed" / "result.json").exists()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    assert logged("killed") == logged("whole")
    results = [json.loads((tmp_path / name / "result.json").read_text()) for name in ("whole", "killed")]
    assert results[0]["test"] == results[1]["test"]
