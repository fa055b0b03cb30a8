"""The corpora that are known by name: what each is, where it is to be had, and how its files are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from empathic.corpora._source import Defect, Report, Source
from empathic.dialogue import Dialogue, Inference
from empathic.errors import DataError, UsageError, nearest
from empathic.storage import data_folder

__all__ = ["Corpus", "Download", "Layout", "corpus", "find", "is_called", "is_known", "known"]

Reader = Callable[[Source], Iterator[Dialogue | Inference]]
Files = str | tuple[str, ...]
Layout = Mapping[str | None, Mapping[str, Files]]
"""Part -> split -> the files (or a pattern) that hold it, relative to the corpus's folder.

The part None is read when none is asked for. A file whose records name their splits themselves stands under all of them
("train valid test"), one without any split under "all".
"""


@dataclass(frozen=True)
class Download:
    """A file that the authors publish."""

    url: str
    to: str
    """Where it goes in the corpus's folder; for an archive, the folder its files go to."""
    sha256: str | None = None
    unpack: tuple[str, ...] = ()
    """Members of the archive that are kept, each under its own name; empty for a plain file."""


@dataclass(frozen=True)
class Corpus:
    """One corpus: its description, its layout and its reader."""

    name: str
    title: str
    holds: str
    licence: str
    citation: str
    home: str
    folder: str
    """The folder of `EMPATHIC_DATA` that it is looked for in."""
    layout: Layout
    read_file: Reader
    kind: Literal["dialogues", "inferences"] = "dialogues"
    downloads: tuple[Download, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    """The parts that may be asked for, each with what it holds."""

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits of the part that is read by default."""
        return _splits(self.layout[None])

    def folder_path(self) -> Path:
        return data_folder() / self.folder

    def is_here(self) -> bool:
        """Whether any of its files lies where it is looked for."""
        folder = self.folder_path()
        return any(_matching(folder, pattern) for patterns in self.layout[None].values() for pattern in _each(patterns))

    def sources(self, *, path: Path | None, split: str | None, part: str | None, report: Report) -> Iterator[Source]:
        """The files that hold what is asked for, under `path` or where the corpus is looked for."""
        if part is not None and part not in self.parts:
            hint = nearest(part, self.parts) if self.parts else "it has none"
            raise UsageError(f"{self.name} has no part {part!r}; {hint}")
        layout = self.layout[part]
        splits = _splits(layout)
        if split is not None and split not in splits:
            hint = nearest(split, splits) if splits else "it has none"
            raise UsageError(f"{self.name} has no split {split!r}; {hint}")
        if path is not None and path.is_file():
            yield Source(path, report, self._split_of(path, layout) or split, part)
            return
        folder = path if path is not None else self.folder_path()
        patterns = [
            (None if named == "all" or " " in named else named, pattern)
            for named, patterns in layout.items()
            if split is None or split in named.split()
            for pattern in _each(patterns)
        ]
        found = [(named, file) for named, pattern in patterns for file in _matching(folder, pattern)]
        absent = [folder / pattern for _, pattern in patterns if not _matching(folder, pattern)]
        if not found:
            raise DataError(f"{self.name}: there is no {absent[0]}", remedy=self._remedy())
        for file in absent:
            report(Defect(str(file), "there is no such file"))
        for named, file in found:
            yield Source(file, report, named, part)

    def _remedy(self) -> str:
        """How the files come to where they are looked for."""
        if Path(self.folder).is_absolute():
            return "it comes with the package: leave out --from"
        if self.downloads:
            return f"empathic data get {self.name}, or name its folder with --from"
        return f"put it there by hand: it is to be had at {self.home}"

    @staticmethod
    def _split_of(path: Path, layout: Mapping[str, Files]) -> str | None:
        """The split that a file named by the user holds, where its name tells."""
        for named, patterns in layout.items():
            if named != "all" and " " not in named:
                for pattern in _each(patterns):
                    if path.match(pattern):
                        return named
        return None


def _splits(layout: Mapping[str, Files]) -> tuple[str, ...]:
    return tuple(split for named in layout if named != "all" for split in named.split())


def _each(patterns: Files) -> tuple[str, ...]:
    return (patterns,) if isinstance(patterns, str) else patterns


def _matching(folder: Path, pattern: str) -> list[Path]:
    if "*" in pattern:
        return sorted(folder.glob(pattern))
    file = folder / pattern
    if file.is_file() or not file.parent.is_dir():
        return [file] if file.is_file() else []
    return [each for each in sorted(file.parent.iterdir()) if is_called(each, file.name) and each.is_file()]


def is_called(file: Path, published: str) -> bool:
    """Whether a file has its published name, or that name with other marks between its words, as copies often have."""
    return _bare(file.name) == _bare(published)


def _bare(name: str) -> str:
    return re.sub(r"[ _-]+", "", name)


_corpora: dict[str, Corpus] = {}


def corpus(
    *,
    name: str,
    title: str,
    holds: str,
    licence: str,
    citation: str,
    home: str,
    folder: str,
    layout: Layout | Mapping[str, Files],
    kind: Literal["dialogues", "inferences"] = "dialogues",
    downloads: tuple[Download, ...] = (),
    parts: Mapping[str, str] | None = None,
) -> Callable[[Reader], Reader]:
    """Registers the decorated function as the reader of one file of a corpus."""

    def register(read_file: Reader) -> Reader:
        by_part: Layout = layout if None in layout else {None: layout}  # type: ignore[assignment, dict-item]
        _corpora[name] = Corpus(
            name, title, holds, licence, citation, home, folder, by_part, read_file, kind, downloads, parts or {}
        )
        return read_file

    return register


def known() -> tuple[Corpus, ...]:
    """All corpora, by name."""
    return tuple(_corpora[name] for name in sorted(_corpora))


def is_known(name: str) -> bool:
    """Whether a corpus has that name."""
    return name in _corpora


def find(name: str) -> Corpus:
    """The corpus of that name, or a `UsageError` that names the nearest one."""
    if name not in _corpora:
        raise UsageError(f"no corpus is called {name!r}; {nearest(name, sorted(_corpora))}")
    return _corpora[name]
