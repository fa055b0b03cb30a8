"""`empathic chat`, as a person and as a script meet it."""

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from empathic.cli import main

PROGRAM = [sys.executable, "-c", "from empathic.cli import main; main()", "chat"]


def chat(monkeypatch: pytest.MonkeyPatch, said: str, *options: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(said))
    with pytest.raises(SystemExit) as ended:
        main(["chat", *options])
    return int(ended.value.code or 0)


def test_each_line_of_standard_input_gets_a_line_of_reply(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chat(monkeypatch, "I got the job!\n\nI start on Monday.\n") == 0
    replies = capsys.readouterr().out.splitlines()
    assert len(replies) == 2
    assert all(reply.strip() for reply in replies)


def test_replies_as_json_and_the_conversation_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept.jsonl"
    assert chat(monkeypatch, "I got the job!\n", "--json", "--save", str(kept), "--temperature", "0") == 0
    reply = json.loads(capsys.readouterr().out)
    assert reply["responder"] == "smollm2-135m-instruct"
    dialogue = json.loads(kept.read_text())
    assert [turn["role"] for turn in dialogue["turns"]] == ["speaker", "listener"]
    assert dialogue["turns"][1]["text"] == reply["text"]


def test_the_program_and_the_library_draw_alike() -> None:
    import inspect

    from empathic.cli.chat import chat as command
    from empathic.models.prompted_lm import PromptedLM

    offered = {name: each.default for name, each in inspect.signature(command).parameters.items()}
    used = PromptedLM(SimpleNamespace(name="any")).sampling  # type: ignore[arg-type]
    assert (offered["temperature"], offered["top_p"]) == (used.temperature, used.top_p)


def test_no_input_is_no_conversation(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert chat(monkeypatch, "") == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("options", [["--temperature", "-1"], ["--top-p", "0"], ["--seed", "x"], ["--frob"]])
def test_impossible_options_are_usage_errors_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    assert chat(monkeypatch, "", *options) == 2
    error = capsys.readouterr().err
    assert error.startswith("empathic: ")
    assert error.count("\n") == 1


def test_an_unknown_model_is_an_error_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert chat(monkeypatch, "", "--model", str(tmp_path)) == 1
    assert "holds no causal language model" in capsys.readouterr().err


def test_a_person_at_a_terminal_is_greeted_answered_and_let_go() -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        PROGRAM, stdin=follower, stdout=follower, stderr=follower, env=os.environ | {"TERM": "dumb"}
    )
    os.close(follower)
    os.write(leader, b"hello\n/new\n/quit\n")
    shown = b""
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:  # the terminal closes with the program
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    assert process.wait(timeout=60) == 0
    text = shown.decode()
    assert "You are talking with smollm2-135m-instruct." in text
    assert "A new conversation." in text
