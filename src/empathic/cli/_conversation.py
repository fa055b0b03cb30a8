"""A conversation with `empathic chat`: with a person at a terminal, or line by line."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass, field
from pathlib import Path

from empathic.cli._terminal import say, visible
from empathic.dialogue import Dialogue, Reply, Request, Turn, to_json
from empathic.engine import Engine, Stream
from empathic.errors import EmpathicError
from empathic.storage import whole_file

__all__ = ["Conversation", "answer_lines", "at_a_terminal", "converse"]

HELP = "/new begins anew, /save FILE keeps the conversation, /quit or Ctrl-D ends it."
SEEDS_APART = 1000


@dataclass
class Conversation:
    """What was said so far, and who answers."""

    engine: Engine
    seed: int
    turns: list[Turn] = field(default_factory=list)
    kept_behind: dict[Path, bytes] = field(default_factory=dict)
    """What stood in a file before this conversation was kept in it."""

    def answer(self, text: str) -> Stream:
        """The answer to what was just said; it counts once `heard` is told of it."""
        self.turns.append(Turn("speaker", text))
        # Every turn has a chance of its own: one seed for all would begin each reply alike.
        return self.engine.stream(Request(tuple(self.turns)), seed=self.seed * SEEDS_APART + len(self.turns))

    def heard(self, reply: Reply) -> None:
        self.turns.append(Turn("listener", reply.text))

    def keep(self, path: Path) -> None:
        """Writes the conversation as one dialogue, behind those that stood in the file when it was first kept there."""
        if path not in self.kept_behind:
            self.kept_behind[path] = path.read_bytes() if path.is_file() else b""
        before = self.kept_behind[path]
        if before and not before.endswith(b"\n"):
            before += b"\n"
        number = len(before.splitlines()) + 1
        dialogue = Dialogue(
            f"{path.stem}-{number}", tuple(self.turns), labels={"responder": self.engine.responder.name}
        )
        with whole_file(path) as file:
            file.write(before + to_json(dialogue) + b"\n")

    def begin_anew(self) -> None:
        """Forgets what was said; what was kept of it stays."""
        self.turns.clear()
        self.kept_behind.clear()


def at_a_terminal() -> bool:
    """Whether a person types and reads."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def answer_lines(conversation: Conversation, *, as_json: bool) -> None:
    """Answers each line of standard input with a line of output."""
    _take_any_bytes()
    for line in sys.stdin:
        if not line.strip():
            continue
        stream = conversation.answer(line.strip())
        for _ in stream:
            pass
        conversation.heard(stream.reply)
        shown = to_json(stream.reply).decode() if as_json else " ".join(stream.reply.text.split())
        say(shown, flush=True)


def _take_any_bytes() -> None:
    """What is typed need not be text in the terminal's encoding."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def converse(conversation: Conversation) -> None:
    """Talks with whoever sits at the terminal."""
    import readline  # noqa: F401 (line editing and history at the prompt)

    _take_any_bytes()
    say(f"You are talking with {conversation.engine.responder.name}. {HELP}\n")
    while True:
        try:
            line = input("  you ▸ ").strip()
        except EOFError:
            say()
            return
        try:
            if line.startswith("/"):
                if not _command(conversation, line):
                    return
            elif line:
                _answer(conversation, line)
        except EmpathicError as error:  # a file that cannot be written, a reply that cannot be had: the talk goes on
            say(f"\n{error}\n")


def _answer(conversation: Conversation, line: str) -> None:
    """Shows the answer as it is written; without a whole one, it is as if nothing had been said."""
    say("      ◂ ", end="", flush=True)
    stream = conversation.answer(line)
    try:
        for piece in stream:
            say(visible(piece), end="", flush=True)
        conversation.heard(stream.reply)
    except KeyboardInterrupt:
        conversation.turns.pop()
        say(" ... (stopped; Ctrl-C again leaves)\n")
    except EmpathicError:
        conversation.turns.pop()
        raise
    else:
        say("\n")


def _command(conversation: Conversation, line: str) -> bool:
    """Whether the conversation goes on."""
    word, _, rest = line.partition(" ")
    if word in ("/quit", "/exit", "/bye"):
        return False
    if word == "/new":
        conversation.begin_anew()
        say("A new conversation.\n")
    elif word == "/save" and rest.strip():
        path = Path(rest.strip()).expanduser()
        conversation.keep(path)
        say(f"Saved to {path}.\n")
    else:
        say(f"{HELP}\n")
    return True
