"""A recipe carried out: it learns, saves what can be loaded, and learns nothing of what it is measured on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from empathic.annotators.folder import load_reading
from empathic.annotators.readings import lay_out
from empathic.annotators.scoring import score
from empathic.artifacts import verify_model
from empathic.errors import ArtifactError, UsageError
from empathic.experiments.annotators import run_annotator
from empathic.experiments.recipes import load_recipe
from empathic.experiments.runs import Run
from empathic.training import Workers

CPU = Workers(torch.device("cpu"))


@pytest.fixture(autouse=True)
def data_folder(conversations: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPATHIC_DATA", str(conversations))


def carry_out(recipe: Path, folder: Path, *changes: str) -> dict[str, Any]:
    run = Run(folder, load_recipe(recipe, changes))
    return run_annotator(run, "tiny", CPU, note=lambda _: None)


def losses(folder: Path) -> list[float]:
    entries = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [entry["loss"] for entry in entries if "loss" in entry]


def test_the_loss_falls_and_what_was_measured_stands_in_the_result_and_on_the_card(
    recipe: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    result = carry_out(recipe, folder, "training.epochs=12")
    found = losses(folder)
    third = len(found) // 3
    assert sum(found[-third:]) < sum(found[:third])
    assert result["test"]["contexts"]["feeling/count"] > 50
    assert json.loads((folder / "result.json").read_text())["test"] == result["test"]
    card = (folder / "model" / "README.md").read_text()
    assert f"{result['test']['contexts']['feeling/accuracy']:.4f}" in card
    assert verify_model(folder / "model") == []


@pytest.mark.parametrize("rank", [0, 4])
def test_a_saved_annotator_gives_the_figures_that_were_measured(recipe: Path, tmp_path: Path, rank: int) -> None:
    result = carry_out(recipe, tmp_path / "run", f"adapter={rank}", "training.epochs=2")
    trained = load_reading(tmp_path / "run" / "model")
    assert trained.temperatures == result["temperatures"]
    assert not any(name.endswith((".up", ".down")) for name, _ in trained.model.named_parameters())
    found = list(measured_on("test"))
    texts = lay_out(trained.encoder, [script for script, _ in found], longest=trained.reading.longest)
    scores = score(trained.model, texts, pad=trained.encoder.pad, device=torch.device("cpu"))
    right = [int(said.argmax()) == label for said, (_, label) in zip(scores["feeling"], found, strict=True)]
    # Weights are kept in half precision: a close call may fall otherwise.
    accuracy = result["test"]["contexts"]["feeling/accuracy"]
    assert sum(right) / len(right) == pytest.approx(accuracy, abs=0.1)


def measured_on(split: str) -> Any:
    from empathic.annotators.examples import examples

    for example in examples("contexts", split):
        yield example.script, example.answers["feeling"]


def test_an_annotator_of_another_shape_is_refused(recipe: Path, tmp_path: Path) -> None:
    carry_out(recipe, tmp_path / "run", "adapter=4", "training.epochs=1")
    config = tmp_path / "run" / "model" / "config.json"
    config.write_text(config.read_text().replace('"adapter": 4', '"adapter": 0'))
    with pytest.raises(ArtifactError, match="its weights do not fit"):
        load_reading(tmp_path / "run" / "model")
    config.write_text(config.read_text().replace('"adapter": 0', '"adaptor": 0'))
    with pytest.raises(ArtifactError, match="not the settings of an annotator of this version"):
        load_reading(tmp_path / "run" / "model")


def test_nothing_that_stands_in_a_test_split_is_learned(
    recipe: Path, tmp_path: Path, conversations: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(conversations, tmp_path / "data")
    train, test = (tmp_path / "data" / "empatheticdialogues" / f"{name}.csv" for name in ("train", "test"))
    stolen = "".join(test.read_text().splitlines(keepends=True)[1:4])
    train.write_text(train.read_text() + stolen)
    monkeypatch.setenv("EMPATHIC_DATA", str(tmp_path / "data"))
    carry_out(recipe, tmp_path / "run", "training.epochs=1")
    dropped = [json.loads(line) for line in (tmp_path / "run" / "dropped.jsonl").read_text().splitlines()]
    assert {entry["source"] for entry in dropped} == {"contexts", "situations"}
    assert {entry["reason"] for entry in dropped} == {"a text of a test split"}


def test_a_student_learns_from_its_teacher_what_nobody_labelled(recipe: Path, tmp_path: Path) -> None:
    carry_out(recipe, tmp_path / "teacher", "training.epochs=1")
    carry_out(
        recipe,
        tmp_path / "student",
        f'teacher.models=["{tmp_path}/teacher/model"]',
        'teacher.corpora={sample = "train"}',
        "training.epochs=1",
    )
    alone, taught = (json.loads((tmp_path / name / "run.json").read_text()) for name in ("teacher", "student"))
    assert taught["examples"] > alone["examples"]
    assert taught["data"] != alone["data"]


def test_what_the_teacher_reaches_stands_beside_what_its_student_does(recipe: Path, tmp_path: Path) -> None:
    alone = carry_out(recipe, tmp_path / "teacher", "training.epochs=4")
    models = f'teacher.models=["{tmp_path}/teacher/model", "{tmp_path}/teacher/model"]'
    taught = carry_out(recipe, tmp_path / "student", models, "training.epochs=1")
    for source in ("contexts", "situations"):
        accuracy = alone["test"][source]["feeling/accuracy"]
        assert taught["teacher"][source]["feeling/accuracy"] == pytest.approx(accuracy, abs=0.1)
    assert "teacher" not in alone


def test_a_teacher_that_is_not_there_or_of_another_reading_is_refused(
    recipe: Path, tiny_annotators: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="reads 'cause'; a teacher of 'context' is needed"):
        carry_out(recipe, tmp_path / "student", f'teacher.models=["{tiny_annotators}/cause"]')
    with pytest.raises(ArtifactError, match="there is no teacher none/model"):
        carry_out(recipe, tmp_path / "other", 'teacher.models=["none/model"]')


def test_a_run_belongs_to_one_recipe(recipe: Path, tmp_path: Path) -> None:
    Run(tmp_path / "run", load_recipe(recipe))
    with pytest.raises(UsageError, match="a run of another recipe or of other settings"):
        Run(tmp_path / "run", load_recipe(recipe, ["training.epochs=9"]))
