"""Word vectors in GloVe's text layout, of any width, and texts matched by them."""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from empathic.errors import DataError, UsageError
from empathic.storage import data_folder

__all__ = ["WordVectors", "find_vectors", "greedy_matching", "read_vectors"]

FOLDER = "glove"
ENDINGS = (".txt", ".txt.gz")


class WordVectors:
    """A vector of length 1 for every word that is known."""

    def __init__(self, numbers: dict[str, int], matrix: NDArray[np.float32]) -> None:
        """Takes words in.

        Args:
            numbers: The row of every word.
            matrix: The vectors; they are brought to length 1.
        """
        self.numbers = numbers
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        self.matrix = matrix / np.maximum(lengths, 1e-12)

    @property
    def width(self) -> int:
        return int(self.matrix.shape[1])

    def of(self, text: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of the words that are known, one a row."""
        known = [number for word in text if (number := self.numbers.get(word)) is not None]
        found: NDArray[np.float32] = self.matrix[known]
        return found


def greedy_matching(one: Sequence[str], other: Sequence[str], vectors: WordVectors) -> float:
    """Rus & Lintean 2012: each word with the most alike of the other text, mean over words and then both directions.

    Words without a vector do not count; a text without any matches nothing.
    """
    first, second = vectors.of(one), vectors.of(other)
    if not len(first) or not len(second):
        return 0.0
    alike = first @ second.T
    return float((alike.max(1).mean() + alike.max(0).mean()) / 2)


def find_vectors() -> Path | None:
    """Word vectors among the data, where some lie there."""
    folder = data_folder() / FOLDER
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    return next((file for file in files if file.name.endswith(ENDINGS)), None)


def read_vectors(path: Path, wanted: Collection[str] | None = None) -> WordVectors:
    """Reads a file of lines `word number number ...`; the first line that is none is a `DataError` with its place.

    Args:
        path: The file, packed with gzip or not.
        wanted: The words that are needed; all of the file by default.
    """
    numbers: dict[str, int] = {}
    rows: list[NDArray[np.float32]] = []
    width = 0
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            word, _, rest = line.rstrip("\n").partition(" ")
            if not rest or word in numbers or (wanted is not None and word not in wanted):
                continue
            try:
                row = np.array(rest.split(" "), np.float32)
            except ValueError:
                raise DataError(f"{path}:{number}: not a word and its numbers, parted by spaces") from None
            if number == 1 and len(row) == 1:
                continue  # the heading of word2vec's layout: how many words, how many numbers
            width = width or len(row)
            if len(row) != width:
                raise DataError(f"{path}:{number}: {len(row)} numbers where the lines before have {width}")
            numbers[word] = len(rows)
            rows.append(row)
    return WordVectors(numbers, np.stack(rows) if rows else np.zeros((0, 1), np.float32))


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8", errors="replace") as file:
            yield file
    except FileNotFoundError:
        raise UsageError(f"there are no word vectors {path}") from None
    except (OSError, EOFError) as error:
        raise DataError(f"{path}: cannot be read: {error}") from error
