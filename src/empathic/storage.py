"""Where files live, and how they are written: whole, or not at all.

A file or folder under construction stands beside its target under a hidden name that carries the writer's process
number. It replaces the target in one step at the end, so that a process killed at any moment leaves the old one or
none; what dead writers left behind is cleared by the next one.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from empathic.errors import DataError

__all__ = ["bases_folder", "cache_folder", "data_folder", "whole_file", "whole_folder"]


def data_folder() -> Path:
    """Where corpora are looked for and downloaded to: `EMPATHIC_DATA`, or the user's data folder."""
    named = os.environ.get("EMPATHIC_DATA")
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("empathic")


def cache_folder() -> Path:
    """Where what can be made or fetched again is kept: `EMPATHIC_CACHE`, or the user's cache folder."""
    named = os.environ.get("EMPATHIC_CACHE")
    if named:
        return Path(named).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("empathic")


def bases_folder() -> Path | None:
    """Where the user keeps base weights: `EMPATHIC_BASES`, if that is set."""
    named = os.environ.get("EMPATHIC_BASES")
    return Path(named).expanduser() if named else None


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A binary file to write to; it becomes `path` when the block ends well and vanishes when it does not."""
    partial = _partial(path)
    with _to_be_written(path):
        opened = partial.open("wb")
    try:
        with _room_for(path), opened as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with _to_be_written(path):
            partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """An empty folder to fill; it becomes `path` when the block ends well and vanishes when it does not."""
    partial = _partial(path)
    with _to_be_written(path):
        partial.mkdir()
    try:
        with _room_for(path):
            yield partial
        if path.exists():
            old = path.with_name(f".{path.name}.{os.getpid()}.old.partial")
            path.rename(old)
            partial.rename(path)
            shutil.rmtree(old)
        else:
            partial.rename(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _partial(path: Path) -> Path:
    """The hidden name beside `path` for this process, with leftovers of dead processes cleared."""
    pattern = re.compile(rf"\.{re.escape(path.name)}\.(\d+)(\.old)?\.partial")
    with _to_be_written(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        for sibling in path.parent.iterdir():
            match = pattern.fullmatch(sibling.name)
            if match and not _alive(int(match[1])):
                if (
                    match[2] and not path.exists()
                ):  # killed between taking the old one away and putting the new one there
                    sibling.rename(path)
                else:
                    shutil.rmtree(sibling) if sibling.is_dir() else sibling.unlink(missing_ok=True)
    return path.with_name(f".{path.name}.{os.getpid()}.partial")


@contextmanager
def _room_for(path: Path) -> Iterator[None]:
    """A disk that is full, or fails, while something is being written is the file's trouble, whoever meets it."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
            raise
        raise DataError(f"{path}: cannot be written: {os.strerror(error.errno)}") from error


@contextmanager
def _to_be_written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(f"{path}: cannot be written: {error.strerror}") from error


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OverflowError, OSError):
        return True
    return True
