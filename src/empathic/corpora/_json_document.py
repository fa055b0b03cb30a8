"""A JSON document read piece by piece, so that a large one takes no more memory than its largest member."""

from __future__ import annotations

import json
from typing import IO, Any

__all__ = ["JsonDocument"]

CHUNK = 1 << 16


class JsonDocument:
    """JSON text that is read as far as it is needed; what has been dealt with is let go."""

    def __init__(self, file: IO[str]) -> None:
        self.file = file
        self.text = ""
        self.at = 0
        self.line = 1
        self.ended = False
        self._decode = json.JSONDecoder().raw_decode

    def more(self) -> None:
        """Reads on, as much again as is here, and forgets what lies behind."""
        read = self.file.read(max(CHUNK, len(self.text) - self.at))
        self.ended = not read
        self.line += self.text.count("\n", 0, self.at)
        self.text = self.text[self.at :] + read
        self.at = 0

    def place(self, position: int) -> int:
        """The line of a position in the text that is here."""
        return self.line + self.text.count("\n", 0, position)

    def peek(self) -> str:
        """The next character that is no white space; nothing at the end."""
        while True:
            end = len(self.text)
            while self.at < end and self.text[self.at] in " \t\n\r":
                self.at += 1
            if self.at < end or self.ended:
                return self.text[self.at : self.at + 1]
            self.more()

    def take(self, mark: str) -> None:
        if self.peek() != mark:
            raise json.JSONDecodeError(f"expected {mark!r}", self.text, self.at)
        self.at += 1

    def value(self) -> Any:
        """The next value, whole."""
        self.peek()
        while True:
            try:
                value, end = self._decode(self.text, self.at)
            except json.JSONDecodeError:
                if self.ended:
                    raise
            else:
                # A number at the end of what is here may go on.
                if end < len(self.text) or self.ended:
                    self.at = end
                    return value
            self.more()
