"""Downloading a corpus: file by file, verified where the authors give a checksum, unpacked where they packed it."""

from __future__ import annotations

import fnmatch
import hashlib
import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.parse import unquote, urlsplit

from empathic.corpora._fetching import Advance, fetch
from empathic.corpora._registry import Corpus, Download
from empathic.errors import DownloadError, UsageError
from empathic.storage import whole_file

__all__ = ["download"]


def download(
    corpus: Corpus, *, folder: Path | None = None, advance: Advance | None = None, again: bool = False
) -> list[Path]:
    """Fetches the published files of a corpus that are not here yet.

    Args:
        corpus: Which one.
        folder: Where its files go; its folder in `EMPATHIC_DATA` by default.
        advance: Told of the progress.
        again: Whether to fetch what is here already too.

    Returns:
        The files of the corpus, whether they were here or have come.
    """
    if corpus.name == "sample":
        raise UsageError("the sample comes with the package; there is nothing to download")
    if not corpus.downloads:
        raise UsageError(
            f"{corpus.name} has no files that can be fetched from here",
            remedy=f"it is to be had at {corpus.home}; put it into {corpus.folder_path()}",
        )
    folder = folder or corpus.folder_path()
    targets = {each: [folder / each.to / n for n in each.unpack] or [folder / each.to] for each in corpus.downloads}
    wanted = [each for each, files in targets.items() if again or not all(file.is_file() for file in files)]
    for number, each in enumerate(wanted):
        try:
            _fetch(each, targets[each], advance or (lambda *_: None), anew=again)
        except DownloadError as error:
            _clear_empty(folder, {file.parent for files in targets.values() for file in files})
            rest = "; ".join(
                f"{missing.url} as {', '.join(str(file) for file in targets[missing])}" for missing in wanted[number:]
            )
            raise DownloadError(error.message, remedy=f"or get by other means and put there: {rest}") from error
    return [file for files in targets.values() for file in files]


def _clear_empty(folder: Path, inner: Iterable[Path]) -> None:
    """Takes away the folders that nothing has come into."""
    for each in sorted({folder, *inner}, key=lambda place: -len(place.parts)):
        if each.is_dir() and not any(each.iterdir()):
            each.rmdir()


def _fetch(each: Download, targets: list[Path], advance: Advance, *, anew: bool) -> None:
    name = PurePosixPath(unquote(urlsplit(each.url).path)).name
    with fetch(each.url, targets[0].parent / f".{name}.part", name, advance, anew=anew) as part:
        if each.sha256 is not None:
            with part.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != each.sha256:
                part.unlink()
                raise DownloadError(
                    f"{each.url}: what came is not what was published: sha256 {found}, not {each.sha256}"
                )
        if each.unpack:
            _unpack(part, each, targets)
            part.unlink()
        else:
            part.replace(targets[0])


def _unpack(archive: Path, each: Download, targets: list[Path]) -> None:
    """Takes the wanted members out, wherever in the archive they lie, each written whole."""
    try:
        with _opened(archive, each.url) as (names, open_member):
            for wanted, target in zip(each.unpack, targets, strict=True):
                member = next((n for n in names if n == wanted or fnmatch.fnmatchcase(n, f"*/{wanted}")), None)
                if member is None:
                    raise DownloadError(f"{each.url} holds no {wanted}")
                with open_member(member) as packed, whole_file(target) as file:
                    shutil.copyfileobj(packed, file)
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError) as error:
        archive.unlink(missing_ok=True)
        raise DownloadError(f"{each.url}: what came is a damaged archive: {error}") from error


@contextmanager
def _opened(archive: Path, url: str) -> Iterator[tuple[list[str], Callable[[str], IO[bytes]]]]:
    if url.endswith(".zip"):
        with zipfile.ZipFile(archive) as zipped:
            yield zipped.namelist(), zipped.open
    else:
        with tarfile.open(archive) as tarred:

            def open_member(name: str) -> IO[bytes]:
                member = tarred.extractfile(name)
                if member is None:
                    raise DownloadError(f"{url}: {name} is no file")
                return member

            yield tarred.getnames(), open_member
