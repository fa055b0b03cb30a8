"""What the tests of readers share."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from empathic import corpora
from empathic.corpora import Defect
from empathic.dialogue import Dialogue, Inference

MEMBER = "data/dialogues.json"
ReadText = Callable[..., tuple[list[Dialogue | Inference], list[str]]]


@pytest.fixture(autouse=True)
def data_folder(published: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every corpus is looked for among the published samples."""
    monkeypatch.setenv("EMPATHIC_DATA", str(published))
    return published


@pytest.fixture
def read_text(tmp_path: Path) -> ReadText:
    """Writes a text to a file of that name, reads it, and returns the records and the defects, places shortened."""

    def read(corpus: str, name: str, text: str, **options: Any) -> tuple[list[Dialogue | Inference], list[str]]:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        defects: list[Defect] = []
        records = list(corpora.read(corpus, path=file, report=defects.append, **options))
        return records, [str(defect).removeprefix(f"{tmp_path}/") for defect in defects]

    return read


@pytest.fixture(scope="session")
def content() -> Callable[[Path], bytes]:
    """What a file of a corpus says, whatever it is packed in."""

    def unpack(file: Path) -> bytes:
        if file.suffix == ".zip":
            with zipfile.ZipFile(file) as archive:
                return archive.read(MEMBER)
        return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()

    return unpack


@pytest.fixture(scope="session")
def put() -> Callable[[Path, bytes], None]:
    """Writes what a file of a corpus is to say, packed as the file's ending asks."""

    def pack(file: Path, said: bytes) -> None:
        if file.suffix == ".zip":
            with zipfile.ZipFile(file, "w") as archive:
                archive.writestr(MEMBER, said)
        else:
            file.write_bytes(gzip.compress(said) if file.suffix == ".gz" else said)

    return pack
