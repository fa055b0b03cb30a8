"""Text, handled in one way everywhere: tidied, cut into words, folded for comparison."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["fold", "tidy", "words"]

# A word keeps its inner apostrophes and hyphens ("don't", "well-being"); every other mark stands alone.
_WORD = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f​﻿\ud800-\udfff]")
_SPACE = re.compile(r"\s+")


def tidy(text: str) -> str:
    """Composed Unicode, nothing that is no character, one space between words: how text enters a model."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()  # as most text is: what follows would find nothing to do
    return _SPACE.sub(" ", _CONTROL.sub(" ", unicodedata.normalize("NFC", text))).strip()


def words(text: str) -> list[str]:
    """Words and punctuation marks, in order, as written."""
    return _WORD.findall(text)


def fold(text: str) -> str:
    """What two texts have in common when they say the same: words alone, without case, marks or accents."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return " ".join(re.findall(r"\w+", "".join(c for c in decomposed if not unicodedata.combining(c))))
