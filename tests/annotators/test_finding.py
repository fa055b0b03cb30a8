"""Annotators are found by what they say of themselves, wherever they were put; what is not clear is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from empathic.annotators import Annotator
from empathic.annotators.annotator import factors_there
from empathic.errors import ArtifactError, UsageError

Lay = Callable[[str, str], Path]


@pytest.fixture
def lay(tiny_annotators: Path, tmp_path: Path) -> Lay:
    """Puts the annotator for a reading into a place below `tmp_path`."""

    def put(reading: str, place: str) -> Path:
        target = tmp_path / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(tiny_annotators / reading)
        return target

    return put


def folders(models: Path, *factors: str) -> dict[str, Path]:
    return Annotator(factors or None, models=models, device="cpu").folders


def test_a_model_folder_is_what_it_says(lay: Lay) -> None:
    folder = lay("utterance", "mine")
    assert folders(folder) == {"utterance": folder}


def test_of_a_run_it_is_the_model(lay: Lay, tmp_path: Path) -> None:
    folder = lay("utterance", "run/model")
    assert folders(tmp_path / "run") == {"utterance": folder}


def test_in_a_folder_each_is_found_whatever_it_is_called(lay: Lay, tmp_path: Path) -> None:
    there = {
        "utterance": lay("utterance", "all/small-one"),
        "exchange": lay("exchange", "all/exchange-minilm/model"),
    }
    (tmp_path / "all" / "notes.txt").write_text("What I trained.")
    (tmp_path / "all" / "begun").mkdir()
    assert folders(tmp_path / "all") == there


def test_of_several_for_a_reading_the_one_of_its_name_is_used(lay: Lay, tmp_path: Path) -> None:
    lay("utterance", "all/a")
    named = lay("utterance", "all/utterance/model")
    lay("utterance", "all/z/model")
    assert folders(tmp_path / "all") == {"utterance": named}


def test_several_for_a_reading_without_its_name_are_refused_where_it_is_needed(lay: Lay, tmp_path: Path) -> None:
    lay("exchange", "all/exchange-minilm/model")
    lay("exchange", "all/exchange-mpnet")
    lay("utterance", "all/utterance")
    with pytest.raises(UsageError, match=r"reading 'exchange': exchange-minilm/model, exchange-mpnet \("):
        folders(tmp_path / "all")
    assert set(folders(tmp_path / "all", "emotion")) == {"utterance"}


def test_a_named_folder_without_an_annotator_is_an_error_and_leaves_nothing_to_the_lexicon(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("Word\tValence\tArousal\tDominance\nhappy\t0.9\t0.6\t0.7\n")
    with pytest.raises(ArtifactError, match="holds no trained annotator"):
        factors_there(tmp_path, tmp_path / "words.txt")
    with pytest.raises(ArtifactError, match="holds no trained annotator"):
        Annotator(["tone"], models=tmp_path, lexicon=tmp_path / "words.txt")
