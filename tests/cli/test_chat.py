"""`empathic chat`, as a person and as a script meet it."""

import io
import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from empathic.artifacts import find_base
from empathic.cli import main

AT_A_TERMINAL = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that what is typed can interrupt
from empathic.cli import main
main()
"""


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


def test_what_is_asked_for_changes_how_replies_are_decoded_and_nothing_else() -> None:
    from empathic.cli._decoded_by import DecodedBy
    from empathic.models.prompted_lm import CHATTING

    assert DecodedBy().change(CHATTING) == CHATTING
    changed = DecodedBy(temperature=0.2, block=3).change(CHATTING)
    assert changed == msgspec.structs.replace(CHATTING, temperature=0.2, block=3)


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
    assert "cannot be a causal language model" in capsys.readouterr().err


class Terminal:
    """`empathic chat` at a terminal, with somebody who types and reads."""

    def __init__(self) -> None:
        self.leader, follower = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", AT_A_TERMINAL, "chat"],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=os.environ | {"TERM": "dumb"},
            start_new_session=True,
        )
        os.close(follower)
        self.read = b""

    @property
    def shown(self) -> str:
        return self.read.decode(errors="replace")

    def type(self, text: bytes) -> None:
        os.write(self.leader, text)

    def wait_for(self, text: str, times: int = 1) -> None:
        deadline = time.monotonic() + 60
        while self.shown.count(text) < times:
            assert time.monotonic() < deadline, self.shown
            if select.select([self.leader], [], [], 0.2)[0]:
                self.read += os.read(self.leader, 4096)

    def wait_for_answer(self) -> str:
        """The answer, once the prompt stands behind it; what is typed early can draw the first prompt twice."""
        self.wait_for("◂")
        prompts_before = self.shown.split("◂", 1)[0].count("you ▸ ")
        self.wait_for("you ▸ ", prompts_before + 1)
        return self.shown.split("◂", 1)[1].split("you ▸")[0].strip()

    def end(self) -> int:
        code = self.process.wait(timeout=60)
        os.close(self.leader)
        return code


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal()
    try:
        opened.wait_for("you ▸ ")
        yield opened
    finally:
        opened.process.kill()
        opened.process.wait()


def test_a_person_at_a_terminal_is_greeted_answered_and_let_go(terminal: Terminal, tmp_path: Path) -> None:
    assert "You are talking with smollm2-135m-instruct." in terminal.shown
    terminal.type(b"hello \xff\xfe\n")
    answer = terminal.wait_for_answer()
    terminal.type(f"/save {tmp_path}/kept.jsonl\n".encode())
    terminal.wait_for("Saved to")
    terminal.type(b"/new\n")
    terminal.wait_for("A new conversation.")
    terminal.type(b"/quit\n")
    assert terminal.end() == 0
    assert len(answer) > 3
    kept = json.loads((tmp_path / "kept.jsonl").read_text())
    assert kept["turns"][1]["text"] == answer


def test_a_file_that_cannot_be_written_does_not_end_the_talk(terminal: Terminal) -> None:
    terminal.type(b"/save /proc/nope.jsonl\n")
    terminal.wait_for("/proc/nope.jsonl: cannot be written")
    terminal.wait_for("you ▸ ", 2)
    terminal.type(b"\x04")
    assert terminal.end() == 0


def test_ctrl_c_at_the_prompt_leaves_even_after_an_answer(terminal: Terminal) -> None:
    terminal.type(b"hello\n")
    terminal.wait_for_answer()
    time.sleep(1)  # the prompt is drawn a moment before anybody listens
    terminal.type(b"\x03")
    assert terminal.end() == 130


def test_a_conversation_is_kept_behind_the_one_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept.jsonl"
    for said in ("I got the job!\n", "I lost it.\n"):
        assert chat(monkeypatch, said, "--save", str(kept)) == 0
    dialogues = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [(dialogue["id"], dialogue["turns"][0]["text"]) for dialogue in dialogues] == [
        ("kept-1", "I got the job!"),
        ("kept-2", "I lost it."),
    ]


def test_a_place_to_keep_it_that_is_not_there_is_said_before_the_talk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert chat(monkeypatch, "hello\n", "--save", str(tmp_path / "none" / "kept.jsonl")) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "none is not there, or not yours to write to" in err


def test_a_gguf_file_or_the_folder_that_holds_it_is_a_model(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = find_base("smollm2-135m-instruct")
    for place in (found.folder, found.files[0]):
        assert chat(monkeypatch, "hello\n", "--model", str(place), "--temperature", "0") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


def test_a_folder_to_keep_it_in_is_refused_before_the_talk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert chat(monkeypatch, "hello\n", "--save", str(tmp_path)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "cannot be written: it is a folder" in err
