"""A file that takes long to write: it grows beside its target, and what a killed process leaves is taken up.

What has been written lies in a part file under a hidden name, locked; a note beside it says what it is made from, how
far it has come, and how many of its bytes count.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from empathic.errors import DataError, EmpathicError
from empathic.storage import whole_file

__all__ = ["Growing", "growing_file", "held_file"]


class _Progress(msgspec.Struct):
    made_from: str
    done: int = 0
    bytes: int = 0


class Growing:
    """The part file, open."""

    def __init__(self, file: IO[bytes], note: Path, progress: _Progress) -> None:
        self._file = file
        self._note = note
        self._progress = progress

    @property
    def path(self) -> Path:
        """Where what was written lies for now."""
        return Path(self._file.name)

    @property
    def done(self) -> int:
        """How many pieces of work are in it for good, those of earlier processes among them."""
        return self._progress.done

    def add(self, written: bytes, done: int) -> None:
        """Adds what that many further pieces of work have come to; from then on it counts."""
        self._file.write(written)
        self._file.flush()
        self._progress.done += done
        self._progress.bytes += len(written)
        with whole_file(self._note) as note:
            note.write(msgspec.json.encode(self._progress))


@contextmanager
def growing_file(path: Path, made_from: str) -> Iterator[Growing]:
    """What is to become `path` when the block ends well; what is there when it does not waits to be taken up.

    Args:
        path: The target.
        made_from: Changes with all that decides what is written; what another process wrote under the same is taken up.
    """
    part = path.with_name(f".{path.name}.part")
    note = part.with_name(f"{part.name}.json")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with held_file(part, DataError(f"{path}: another process is writing it")) as file:
            progress = _known(note, made_from, os.fstat(file.fileno()).st_size)
            file.truncate(progress.bytes)
            try:
                yield Growing(file, note, progress)
                os.fsync(file.fileno())
                if part.is_file():
                    part.replace(path)
            finally:
                if not part.is_file() or not progress.bytes:
                    part.unlink(missing_ok=True)
                    note.unlink(missing_ok=True)
    except BrokenPipeError:  # not the file's: whoever was told of the progress has gone
        raise
    except OSError as error:
        raise DataError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextmanager
def held_file(path: Path, refusal: EmpathicError) -> Iterator[IO[bytes]]:
    """A file open for appending that is this process's alone; the refusal is raised where it is another's."""
    while True:
        with path.open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise refusal from None
            # Whoever held the lock before may have moved the file away in the meantime.
            if path.is_file() and os.fstat(file.fileno()).st_ino == path.stat().st_ino:
                yield file
                return


def _known(note: Path, made_from: str, size: int) -> _Progress:
    """How far an earlier process has come with the same."""
    try:
        known = msgspec.json.decode(note.read_bytes(), type=_Progress)
    except (OSError, msgspec.MsgspecError):
        return _Progress(made_from)
    return known if known.made_from == made_from and known.bytes <= size else _Progress(made_from)
