"""What tests of several parts share: the published samples, and a process that is killed at work."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Tests run side by side: threads of their own would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

DATA = Path(__file__).with_name("data")

settings.register_profile("reproducible", derandomize=True, deadline=None, database=None)
settings.load_profile("reproducible")


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a small sample of every corpus, in the layout that its authors publish."""
    folder = tmp_path_factory.mktemp("published")
    shutil.copytree(DATA, folder, dirs_exist_ok=True)
    for packed in ("conceptnet4/conceptnet4_en_assertions.tsv", "movie_scripts/turns.jsonl"):
        plain = folder / packed
        plain.with_name(plain.name + ".gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    document = folder / "dailydialog" / "dialogues.json"
    with zipfile.ZipFile(document.with_name("data.zip"), "w") as archive:
        archive.write(document, "data/dialogues.json")
    document.unlink()
    return folder


@pytest.fixture
def kill_at_work() -> Callable[..., int]:
    """Runs a Python program, kills it once it has printed "ready" (and `after` seconds more); its process number."""

    def run(program: str, *arguments: object, after: float = 0.0) -> int:
        command = [sys.executable, "-c", program, *map(str, arguments)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            said = process.stdout.readline()
            time.sleep(after)
            process.kill()
        assert said == "ready\n"
        assert process.returncode == -signal.SIGKILL
        return process.pid

    return run
