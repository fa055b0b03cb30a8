"""One file fetched over HTTP: resumed where it broke off, but only if the server still has the same file.

What has come so far lies in a part file; a note beside it says which version of the file it is a part of. A lock on the
part keeps a second process out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from empathic.errors import DownloadError
from empathic.growing import held_file

if TYPE_CHECKING:
    import httpx

__all__ = ["Advance", "fetch"]

Advance = Callable[[str, int, int | None], None]
"""Told of a file's name, how many of its bytes are here, and how many there are if that is known."""
CHUNK = 1 << 16
ATTEMPTS = 4
PARTIAL = 206
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


class _Version(msgspec.Struct):
    """Which file a part is a part of: what the server calls this version of it, and how large it is."""

    url: str
    mark: str | None = None
    total: int | None = None


@contextmanager
def fetch(url: str, part: Path, name: str, advance: Advance, *, anew: bool = False) -> Iterator[Path]:
    """The file, whole, as `part`, which is this process's alone until the block ends.

    Args:
        url: Where it is.
        part: Where it goes while it comes; what an earlier process left there is taken up.
        name: What the progress calls it.
        advance: Told of the progress.
        anew: Whether to throw away what an earlier process left.
    """
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DownloadError(f"{part.parent}: cannot be made: {error.strerror}") from error
    try:
        with held_file(part, DownloadError(f"{part.parent}: another process is downloading this file")) as file:
            if anew:
                file.truncate(0)
            try:
                _fill(url, file, part, name, advance)
                yield part
            finally:
                if part.is_file() and not part.stat().st_size:
                    part.unlink()
                if not part.is_file():
                    _note(part).unlink(missing_ok=True)
    except OSError as error:
        raise DownloadError(f"{part}: cannot be written: {error.strerror or error}") from error


def _size(file: IO[bytes]) -> int:
    return os.fstat(file.fileno()).st_size


def _note(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _version(part: Path) -> _Version | None:
    try:
        return msgspec.json.decode(_note(part).read_bytes(), type=_Version)
    except (OSError, msgspec.MsgspecError):
        return None


def _fill(url: str, file: IO[bytes], part: Path, name: str, advance: Advance) -> None:
    """Several attempts, as long as each brings something."""
    import httpx

    for attempt in range(ATTEMPTS):
        before = _size(file)
        try:
            _stream(url, file, part, name, advance)
        except httpx.TransportError as error:
            if _size(file) <= before or attempt == ATTEMPTS - 1:
                raise DownloadError(f"{url} cannot be reached: {str(error) or type(error).__name__}") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise DownloadError(f"{url} cannot be fetched: {error}") from error
        else:
            return


def _stream(url: str, file: IO[bytes], part: Path, name: str, advance: Advance) -> None:
    import httpx

    here = _size(file)
    known = _version(part)
    if here and (known is None or known.mark is None or known.url != url):
        here = file.truncate(0)  # nobody can tell whether the rest would fit to it
    headers = {"Accept-Encoding": "identity"}
    if here and known is not None and known.mark is not None:
        headers |= {"Range": f"bytes={here}-", "If-Range": known.mark}
    with httpx.stream("GET", url, headers=headers, follow_redirects=True, timeout=30) as response:
        if here and response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            if known is not None and known.total == here:
                return None
            file.truncate(0)
            return _stream(url, file, part, name, advance)
        if response.is_error:
            raise DownloadError(f"{url}: the server answers {response.status_code} {response.reason_phrase}")
        if "text/html" in response.headers.get("Content-Type", ""):
            raise DownloadError(f"{url}: the server answers with a page for people, not with the file")
        begin, total = _extent(response, here)
        if begin != here:
            file.truncate(0)
            if begin:  # neither the rest nor all of it
                raise DownloadError(f"{url}: the server sends another part of the file than it was asked for")
        # An entity tag that is weak does not promise the same bytes.
        mark = response.headers.get("ETag", "")
        mark = mark if mark.startswith('"') else response.headers.get("Last-Modified")
        _note(part).write_bytes(msgspec.json.encode(_Version(url, mark, total)))
        here = begin
        for chunk in response.iter_raw(CHUNK):
            file.write(chunk)
            file.flush()
            here += len(chunk)
            advance(name, here, total)
    if total is not None and here != total:
        file.truncate(0)
        raise DownloadError(f"{url}: {here:,} bytes came where {total:,} were promised")
    return None


def _extent(response: httpx.Response, here: int) -> tuple[int, int | None]:
    """Which byte of the file an answer begins with, and how many the file has."""
    length = response.headers.get("Content-Length", "")
    if response.status_code != PARTIAL:
        return 0, int(length) if length.isdigit() else None
    match = _RANGE.match(response.headers.get("Content-Range", ""))
    if match is None:
        return -1, None
    return int(match[1]), int(match[2]) if match[2] != "*" else here + int(length) if length.isdigit() else None
