"""The log of a training: a line of JSON for what happened, in order, as if it had never been interrupted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

__all__ = ["Log"]


class Log:
    """Opened for a training that goes on from a step: what lies behind that step happens again and is cut off."""

    def __init__(self, path: Path, step: int, *, writes: bool) -> None:
        """Sets out.

        Args:
            path: The file.
            step: How far the training has come.
            writes: Whether this process is the one that writes it.
        """
        self.path = path
        self.step = step
        self.writes = writes

    def __enter__(self) -> Log:
        if self.writes:
            kept = [line for line in self._lines() if msgspec.json.decode(line)["step"] <= self.step]
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.file = self.path.open("wb")
            self.file.writelines(line + b"\n" for line in kept)
        return self

    def _lines(self) -> list[bytes]:
        """The whole lines; one without its end was cut off by a kill."""
        if not self.path.is_file():
            return []
        return [line for line in self.path.read_bytes().split(b"\n")[:-1] if line]

    def write(self, entry: dict[str, Any]) -> None:
        """Adds a line."""
        if self.writes:
            self.file.write(msgspec.json.encode(entry) + b"\n")

    def flush(self) -> None:
        """Hands all lines over to the system."""
        if self.writes:
            self.file.flush()

    def __exit__(self, *_: object) -> None:
        if self.writes:
            self.file.close()
