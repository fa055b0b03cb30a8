"""The loop learns, stops, resumes along the same curve, and is the same for one process as for several."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch
from toy import SETTINGS, Toy

from empathic.errors import ArtifactError
from empathic.training import TrainingSettings, Workers, train

CPU = Workers(torch.device("cpu"))
TOY = Path(__file__).with_name("toy.py")


class EndedError(Exception):
    """Stands for whatever ends a training from outside."""


def curve(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def test_the_error_falls_and_the_best_weights_are_those_that_are_kept(tmp_path: Path) -> None:
    toy = Toy()
    progress = train(toy, SETTINGS, tmp_path, CPU)
    errors = [entry["measured"]["error"] for entry in curve(tmp_path) if "measured" in entry]
    assert errors[-1] < errors[0] / 2
    assert progress.best == min(errors)
    toy.model.eval()
    assert toy.evaluate()["error"] == pytest.approx(progress.best)


def test_the_rate_rises_over_the_warm_up_and_falls_to_nothing(tmp_path: Path) -> None:
    train(Toy(), SETTINGS, tmp_path, CPU)
    rates = [entry["rate"] for entry in curve(tmp_path) if "rate" in entry]
    assert rates[0] < max(rates) == pytest.approx(SETTINGS.rate, rel=0.1)
    assert rates[-1] < SETTINGS.rate / 20


def test_training_ends_when_it_has_not_got_better_for_long_enough(tmp_path: Path) -> None:
    toy = Toy()
    toy.best_at = 3
    progress = train(toy, msgspec.structs.replace(SETTINGS, patience=2), tmp_path, CPU)
    assert toy.measured == 5
    assert progress.measured == {"error": 0.0}


@pytest.mark.parametrize("ends_at", [1, 25, 40])
def test_a_training_that_was_ended_goes_on_along_the_same_curve_bit_for_bit(tmp_path: Path, ends_at: int) -> None:
    settings = msgspec.structs.replace(SETTINGS, checkpoint_minutes=1e-9)  # after every step
    whole = Toy()
    train(whole, settings, tmp_path / "whole", CPU)

    def end(_: str, step: int, *__: object) -> None:
        if step >= ends_at:
            raise EndedError

    with pytest.raises(EndedError):
        train(Toy(), settings, tmp_path / "ended", CPU, tell=end)
    resumed = Toy()
    train(resumed, settings, tmp_path / "ended", CPU)
    assert curve(tmp_path / "ended") == curve(tmp_path / "whole")
    for one, other in zip(whole.model.parameters(), resumed.model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_a_process_that_is_killed_is_taken_up_by_the_next(tmp_path: Path) -> None:
    subprocess.run([sys.executable, TOY, tmp_path / "whole", "0.2"], check=True, stdout=subprocess.DEVNULL)
    command = [sys.executable, str(TOY), str(tmp_path / "killed"), "0.2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert curve(tmp_path / "killed") == curve(tmp_path / "whole")


def test_two_processes_under_torchrun_lose_what_one_does(tmp_path: Path) -> None:
    subprocess.run([sys.executable, TOY, tmp_path / "one", "0"], check=True, stdout=subprocess.DEVNULL)
    several = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run([*several, TOY, tmp_path / "two", "0"], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    one, two = curve(tmp_path / "one"), curve(tmp_path / "two")
    assert one[-1]["step"] == two[-1]["step"] > 50
    losses = [(a["loss"], b["loss"]) for a, b in zip(one, two, strict=True) if "loss" in a]
    assert max(abs(a - b) for a, b in losses) < 1e-4


def test_a_checkpoint_of_another_model_is_refused(tmp_path: Path) -> None:
    train(Toy(), SETTINGS, tmp_path, CPU)
    other = Toy()
    other.model = torch.nn.Sequential(torch.nn.Linear(8, 1))
    with pytest.raises(ArtifactError, match="the checkpoint is of another model"):
        train(other, SETTINGS, tmp_path, CPU)


@pytest.mark.parametrize("name", ["progress.json", "state.safetensors"])
def test_a_damaged_checkpoint_is_named_with_what_to_do(tmp_path: Path, name: str) -> None:
    train(Toy(), SETTINGS, tmp_path, CPU)
    (tmp_path / "checkpoint" / name).write_bytes(b"{")
    with pytest.raises(ArtifactError, match=r"the checkpoint cannot be read.*\(remove "):
        train(Toy(), SETTINGS, tmp_path, CPU)


def test_impossible_settings_are_refused() -> None:
    for setting in ({"epochs": 0}, {"rate": 0}, {"warm_up": -0.1}, {"precision": "fp8"}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(setting, TrainingSettings)
