"""Valence, arousal and dominance by a lexicon that the user supplies, in the layouts of NRC-VAD.

Mohammad 2018: `word<TAB>valence<TAB>arousal<TAB>dominance`, with a heading, from 0 to 1 (from -1 to 1 since its second
version); or a JSON object of words with their three numbers, as the code of several papers carries it.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from empathic.errors import DataError, UsageError
from empathic.storage import data_folder
from empathic.taxonomy import Polarity
from empathic.text import tidy, words

__all__ = ["Lexicon", "Tone", "find_lexicon", "read_lexicon"]

PLACES = ("nrc_vad/VAD.json", "nrc_vad/NRC-VAD-Lexicon.txt", "nrc_vad/NRC-VAD-Lexicon-v2.1.txt")
MIDDLE = 0.5


class Tone(NamedTuple):
    """The means over the words of a text that the lexicon knows, from 0 to 1."""

    valence: float
    arousal: float
    dominance: float

    @property
    def polarity(self) -> Polarity | None:
        """What the valence leans to."""
        return None if self.valence == MIDDLE else "positive" if self.valence > MIDDLE else "negative"


class Lexicon:
    """Words with their tone."""

    def __init__(self, tones: dict[str, Tone]) -> None:
        self.tones = tones

    def tone(self, text: str) -> Tone | None:
        """The tone of a text; None where it has no word that the lexicon knows."""
        found = [tone for word in words(tidy(text).lower()) if (tone := self.tones.get(word)) is not None]
        if not found:
            return None
        return Tone(*(statistics.fmean(column) for column in zip(*found, strict=True)))


def find_lexicon() -> Path | None:
    """A lexicon among the data, where one lies there."""
    return next((file for place in PLACES if (file := data_folder() / place).is_file()), None)


def read_lexicon(path: Path) -> Lexicon:
    """Reads a lexicon; the first thing in it that is wrong is a `DataError` with its place."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"there is no lexicon {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read: {error}") from error
    found = dict(_of_json(path, text) if text.lstrip()[:1] == "{" else _of_lines(path, text))
    if not found:
        raise DataError(f"{path}: holds no words")
    if any(number < 0 for tone in found.values() for number in tone):
        found = {word: Tone(*((number + 1) / 2 for number in tone)) for word, tone in found.items()}
    return Lexicon(found)


def _of_json(path: Path, text: str) -> Iterator[tuple[str, Tone]]:
    try:
        tones = msgspec.json.decode(text, type=dict[str, tuple[float, float, float]])
    except msgspec.MsgspecError as error:
        raise DataError(f"{path}: not an object of words with three numbers each: {error}") from error
    for word, numbers in tones.items():
        yield word.lower(), _tone(str(path), word, numbers)


def _of_lines(path: Path, text: str) -> Iterator[tuple[str, Tone]]:
    for number, line in enumerate(text.splitlines(), 1):
        word, *numbers = line.split("\t")
        if not line.strip() or (number == 1 and word.lower() in ("word", "term")):
            continue
        try:
            valence, arousal, dominance = map(float, numbers)
        except ValueError:
            raise DataError(f"{path}:{number}: not a word and three numbers, parted by tabs") from None
        yield word.lower(), _tone(f"{path}:{number}", word, (valence, arousal, dominance))


def _tone(place: str, word: str, numbers: tuple[float, float, float]) -> Tone:
    if not all(-1 <= number <= 1 for number in numbers):
        raise DataError(f"{place}: {word!r} has a number that is not between -1 and 1")
    return Tone(*numbers)
