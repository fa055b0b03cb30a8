"""Files and folders are written whole or not at all, whatever becomes of the process."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from empathic.errors import DataError
from empathic.storage import cache_folder, data_folder, whole_file, whole_folder

FILE_WRITER = """
import sys, time
from pathlib import Path
from empathic.storage import whole_file
with whole_file(Path(sys.argv[1])) as file:
    file.write(b"half of the new")
    file.flush()
    print("ready", flush=True)
    time.sleep(60)
"""
FOLDER_WRITER = """
import sys, time
from pathlib import Path
from empathic.storage import whole_folder
with whole_folder(Path(sys.argv[1])) as folder:
    (folder / "half").write_text("of the new")
    print("ready", flush=True)
    time.sleep(60)
"""
RESTLESS_WRITER = """
import sys
from itertools import cycle
from pathlib import Path
from empathic.storage import whole_file
for letter in cycle((b"a", b"b")):
    with whole_file(Path(sys.argv[1])) as file:
        file.write(letter * 300_000)
    print("ready", flush=True)
"""


@pytest.mark.parametrize(("variable", "folder"), [("EMPATHIC_DATA", data_folder), ("EMPATHIC_CACHE", cache_folder)])
def test_a_folder_is_the_one_that_the_environment_names(
    monkeypatch: pytest.MonkeyPatch, variable: str, folder: Callable[[], Path]
) -> None:
    monkeypatch.setenv(variable, "~/elsewhere")
    monkeypatch.setenv("HOME", "/home/ida")
    assert folder() == Path("/home/ida/elsewhere")


@pytest.mark.parametrize(
    ("variable", "home", "folder"),
    [("EMPATHIC_DATA", "XDG_DATA_HOME", data_folder), ("EMPATHIC_CACHE", "XDG_CACHE_HOME", cache_folder)],
)
def test_a_folder_is_the_user_s_by_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, home: str, folder: Callable[[], Path]
) -> None:
    monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(home, str(tmp_path))
    assert folder() == tmp_path / "empathic"


def test_a_file_is_there_when_its_block_ends_and_not_before(tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder" / "target"
    with whole_file(target) as file:
        file.write(b"all of it")
        assert not target.exists()
    assert target.read_bytes() == b"all of it"
    assert names_in(target.parent) == ["target"]


def test_a_file_whose_block_fails_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="on purpose"), whole_file(target):
        raise RuntimeError("on purpose")
    assert target.read_bytes() == b"old"
    assert names_in(tmp_path) == ["target"]


def test_a_folder_is_there_when_its_block_ends_and_not_before(tmp_path: Path) -> None:
    target = tmp_path / "target"
    with whole_folder(target) as unfinished:
        (unfinished / "file").write_text("new")
        assert not target.exists()
    assert (target / "file").read_text() == "new"
    assert names_in(tmp_path) == ["target"]


def test_a_folder_replaces_the_old_one_entirely(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (target / "old").touch()
    with whole_folder(target) as unfinished:
        (unfinished / "new").touch()
    assert names_in(target) == ["new"]
    assert names_in(tmp_path) == ["target"]


def test_a_folder_whose_block_fails_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (target / "old").touch()
    with pytest.raises(RuntimeError, match="on purpose"), whole_folder(target):
        raise RuntimeError("on purpose")
    assert names_in(target) == ["old"]
    assert names_in(tmp_path) == ["target"]


@pytest.mark.parametrize("before", [None, b"old"], ids=["where none was", "over an old one"])
def test_a_writer_of_a_file_that_is_killed_leaves_the_old_one_or_none(
    tmp_path: Path, kill_at_work: Callable[..., int], before: bytes | None
) -> None:
    target = tmp_path / "target"
    if before is not None:
        target.write_bytes(before)
    kill_at_work(FILE_WRITER, target)
    assert (target.read_bytes() if target.exists() else None) == before


@pytest.mark.parametrize("before", [False, True], ids=["where none was", "over an old one"])
def test_a_writer_of_a_folder_that_is_killed_leaves_the_old_one_or_none(
    tmp_path: Path, kill_at_work: Callable[..., int], before: bool
) -> None:
    target = tmp_path / "target"
    if before:
        target.mkdir()
        (target / "old").touch()
    kill_at_work(FOLDER_WRITER, target)
    assert (names_in(target) if target.exists() else None) == (["old"] if before else None)


@pytest.mark.parametrize("program", [FILE_WRITER, FOLDER_WRITER], ids=["file", "folder"])
def test_what_a_dead_writer_left_is_cleared_by_the_next(
    tmp_path: Path, kill_at_work: Callable[..., int], program: str
) -> None:
    target = tmp_path / "target"
    process = kill_at_work(program, target)
    assert names_in(tmp_path) == [f".target.{process}.partial"]
    with whole_file(target) as file:
        file.write(b"new")
    assert names_in(tmp_path) == ["target"]


def test_what_a_living_writer_has_begun_is_left_alone(tmp_path: Path) -> None:
    living = tmp_path / f".target.{os.getppid()}.partial"
    living.touch()
    with whole_file(tmp_path / "target"):
        pass
    assert living.exists()


def test_what_belongs_to_another_target_is_left_alone(tmp_path: Path, kill_at_work: Callable[..., int]) -> None:
    kill_at_work(FILE_WRITER, tmp_path / "other")
    with whole_file(tmp_path / "target"):
        pass
    assert len(names_in(tmp_path)) == 2


@pytest.mark.parametrize("delay", [0.0, 0.007, 0.019])
def test_a_file_is_whole_whenever_its_writer_is_killed(
    tmp_path: Path, kill_at_work: Callable[..., int], delay: float
) -> None:
    target = tmp_path / "target"
    kill_at_work(RESTLESS_WRITER, target, after=delay)
    assert target.read_bytes() in (b"a" * 300_000, b"b" * 300_000)


@pytest.mark.parametrize("name", ["file/below", "folder", "x" * 250], ids=["below a file", "a folder", "long name"])
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match=f"{name}: cannot be written: "), whole_file(tmp_path / name):
        pass


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


KILLED_BETWEEN = """
import os, sys, time
from pathlib import Path
from empathic.storage import whole_folder

rename = Path.rename
def last(self, target):
    if self.name.endswith(f".{os.getpid()}.partial"):
        print("ready", flush=True)
        time.sleep(60)
    return rename(self, target)

Path.rename = last
with whole_folder(Path(sys.argv[1])) as folder:
    (folder / "part").write_text("new")
"""


def test_an_old_folder_taken_away_by_a_writer_that_was_killed_comes_back(
    tmp_path: Path, kill_at_work: Callable[..., int]
) -> None:
    target = tmp_path / "model"
    target.mkdir()
    (target / "part").write_text("old")
    kill_at_work(KILLED_BETWEEN, target)
    with pytest.raises(RuntimeError), whole_folder(target):
        raise RuntimeError
    assert (target / "part").read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("write", [whole_file, whole_folder])
def test_a_disk_that_is_full_is_the_file_s_trouble(tmp_path: Path, write: Any) -> None:
    target = tmp_path / "target"
    with pytest.raises(DataError, match="target: cannot be written: No space left on device"), write(target):
        raise OSError(errno.ENOSPC, "wherever it was met")
    assert list(tmp_path.iterdir()) == []
