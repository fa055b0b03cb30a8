"""Downloads are resumed, verified, unpacked, and never leave half a file under its name."""

from __future__ import annotations

import hashlib
import io
import json
import random
import socket
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from empathic import corpora
from empathic.corpora import Corpus, Download
from empathic.errors import DownloadError, UsageError

CONTENT = random.Random(0).randbytes(300_000)
KILLED = """
import sys, time
from dataclasses import replace
from pathlib import Path
from empathic import corpora

def advance(name, here, total):
    if here >= 100_000:
        print("ready", flush=True)
        time.sleep(60)

download = corpora.Download(sys.argv[1], to="file")
corpora.download(replace(corpora.find("goemotions"), downloads=(download,)), folder=Path(sys.argv[2]), advance=advance)
"""


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves bytes by their paths; answers may be made to break off, or to ignore that only a rest was asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.breaks: list[int] = []
        """After how many bytes each of the next answers breaks off."""
        self.knows_ranges = True
        self.tags: dict[str, str] = {}
        """What is said of a file's version; by default a digest of it."""
        self.types: dict[str, str] = {}
        self.lies_about_ranges = False
        """Whether an answer to a range begins elsewhere than it was asked to."""
        self.refusal = 404
        self.asked: list[tuple[str, str | None]] = []

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        asked = self.headers["Range"]
        self.server.asked.append((self.path, asked))
        content = self.server.files.get(self.path)
        if content is None:
            self.send_error(self.server.refusal)
            return
        tag = self.server.tags.get(self.path, f'"{digest(content)}"')
        same = self.headers["If-Range"] in (None, tag)
        ranged = asked is not None and self.server.knows_ranges and same
        begin = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and ranged else 0
        if ranged and begin >= len(content):
            self.send_error(416)
            return
        if self.server.lies_about_ranges and begin:
            begin += 7
        self.send_response(206 if begin else 200)
        if tag:
            self.send_header("ETag", tag)
        if self.path in self.server.types:
            self.send_header("Content-Type", self.server.types[self.path])
        self.send_header("Content-Length", str(len(content) - begin))
        if begin:
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        end = begin + self.server.breaks.pop(0) if self.server.breaks else len(content)
        self.wfile.write(content[begin:end])

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def corpus_of(*downloads: Download) -> Corpus:
    return replace(corpora.find("goemotions"), downloads=downloads)


