"""A responder's recipe carried out: it learns, resumes along the same curve, and what it saves talks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from empathic import corpora
from empathic.artifacts import read_manifest, verify_model
from empathic.decoding import Decoding
from empathic.dialogue import Dialogue, Factors, Plan, Request, Turn, to_json
from empathic.errors import ArtifactError, DataError, UsageError
from empathic.experiments.generation import decoding_name, write_replies_to
from empathic.experiments.outputs import Outputs
from empathic.experiments.recipes import load_recipe
from empathic.experiments.responder_data import learned_from, measured_on
from empathic.experiments.responder_recipe import DataSettings, ResponderRecipe
from empathic.experiments.responders import run_responder
from empathic.experiments.runs import Run
from empathic.models.kinds import load_responder
from empathic.models.trained_responder import TrainedResponder
from empathic.training import Workers

CPU = Workers(torch.device("cpu"))
MODELS = ("transformer", "multi-trs", "moel", "mime", "mime-code", "meed2", "meed2-joint", "meed2-transformer")


class EndedError(Exception):
    """Stands for whatever ends a training from outside."""


def labelled(tmp_path: Path) -> Path:
    """The sample, with an intent on every turn."""
    file = tmp_path / "labelled.jsonl"
    with file.open("wb") as lines:
        for dialogue in corpora.read_dialogues("sample"):
            turns = tuple(
                msgspec.structs.replace(turn, factors=Factors(intent="questioning" if "?" in turn.text else "neutral"))
                for turn in dialogue.turns
            )
            lines.write(to_json(msgspec.structs.replace(dialogue, turns=turns)) + b"\n")
    return file


def small(tmp_path: Path, like: str, **data: Any) -> Path:
    """A recipe that trains in a second, on the sample."""
    meed2 = like.startswith("meed2")
    said = str(labelled(tmp_path))
    lines = {
        "corpora": [said],
        "measured_on": said,
        "examples": "listener",
        "intents": "none",
    } | data
    file = tmp_path / f"{like}.toml"
    file.write_text(
        f'like = "{like}"\nlicence = "Apache-2.0"\n[data]\n'
        + "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items())
        + '[vocabulary]\nvectors = ""\nsize = 600\n[model.sizes]\nwidth = 24\ninner = 24\n'
        + ("layers = 1\nheads = 2\ndropout = 0.0\n" if meed2 else "depth = 8\n")
        + "[training]\nepochs = 3\nbatch_items = 8\nrate = 5e-3\nwarm_up = 10\n"
        + ("[predictor]\nepochs = 1\n" if meed2 else "")
        + "[decoding]\nbeams = 3\nshortest = 2\nlongest = 8\n"
    )
    return file


def carry_out(recipe: Path, folder: Path, *changes: str, tell: Any = None) -> dict[str, Any]:
    found = load_recipe(recipe, changes)
    assert isinstance(found, ResponderRecipe)
    return run_responder(Run(folder, found), recipe.stem, CPU, note=lambda _: None, tell=tell)


def curve(folder: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("like", MODELS)
def test_a_short_training_lowers_the_loss_and_what_it_saves_talks(like: str, tmp_path: Path) -> None:
    result = carry_out(small(tmp_path, like), tmp_path / "run")
    losses = [entry["response"] for entry in curve(tmp_path / "run") if "response" in entry]
    assert losses[-1] < losses[0] - 0.5
    folder = tmp_path / "run" / "model"
    assert verify_model(folder) == []
    assert read_manifest(folder).figures == result["test"]
    told = like in ("mime-code", "meed2", "meed2-joint")
    assert (tmp_path / "run" / "likelihood" / "test-untold.jsonl").is_file() is told
    assert ("ppl-token, untold" in result["test"]) is told
    responder = TrainedResponder(load_responder(folder))
    said = "".join(responder.respond(Request((Turn("speaker", "I failed my driving test again."),)), seed=0))
    assert said


@pytest.mark.parametrize("stored", ["fp16", "int8"])
def test_what_was_measured_is_what_the_saved_model_says(tmp_path: Path, stored: str) -> None:
    result = carry_out(small(tmp_path, "multi-trs"), tmp_path / "run", f"stored={stored}")
    lines = Outputs(tmp_path / "run").likelihood("test")
    losses, tokens = (np.array([getattr(line, field) for line in lines]) for field in ("loss", "tokens"))
    assert result["test"]["ppl-token"] == pytest.approx(np.exp(losses.sum() / tokens.sum()))
    assert result["test"]["ppl-moel"] == pytest.approx(np.exp((losses / tokens).mean()))
    trained = load_responder(tmp_path / "run" / "model")
    items = measured_on(load_recipe(small(tmp_path, "multi-trs")).data, "test")  # type: ignore[union-attr]
    table = trained.layout.lay_out(item.said for item in items)
    with torch.inference_mode():
        again, _ = trained.model.judged(table.batch(range(len(items))))
    np.testing.assert_allclose(again.numpy(), losses, rtol=1e-4)


@pytest.mark.parametrize(("like", "ends_at"), [("moel", 3), ("mime", 5), ("meed2", 9)])
def test_a_training_that_was_ended_goes_on_along_the_same_curve(like: str, ends_at: int, tmp_path: Path) -> None:
    changes = ("training.checkpoint_minutes=1e-9", "predictor.checkpoint_minutes=1e-9")
    whole = carry_out(small(tmp_path, like), tmp_path / "whole", *changes)
    steps = 0

    def end(what: str, *_: object) -> None:
        nonlocal steps
        steps += what == "step"
        if steps >= ends_at:
            raise EndedError

    with pytest.raises(EndedError):
        carry_out(small(tmp_path, like), tmp_path / "ended", *changes, tell=end)
    ended = carry_out(small(tmp_path, like), tmp_path / "ended", *changes)
    assert curve(tmp_path / "ended") == curve(tmp_path / "whole")
    assert ended["test"] == whole["test"]


def test_two_processes_lose_what_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = small(tmp_path, "multi-trs")
    train = ["empathic", "train", str(recipe), "--device", "cpu", "--set", "training.precision=fp32", "--run"]
    subprocess.run([sys.executable, "-m", *train, tmp_path / "one"], check=True, capture_output=True)
    several = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "--"]
    done = subprocess.run([*several, *train, tmp_path / "two"], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    one, two = curve(tmp_path / "one"), curve(tmp_path / "two")
    losses = [(a["loss"], b["loss"]) for a, b in zip(one, two, strict=True) if "loss" in a]
    assert one[-1]["step"] > 50
    assert max(abs(a - b) for a, b in losses) < 1e-4


def test_replies_are_written_in_order_and_taken_up_where_they_ended(tmp_path: Path) -> None:
    carry_out(small(tmp_path, "mime"), tmp_path / "run")
    trained = load_responder(tmp_path / "run" / "model")
    responder = TrainedResponder(trained, Decoding(strategy="sample", longest=6))
    items = measured_on(DataSettings(corpora=("sample",), measured_on="sample"), "test")
    whole = write_replies_to(tmp_path / "whole.jsonl", responder, items, at_once=2)
    lines = [json.loads(line) for line in whole.read_bytes().splitlines()]
    assert [line["id"] for line in lines] == [item.exchange.id for item in items]
    assert len({line["reply"] for line in lines}) > len(lines) / 2

    def end(more: int) -> None:
        if more and (tmp_path / ".ended.jsonl.part.json").is_file():
            raise EndedError

    with pytest.raises(EndedError):
        write_replies_to(tmp_path / "ended.jsonl", responder, items, at_once=2, told=end)
    told: list[int] = []
    write_replies_to(tmp_path / "ended.jsonl", responder, items, at_once=2, told=told.append)
    assert told[0] == 8
    assert (tmp_path / "ended.jsonl").read_bytes() == whole.read_bytes()
    alone = write_replies_to(tmp_path / "alone.jsonl", responder, items, at_once=7)
    assert alone.read_bytes() == whole.read_bytes()


def test_a_given_intent_is_written_down_with_the_reply(tmp_path: Path) -> None:
    carry_out(small(tmp_path, "meed2"), tmp_path / "run")
    responder = TrainedResponder(load_responder(tmp_path / "run" / "model"))
    items = measured_on(DataSettings(corpora=("sample",), measured_on="sample"), "test")[:2]
    path = write_replies_to(tmp_path / "x.jsonl", responder, items, plan=Plan(intent="questioning"))
    assert [json.loads(line)["plan"] for line in path.read_bytes().splitlines()] == [{"intent": "questioning"}] * 2


def test_ways_of_decoding_have_names() -> None:
    assert decoding_name(Decoding()) == "greedy"
    assert (
        decoding_name(Decoding(strategy="beam", beams=32, length_norm=1.0, block=4)) == "beam-32-length-norm-1-block-4"
    )
    assert decoding_name(Decoding(strategy="sample", top_p=0.9, temperature=0.7)) == "sample-temperature-0.7-top-p-0.9"
    greedy = Decoding(block=4, beams=9, temperature=0.3)
    assert decoding_name(greedy) == "greedy-block-4"


def test_nothing_that_is_measured_on_is_learned(tmp_path: Path) -> None:
    said = "I was so glad to hear from you again yesterday."
    lines = [
        {"id": "a", "split": "train", "turns": [{"role": "speaker", "text": "Hi"}, {"role": "listener", "text": said}]},
        {
            "id": "b",
            "split": "train",
            "turns": [{"role": "speaker", "text": "No"}, {"role": "listener", "text": "Oh!"}],
        },
        {"id": "c", "split": "test", "turns": [{"role": "speaker", "text": "Hm"}, {"role": "listener", "text": said}]},
        {"id": "d", "split": "valid", "turns": [{"role": "speaker", "text": "A"}, {"role": "listener", "text": "B"}]},
    ]
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    kept, dropped = learned_from(DataSettings(corpora=(str(file),), measured_on=str(file)))
    assert [item.exchange.id for item in kept] == ["b#1"]
    assert [(each.id, each.reason) for each in dropped] == [("a#1", "a text of a test split")]


def test_a_corpus_without_replies_is_refused_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "alone.jsonl"
    file.write_text('{"id": "a", "turns": [{"role": "speaker", "text": "Nobody answers."}]}\n')
    with pytest.raises(DataError, match="nothing to learn from: no turn answers another"):
        learned_from(DataSettings(corpora=(str(file),), measured_on=str(file)))


def test_empty_turns_and_missing_emotions_are_learned_from_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "odd.jsonl"
    with file.open("wb") as lines:
        for split in ("train", "valid", "test"):
            for number, emotion in enumerate((None, "elated")):
                turns = (Turn("speaker", "\u200b"), Turn("listener", f"{split}{number}?"))
                lines.write(to_json(Dialogue(f"{split}{number}", turns, split=split, emotion=emotion)) + b"\n")
    recipe = small(tmp_path, "mime", corpora=[str(file)], measured_on=str(file))
    result = carry_out(recipe, tmp_path / "run")
    assert np.isfinite(result["test"]["ppl-token"])
    assert "emotion-top-1" not in result["test"]


def test_an_artifact_of_another_sort_or_version_is_refused_by_name(tmp_path: Path) -> None:
    carry_out(small(tmp_path, "transformer"), tmp_path / "run")
    folder = tmp_path / "run" / "model"
    config = json.loads((folder / "config.json").read_text())

    def refused(changed: dict[str, Any], complaint: str) -> None:
        (folder / "config.json").write_text(json.dumps(changed))
        with pytest.raises(ArtifactError, match=complaint):
            load_responder(folder)

    refused(config | {"kind": "annotator"}, "'annotator'; 'responder' is needed here")
    refused(config | {"format": 99}, "is of format 99")
    settings = config["settings"]
    refused(config | {"settings": settings | {"rank": 3}}, "not the settings of a responder of this version")
    deeper = settings["model"] | {"sizes": settings["model"]["sizes"] | {"layers": 2}}
    refused(config | {"settings": settings | {"model": deeper}}, "its weights do not fit a transformer")
    (folder / "config.json").write_text(json.dumps(config))
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"]["<start>"] = tokenizer["model"]["vocab"].pop("<begin>")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(ArtifactError, match="the vocabulary of another sort of model"):
        load_responder(folder)


def test_a_run_begins_with_the_vocabulary_and_the_weights_of_another(tmp_path: Path) -> None:
    carry_out(small(tmp_path, "meed2-transformer"), tmp_path / "first")
    finer = small(tmp_path, "meed2")
    changes = (f'begin_from="{tmp_path / "first"}"', "training.rate=1e-9", "training.epochs=1")
    carry_out(finer, tmp_path / "second", *changes)
    first, second = (load_responder(tmp_path / name / "model") for name in ("first", "second"))
    assert first.layout.vocabulary.dumped() == second.layout.vocabulary.dumped()
    there, then = first.model.own_weights(), second.model.own_weights()
    assert torch.equal(there["input.tokens.weight"], then["input.tokens.weight"])
    assert set(then) - set(there)
    assert not msgspec.to_builtins(first.settings.model)["intents"]


def test_a_predictor_of_intents_that_nobody_gave_is_refused_with_what_to_do(tmp_path: Path) -> None:
    recipe = small(tmp_path, "meed2", corpora=["sample"], measured_on="sample")
    with pytest.raises(DataError, match=r"none of the responses has an emotion or intent.*set data\.intents"):
        carry_out(recipe, tmp_path / "run")


def test_word_vectors_are_for_words(tmp_path: Path) -> None:
    vectors = tmp_path / "glove.txt"
    vectors.write_text("the 1 0 0\nand 0 1 0\n")
    with pytest.raises(UsageError, match="word vectors are for models of whole words"):
        carry_out(small(tmp_path, "meed2"), tmp_path / "run", f'vocabulary.vectors="{vectors}"')
    carry_out(small(tmp_path, "moel"), tmp_path / "moel", f'vocabulary.vectors="{vectors}"', "training.rate=1e-9")
    trained = load_responder(tmp_path / "moel" / "model")
    rows = trained.layout.vocabulary.rows()
    table = trained.model.own_weights()["embedding.table.weight"]
    the, other = table[rows["the"]], table[rows["and"]]
    assert float(the.norm()) == pytest.approx(1, abs=1e-2)
    assert float(the @ other) == pytest.approx(0, abs=1e-2)
