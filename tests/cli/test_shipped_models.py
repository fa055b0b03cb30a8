"""What comes with the package is listed with its licence, found by its name, and used where nothing else is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from empathic.annotators import annotate
from empathic.artifacts import shipped_models, verify_model
from empathic.artifacts.shipped import shipped_folder

Run = Callable[..., tuple[int, str, str]]
MOST_BYTES, MOST_BYTES_A_FILE = 100_000_000, 25_000_000


@pytest.fixture
def shipped(tiny_annotators: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package, with models that know nothing."""
    shutil.copytree(tiny_annotators, tmp_path / "pretrained" / "annotators")
    for place in ("artifacts.shipped", "annotators.annotator"):
        monkeypatch.setattr(f"empathic.{place}.shipped_folder", lambda: tmp_path / "pretrained")


def test_shipped_models_are_listed_with_their_licences_and_found_by_name(shipped: None, program: Run) -> None:
    _, out, _ = program("models", "list", "--json")
    listed = {each["name"]: each for each in json.loads(out)}
    assert (listed["annotators/cause"]["licence"], listed["annotators/cause"]["where"]) == ("none", "shipped")
    code, out, _ = program("models", "verify", "annotators/cause", "--json")
    assert (code, json.loads(out)) == (0, {"model": "annotators/cause", "defects": []})
    assert json.loads(program("models", "show", "annotators/cause", "--json")[1])["kind"] == "annotator"


def test_shipped_annotators_are_what_is_used(shipped: None) -> None:
    (annotated,) = annotate("I won!", device="cpu", factors=["emotion"])
    assert annotated.turns[0].factors is not None


def test_what_really_comes_with_the_package_is_whole_and_small() -> None:
    files = [file for file in shipped_folder().rglob("*") if file.is_file()] if shipped_folder().is_dir() else []
    assert sum(file.stat().st_size for file in files) <= MOST_BYTES
    assert max((file.stat().st_size for file in files), default=0) <= MOST_BYTES_A_FILE
    for folder in shipped_models().values():
        assert verify_model(folder) == []
        assert {file.suffix for file in folder.iterdir()} <= {".json", ".safetensors", ".md"}