def names_in(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_files_come_to_their_places_and_progress_is_told(server: Server, tmp_path: Path) -> None:
    server.files = {"/a.txt": b"one", "/b.bin": CONTENT}
    corpus = corpus_of(Download(server.url("/a.txt"), to="a.txt"), Download(server.url("/b.bin"), to="below/b.bin"))
    told: list[tuple[str, int, int | None]] = []
    files = corpora.download(corpus, folder=tmp_path, advance=lambda *progress: told.append(progress))
    assert files == [tmp_path / "a.txt", tmp_path / "below" / "b.bin"]
    assert (files[0].read_bytes(), files[1].read_bytes()) == (b"one", CONTENT)
    assert names_in(tmp_path) == ["a.txt", "below/b.bin"]
    assert told[0] == ("a.txt", 3, 3)
    assert told[-1] == ("b.bin", 300_000, 300_000)
    assert [here for name, here, _ in told if name == "b.bin"] == sorted({here for _, here, _ in told[1:]})


def test_files_go_to_the_data_folder_by_default(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMPATHIC_DATA", str(tmp_path))
    server.files = {"/a.txt": b"one"}
    corpora.download(corpus_of(Download(server.url("/a.txt"), to="a.txt")))
    assert names_in(tmp_path) == ["goemotions/a.txt"]


def test_what_is_here_already_is_fetched_only_when_asked_for_again(server: Server, tmp_path: Path) -> None:
    server.files = {"/a.txt": b"new"}
    corpus = corpus_of(Download(server.url("/a.txt"), to="a.txt"))
    (tmp_path / "a.txt").write_bytes(b"old")
    corpora.download(corpus, folder=tmp_path)
    assert ((tmp_path / "a.txt").read_bytes(), server.asked) == (b"old", [])
    corpora.download(corpus, folder=tmp_path, again=True)
    assert (tmp_path / "a.txt").read_bytes() == b"new"


def test_a_connection_that_breaks_is_taken_up_where_it_ended(server: Server, tmp_path: Path) -> None:
    server.files = {"/b.bin": CONTENT}
    server.breaks = [130_000, 70_000]
    corpus = corpus_of(Download(server.url("/b.bin"), to="b.bin", sha256=digest(CONTENT)))
    (file,) = corpora.download(corpus, folder=tmp_path)
    assert file.read_bytes() == CONTENT
    ranges = [asked for _, asked in server.asked]
    assert ranges[0] is None
    assert len(ranges) == 3
    starts = [int(asked.removeprefix("bytes=").removesuffix("-")) for asked in ranges[1:] if asked]
    assert 0 < starts[0] <= 130_000 < starts[1] <= 200_000


def test_a_server_that_knows_no_ranges_sends_all_of_it_again(server: Server, tmp_path: Path) -> None:
    server.files = {"/b.bin": CONTENT}
    server.breaks = [130_000]
    server.knows_ranges = False
    told: list[tuple[str, int, int | None]] = []
    (file,) = corpora.download(
        corpus_of(Download(server.url("/b.bin"), to="b.bin")),
        folder=tmp_path,
        advance=lambda *progress: told.append(progress),
    )
    assert file.read_bytes() == CONTENT
    assert len(server.asked) == 2
    assert told[-1] == ("b.bin", 300_000, 300_000)


def test_a_connection_that_always_breaks_at_once_is_given_up(server: Server, tmp_path: Path) -> None:
    server.files = {"/b.bin": CONTENT}
    server.breaks = [0] * 10
    with pytest.raises(DownloadError, match=r"/b\.bin cannot be reached: "):
        corpora.download(corpus_of(Download(server.url("/b.bin"), to="b.bin")), folder=tmp_path)
    assert len(server.asked) < 10
    assert not (tmp_path / "b.bin").exists()


def leave(server: Server, folder: Path, name: str, left: bytes, whole: bytes = CONTENT) -> None:
    """What an earlier process that was ended leaves of a file."""
    (folder / f".{name}.part").write_bytes(left)
    version = {"url": server.url(f"/{name}"), "mark": f'"{digest(whole)}"', "total": len(whole)}
    (folder / f".{name}.part.json").write_text(json.dumps(version))


@pytest.mark.parametrize("left", [CONTENT[:1000], CONTENT], ids=["some of it", "all of it"])
def test_what_an_earlier_process_left_is_taken_up(server: Server, tmp_path: Path, left: bytes) -> None:
    server.files = {"/b.bin": CONTENT}
    leave(server, tmp_path, "b.bin", left)
    (file,) = corpora.download(corpus_of(Download(server.url("/b.bin"), to="b.bin")), folder=tmp_path)
    assert file.read_bytes() == CONTENT
    assert server.asked == [("/b.bin", f"bytes={len(left)}-")]
    assert names_in(tmp_path) == ["b.bin"]


def test_a_file_that_has_changed_since_is_fetched_from_its_beginning(server: Server, tmp_path: Path) -> None:
    server.files = {"/b.bin": CONTENT[::-1]}
    leave(server, tmp_path, "b.bin", CONTENT[:1000])
    (file,) = corpora.download(corpus_of(Download(server.url("/b.bin"), to="b.bin")), folder=tmp_path)
    assert file.read_bytes() == CONTENT[::-1]


@pytest.mark.parametrize("tag", ["", 'W/"weak"'], ids=["no version", "a weak version"])
def test_a_part_of_nobody_knows_which_version_is_thrown_away(server: Server, tmp_path: Path, tag: str) -> None:
    server.files = {"/b.bin": CONTENT}
    server.tags = {"/b.bin": tag}
    server.breaks = [130_000]
    (file,) = corpora.download(corpus_of(Download(server.url("/b.bin"), to="b.bin")), folder=tmp_path)
    assert file.read_bytes() == CONTENT
    assert server.asked == [("/b.bin", None), ("/b.bin", None)]


def test_a_part_that_nothing_is_known_of_is_thrown_away(server: Server, tmp_path: Path) -> None:
    server.files = {"/b.bin": CONTENT}
    (tmp_path / ".b.bin.part").write_bytes(b"of another file")
    (file,) = corpora.download(corpus_of(Download(server.url("/b.bin"), to="b.bin")), folder=tmp_path)
    assert file.read_bytes() == CONTENT


def test_a_server_that_sends_another_part_than_it_was_asked_for_is_an_error(server: Server, tmp_path: Path) -> None:
    server.files = {"/b.bin": CONTENT}
    server.lies_about_ranges = True
    leave(server, tmp_path, "b.bin", CONTENT[:1000])
    with pytest.raises(DownloadError, match="another part of the file"):
        corpora.download(corpus_of(Download(server.url("/b.bin"), to="b.bin")), folder=tmp_path)
    assert names_in(tmp_path) == []


def test_fetching_again_takes_nothing_up(server: Server, tmp_path: Path) -> None:
    server.files = {"/b.bin": CONTENT}
    leave(server, tmp_path, "b.bin", b"x" * 1000)
    (file,) = corpora.download(corpus_of(Download(server.url("/b.bin"), to="b.bin")), folder=tmp_path, again=True)
    assert file.read_bytes() == CONTENT
    assert server.asked == [("/b.bin", None)]


def test_a_page_for_people_is_not_taken_for_the_file(server: Server, tmp_path: Path) -> None:
    server.files = {"/a.txt": b"<html>please log in</html>"}
    server.types = {"/a.txt": "text/html; charset=utf-8"}
    with pytest.raises(DownloadError, match="a page for people, not with the file"):
        corpora.download(corpus_of(Download(server.url("/a.txt"), to="a.txt")), folder=tmp_path)
    assert names_in(tmp_path) == []


def test_two_processes_do_not_write_the_same_file(server: Server, tmp_path: Path) -> None:
    server.files = {"/b.bin": CONTENT}
    corpus = corpus_of(Download(server.url("/b.bin"), to="b.bin"))

    def meanwhile(*_: object) -> None:
        with pytest.raises(DownloadError, match="another process is downloading this file"):
            corpora.download(corpus, folder=tmp_path)

    (file,) = corpora.download(corpus, folder=tmp_path, advance=meanwhile)
    assert file.read_bytes() == CONTENT


def test_a_part_that_cannot_be_written_is_an_error(server: Server, tmp_path: Path) -> None:
    server.files = {"/b.bin": CONTENT}
    (tmp_path / ".b.bin.part").mkdir()
    with pytest.raises(DownloadError, match=r"\.b\.bin\.part: cannot be written: Is a directory"):
        corpora.download(corpus_of(Download(server.url("/b.bin"), to="b.bin")), folder=tmp_path)


def test_all_that_is_missing_is_named_at_once(server: Server, tmp_path: Path) -> None:
    server.files = {"/a.txt": b"one"}
    corpus = corpus_of(*(Download(server.url(f"/{name}.txt"), to=f"{name}.txt") for name in "abc"))
    with pytest.raises(DownloadError) as caught:
        corpora.download(corpus, folder=tmp_path)
    assert f"{server.url('/b.txt')} as {tmp_path / 'b.txt'}" in str(caught.value)
    assert f"{server.url('/c.txt')} as {tmp_path / 'c.txt'}" in str(caught.value)
    assert "a.txt" not in str(caught.value)


def test_where_nothing_comes_no_folders_are_left(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DownloadError):
        corpora.download(corpus_of(Download(server.url("/none"), to="inner/file")), folder=tmp_path / "c")
    assert list(tmp_path.iterdir()) == []


def test_a_download_that_is_killed_leaves_nothing_under_its_name_and_is_taken_up(
    server: Server, tmp_path: Path, kill_at_work: Callable[..., int]
) -> None:
    server.files = {"/b.bin": CONTENT}
    kill_at_work(KILLED, server.url("/b.bin"), tmp_path)
    assert names_in(tmp_path) == [".b.bin.part", ".b.bin.part.json"]
    assert (tmp_path / ".b.bin.part").read_bytes() == CONTENT[: (tmp_path / ".b.bin.part").stat().st_size]
    server.asked.clear()
    download = Download(server.url("/b.bin"), to="file", sha256=digest(CONTENT))
    corpora.download(corpus_of(download), folder=tmp_path)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert [asked is not None for _, asked in server.asked] == [True]
    assert names_in(tmp_path) == ["file"]


def test_what_is_not_as_published_is_thrown_away(server: Server, tmp_path: Path) -> None:
    server.files = {"/a.txt": b"changed"}
    corpus = corpus_of(Download(server.url("/a.txt"), to="a.txt", sha256=digest(b"published")))
    (tmp_path / "a.txt").write_bytes(b"old")
    with pytest.raises(DownloadError, match=f"not what was published: sha256 {digest(b'changed')}"):
        corpora.download(corpus, folder=tmp_path, again=True)
    assert (tmp_path / "a.txt").read_bytes() == b"old"
    assert names_in(tmp_path) == ["a.txt"]


TRAIN = "".join(f"row {number * number}\n" for number in range(2_000)).encode()
MEMBERS = {"release/train.csv": TRAIN, "release/test.csv": b"the test part", "release/README": b"more"}


def tar_gz() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, content in MEMBERS.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in MEMBERS.items():
            archive.writestr(name, content)
    return file.getvalue()


ARCHIVES = pytest.mark.parametrize(("name", "archive"), [("all.tar.gz", tar_gz), ("all.zip", zipped)])


@ARCHIVES
def test_the_wanted_members_of_an_archive_are_unpacked_and_no_others(
    server: Server, tmp_path: Path, name: str, archive: Callable[[], bytes]
) -> None:
    server.files = {f"/{name}": archive()}
    corpus = corpus_of(Download(server.url(f"/{name}"), to="below", unpack=("train.csv", "test.csv")))
    files = corpora.download(corpus, folder=tmp_path)
    assert files == [tmp_path / "below" / "train.csv", tmp_path / "below" / "test.csv"]
    assert [file.read_bytes() for file in files] == [TRAIN, b"the test part"]
    assert names_in(tmp_path) == ["below/test.csv", "below/train.csv"]


@ARCHIVES
def test_an_archive_without_a_wanted_member_is_an_error(
    server: Server, tmp_path: Path, name: str, archive: Callable[[], bytes]
) -> None:
    server.files = {f"/{name}": archive()}
    corpus = corpus_of(Download(server.url(f"/{name}"), to="", unpack=("valid.csv",)))
    with pytest.raises(DownloadError, match=f"/{name} holds no valid.csv"):
        corpora.download(corpus, folder=tmp_path)
    assert not (tmp_path / "valid.csv").exists()


@ARCHIVES
@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[:3_000] + bytes(byte ^ 0xFF for byte in whole[3_000:3_020]) + whole[3_020:],
        lambda whole: b"<html>no archive</html>",
    ],
    ids=["cut off", "changed", "a page instead"],
)
def test_a_damaged_archive_is_an_error_and_nothing_is_left_of_it(
    server: Server, tmp_path: Path, name: str, archive: Callable[[], bytes], damage: Callable[[bytes], bytes]
) -> None:
    server.files = {f"/{name}": damage(archive())}
    corpus = corpus_of(Download(server.url(f"/{name}"), to="", unpack=("train.csv",)))
    with pytest.raises(DownloadError, match=f"/{name}: what came is a damaged archive"):
        corpora.download(corpus, folder=tmp_path)
    assert names_in(tmp_path) == []


