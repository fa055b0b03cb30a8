"""What the tests of the program share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from empathic.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def own_folders(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's is read or written: no data, no cache, no configuration."""
    monkeypatch.setenv("EMPATHIC_DATA", str(published))
    monkeypatch.setenv("EMPATHIC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("EMPATHIC_DEBUG", "")
    monkeypatch.delenv("EMPATHIC_DEBUG")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def program(own_folders: None, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `empathic ...` and returns its exit code, its output and its notes."""

    def run_program(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([*map(str, arguments)])
        captured = capsys.readouterr()
        return int(ended.value.code or 0), captured.out, captured.err

    return run_program


@pytest.fixture
def run(program: Run) -> Run:
    """Runs `empathic data ...`."""
    return partial(program, "data")
