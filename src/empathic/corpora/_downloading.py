"""Downloading a corpus: with progress, resumed where it broke off, verified where the authors give a checksum."""

from __future__ import annotations

import fnmatch
import hashlib
import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from empathic.corpora._registry import Corpus, Download
from empathic.errors import DownloadError, UsageError
from empathic.storage import whole_file

__all__ = ["Advance", "download"]

Advance = Callable[[str, int, int | None], None]
"""Told of a file's name, how many of its bytes are here, and how many there are if that is known."""
CHUNK = 1 << 16
ATTEMPTS = 4


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
    if not corpus.downloads:
        raise UsageError(
            f"{corpus.name} is not published for download",
            remedy=f"see {corpus.home} and put it into {corpus.folder_path()}",
        )
    folder = folder or corpus.folder_path()
    files = []
    for each in corpus.downloads:
        targets = [folder / each.to / name for name in each.unpack] if each.unpack else [folder / each.to]
        if again or not all(target.is_file() for target in targets):
            try:
                _fetch(each, targets, advance or (lambda *_: None))
            except DownloadError as error:
                wanted = ", ".join(str(target) for target in targets)
                raise DownloadError(
                    error.message, remedy=f"or get {each.url} by other means and put here: {wanted}"
                ) from error
        files += targets
    return files


def _fetch(each: Download, targets: list[Path], advance: Advance) -> None:
    name = PurePosixPath(each.url).name
    partial = targets[0].parent / f".{name}.part"
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DownloadError(f"{partial.parent}: cannot be made: {error.strerror}") from error
    _resume(each.url, partial, name, advance)
    if each.sha256 is not None:
        with partial.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != each.sha256:
            partial.unlink()
            raise DownloadError(f"{each.url}: what came is not what was published: sha256 {found}, not {each.sha256}")
    if each.unpack:
        _unpack(partial, each, targets)
        partial.unlink()
    else:
        partial.replace(targets[0])


def _resume(url: str, partial: Path, name: str, advance: Advance) -> None:
    """Fetches into `partial`, going on from what stands there; several attempts, as long as each brings something."""
    import httpx

    for attempt in range(ATTEMPTS):
        here = partial.stat().st_size if partial.is_file() else 0
        try:
            _stream(url, partial, here, name, advance)
        except httpx.TransportError as error:
            now = partial.stat().st_size if partial.is_file() else 0
            if now <= here or attempt == ATTEMPTS - 1:
                raise DownloadError(f"{url} cannot be reached: {str(error) or type(error).__name__}") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise DownloadError(f"{url} cannot be fetched: {error}") from error
        else:
            return


def _stream(url: str, partial: Path, here: int, name: str, advance: Advance) -> None:
    import httpx

    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={here}-"} if here else {})
    with httpx.stream("GET", url, headers=headers, follow_redirects=True, timeout=30) as response:
        if here and response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            partial.unlink()
            return _stream(url, partial, 0, name, advance)
        if response.is_error:
            raise DownloadError(f"{url}: the server answers {response.status_code} {response.reason_phrase}")
        continued = response.status_code == httpx.codes.PARTIAL_CONTENT
        here = here if continued else 0
        length = response.headers.get("Content-Length", "")
        total = here + int(length) if length.isdigit() else None
        with partial.open("ab" if continued else "wb") as file:
            for chunk in response.iter_raw(CHUNK):
                file.write(chunk)
                here += len(chunk)
                advance(name, here, total)
    return None


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