@pytest.mark.parametrize(
    ("status", "reason"), [(404, "Not Found"), (416, "Requested Range Not Satisfiable"), (500, "Internal Server Error")]
)
def test_a_file_that_the_server_refuses_is_named_with_where_to_put_it(
    server: Server, tmp_path: Path, status: int, reason: str
) -> None:
    server.refusal = status
    with pytest.raises(DownloadError) as caught:
        corpora.download(corpus_of(Download(server.url("/a.txt"), to="below/a.txt")), folder=tmp_path)
    url = server.url("/a.txt")
    assert str(caught.value) == (
        f"{url}: the server answers {status} {reason} "
        f"(or get by other means and put there: {url} as {tmp_path / 'below' / 'a.txt'})"
    )
    assert names_in(tmp_path) == []


def test_a_host_that_cannot_be_reached_is_named_with_where_to_put_the_file(tmp_path: Path, server: Server) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/a.txt"
        with pytest.raises(DownloadError) as caught:
            corpora.download(corpus_of(Download(url, to="a.txt")), folder=tmp_path)
    assert str(caught.value).startswith(f"{url} cannot be reached: ")
    assert str(caught.value).endswith(f"(or get by other means and put there: {url} as {tmp_path / 'a.txt'})")


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/a.txt", "no address"])
def test_an_address_of_another_kind_is_an_error(tmp_path: Path, url: str) -> None:
    with pytest.raises(DownloadError, match=url):
        corpora.download(corpus_of(Download(url, to="a.txt")), folder=tmp_path)


def test_a_folder_that_cannot_be_made_is_named(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DownloadError, match="file/below: cannot be made"):
        corpora.download(corpus_of(Download(server.url("/a.txt"), to="a.txt")), folder=tmp_path / "file" / "below")


def test_a_corpus_without_files_to_fetch_says_where_it_is_to_be_had(tmp_path: Path) -> None:
    corpus: Any = corpora.find("comae-pec")
    with pytest.raises(
        UsageError, match=f"comae-pec has no files that can be fetched from here \\(it is to be had at {corpus.home}"
    ):
        corpora.download(corpus, folder=tmp_path)
