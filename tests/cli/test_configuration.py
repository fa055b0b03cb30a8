"""Options come from flags, else the environment, else TOML files; errors are one line unless one debugs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from empathic.cli import main
from empathic.errors import UsageError

Run = Callable[..., tuple[int, str, str]]
SHOW = ("show", "empathetic-dialogues", "--json")


def identities(out: str) -> list[str]:
    return [json.loads(line)["id"] for line in out.splitlines()]


def configure(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@pytest.mark.parametrize("place", ["here/empathic.toml", "empathic.toml", "config/empathic/config.toml"])
def test_a_file_here_or_above_or_the_user_s_own_sets_options(run: Run, tmp_path: Path, place: str) -> None:
    configure(tmp_path / place, '[data.show]\ncount = 1\nsplit = "test"\n')
    assert identities(run(*SHOW)[1]) == ["hit:9_conv:1"]


def test_a_file_here_wins_over_the_user_s_own_option_by_option(run: Run, tmp_path: Path) -> None:
    configure(tmp_path / "config" / "empathic" / "config.toml", '[data.show]\ncount = 1\nsplit = "test"\n')
    configure(tmp_path / "here" / "empathic.toml", '[data.show]\nsplit = "train"\n')
    assert identities(run(*SHOW)[1]) == ["hit:1_conv:2"]


@pytest.mark.parametrize("way", ["flag", "environment"])
def test_a_file_that_is_named_is_read_instead_of_the_others(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    configure(tmp_path / "here" / "empathic.toml", "broken [")
    named = configure(tmp_path / "named.toml", "[data.show]\nskip = 4\n")
    if way == "environment":
        monkeypatch.setenv("EMPATHIC_CONFIG", str(named))
    shown = identities(run(*SHOW, *(["--config", named] if way == "flag" else []))[1])
    assert shown == ["hit:6_conv:7", "hit:8_conv:9", "hit:9_conv:1"]


def test_a_file_can_name_the_data_folder(
    run: Run, published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EMPATHIC_DATA")
    configure(tmp_path / "here" / "empathic.toml", f'data-folder = "{published}"\n')
    assert run(*SHOW)[0] == 0


def test_an_environment_variable_sets_an_option_and_wins_over_a_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(tmp_path / "here" / "empathic.toml", "[data.show]\ncount = 1\nskip = 4\n")
    monkeypatch.setenv("EMPATHIC_DATA_SHOW_COUNT", "2")
    assert identities(run(*SHOW)[1]) == ["hit:6_conv:7", "hit:8_conv:9"]


def test_a_flag_wins_over_the_environment_and_over_a_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(tmp_path / "here" / "empathic.toml", "[data.show]\ncount = 1\n")
    monkeypatch.setenv("EMPATHIC_DATA_SHOW_COUNT", "2")
    assert len(identities(run(*SHOW, "--count", 3)[1])) == 3


def test_the_data_folder_flag_wins_over_the_environment(
    run: Run, published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMPATHIC_DATA", str(tmp_path))
    assert run(*SHOW)[0] == 1
    assert run(*SHOW, "--data-folder", published)[0] == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[data.show]\ncount = 1\ncolour = 'red'\n", "colour"),
        ("[data.show]\ncount = 'many'\n", "many"),
        ("[data.show\n", "empathic.toml: not TOML: "),
    ],
    ids=["unknown option", "wrong type", "broken"],
)
def test_a_mistake_in_a_file_is_one_line_that_names_it(run: Run, tmp_path: Path, text: str, complaint: str) -> None:
    configure(tmp_path / "here" / "empathic.toml", text)
    code, out, err = run(*SHOW)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_a_named_file_that_is_not_there_is_an_error(run: Run, tmp_path: Path) -> None:
    code, _, err = run(*SHOW, "--config", tmp_path / "none.toml")
    assert (code, err) == (2, f"empathic: {tmp_path / 'none.toml'}: cannot be read: No such file or directory\n")


def test_a_mistake_in_the_environment_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPATHIC_DATA_SHOW_COUNT", "many")
    code, _, err = run(*SHOW)
    assert code == 2
    assert "many" in err
    assert err.count("\n") == 1


def test_an_error_is_one_line_without_a_traceback(run: Run) -> None:
    code, _, err = run("show", "nothing-like-it")
    assert code == 2
    assert err.startswith("empathic: no corpus is called 'nothing-like-it'")
    assert "Traceback" not in err
    assert err.count("\n") == 1


@pytest.mark.usefixtures("own_folders")
@pytest.mark.parametrize("way", ["flag", "environment"])
def test_under_debug_an_error_is_raised_with_its_traceback(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    if way == "environment":
        monkeypatch.setenv("EMPATHIC_DEBUG", "true")
    with pytest.raises(UsageError, match="no corpus is called 'nothing-like-it'"):
        main([*(["--debug"] if way == "flag" else []), "data", "show", "nothing-like-it"])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[shows]\ncount = 1\n", "nothing is called 'shows'"),
        ("[data.shows]\ncount = 1\n", "nothing is called 'data.shows'; did you mean 'show'?"),
        ('data_folder = "x"\n', "nothing is called 'data_folder'; did you mean 'data-folder'?"),
    ],
)
def test_a_name_that_no_command_has_is_refused(run: Run, tmp_path: Path, text: str, complaint: str) -> None:
    configure(tmp_path / "here" / "empathic.toml", text)
    code, _, err = run(*SHOW)
    assert code == 2
    assert complaint in err
