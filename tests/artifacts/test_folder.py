"""Model folders: saved whole, loaded back, refused with the reason."""

import json
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from empathic.artifacts import Manifest, load_model, read_manifest, save_model, verify_model
from empathic.artifacts.folder import SHARD_BYTES
from empathic.errors import ArtifactError

MANIFEST = Manifest(kind="annotator", name="tiny", licence="Apache-2.0", settings={"width": 4})
TENSORS = {"weight": torch.arange(12.0).view(3, 4), "bias": torch.ones(3, dtype=torch.float16), "step": torch.tensor(7)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_model(tmp_path / "tiny", MANIFEST, TENSORS, tokenizer="{}", card="# tiny\n")
    return tmp_path / "tiny"


def test_a_saved_model_loads_back_whole(folder: Path) -> None:
    artifact = load_model(folder, kind="annotator")
    assert artifact.manifest.settings == {"width": 4}
    assert artifact.card == "# tiny\n"
    assert artifact.tokenizer_file.read_text() == "{}"
    assert artifact.tensors.keys() == TENSORS.keys()
    for name, tensor in TENSORS.items():
        assert torch.equal(artifact.tensors[name], tensor)
        assert artifact.tensors[name].dtype == tensor.dtype


def test_large_weights_lie_in_shards_below_the_limit_and_come_back_in_one_piece(tmp_path: Path) -> None:
    generator = torch.Generator().manual_seed(0)
    large = {
        "embedding": torch.randn(9_000, 1_000, generator=generator),
        "head": torch.randn(1_000, 1_000, generator=generator),
        "one row": torch.randn(1, 7_000_000, generator=generator),
    }
    save_model(tmp_path / "large", MANIFEST, large, card="")
    shards = list((tmp_path / "large").glob("*.safetensors"))
    assert len(shards) > 1
    assert max(shard.stat().st_size for shard in shards) < SHARD_BYTES + 100_000 < 25_000_000
    loaded = load_model(tmp_path / "large", kind="annotator").tensors
    assert all(torch.equal(loaded[name], large[name]) for name in large)


def test_saving_again_replaces_the_old_folder(folder: Path) -> None:
    save_model(folder, MANIFEST, {"other": torch.zeros(1)}, card="new")
    assert list(load_model(folder, kind="annotator").tensors) == ["other"]
    assert not (folder / "tokenizer.json").exists()
    assert [each.name for each in folder.parent.iterdir()] == [folder.name]


def test_a_model_of_another_kind_is_refused_by_name(folder: Path) -> None:
    with pytest.raises(ArtifactError, match="kind 'annotator'; 'ranker' is needed"):
        load_model(folder, kind="ranker")


def test_a_folder_of_another_format_is_refused(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"format": 99}))
    with pytest.raises(ArtifactError, match="format 99; this version reads format 1"):
        read_manifest(folder)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.ckpt", "model.pkl"])
def test_pickles_are_refused_with_the_reason_and_never_opened(tmp_path: Path, name: str) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (str(tmp_path / "exploded"),)

    folder = tmp_path / "model"
    folder.mkdir()
    (folder / name).write_bytes(pickle.dumps(Bomb()))
    for path in (folder, folder / name):
        with pytest.raises(ArtifactError, match="pickled weights can run any program"):
            load_model(path, kind="annotator")
    assert not (tmp_path / "exploded").exists()


def test_a_truncated_shard_is_named(folder: Path) -> None:
    shard = folder / "model.safetensors"
    shard.write_bytes(shard.read_bytes()[:-5])
    with pytest.raises(ArtifactError, match=r"model\.safetensors: damaged"):
        load_model(folder, kind="annotator")


def test_a_missing_shard_is_named(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(ArtifactError, match=r"model\.safetensors is missing"):
        load_model(folder, kind="annotator")


def test_verifying_finds_changed_missing_and_foreign_files(folder: Path) -> None:
    assert verify_model(folder) == []
    (folder / "README.md").write_text("changed")
    (folder / "tokenizer.json").unlink()
    (folder / "stranger.txt").write_text("")
    wrong = verify_model(folder)
    assert [line.partition(": ")[2] for line in wrong] == [
        "not the file that was saved",
        "missing",
        "not part of the model",
    ]


@pytest.mark.parametrize("config", [b"", b"{", b"[]", b'{"kind": 3}', b"\xff\xfe", b'{"kind": "a"}'])
def test_a_damaged_configuration_is_an_error_with_its_place(folder: Path, config: bytes) -> None:
    (folder / "config.json").write_bytes(config)
    with pytest.raises(ArtifactError, match=r"config\.json"):
        read_manifest(folder)


def test_shards_outside_the_folder_are_never_read(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder.parent / "outside.safetensors").write_bytes((folder / "model.safetensors").read_bytes())
    config["sha256"] = {"../outside.safetensors": "0" * 64}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ArtifactError, match="is missing"):
        load_model(folder, kind="annotator")


def test_a_save_that_is_killed_leaves_the_old_model_or_none(folder: Path) -> None:
    program = f"""
import torch
from pathlib import Path
from empathic.artifacts import Manifest, save_model
manifest = Manifest(kind="annotator", name="tiny", licence="Apache-2.0")
print("ready", flush=True)
while True:
    save_model(Path({str(folder)!r}), manifest, {{"weight": torch.ones(400, 400)}}, card="new")
"""
    for wait in (0.0, 0.003, 0.011):
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait)
        process.kill()
        process.wait()
        process.stdout.close()
        if folder.exists():
            assert verify_model(folder) == []
        save_model(folder, MANIFEST, TENSORS, card="# tiny\n")
        assert [each.name for each in folder.parent.iterdir()] == [folder.name]
