"""A conversation with `empathic chat`: with a person at a terminal, or line by line."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass, field
from pathlib import Path

from empathic.cli._terminal import say
from empathic.dialogue import Dialogue, Reply, Request, Turn, to_json
from empathic.engine import Engine, Stream
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

    def answer(self, text: str) -> Stream:
        """The answer to what was just said; it counts once `heard` is told of it."""
        self.turns.append(Turn("speaker", text))
        # Every turn has a chance of its own: one seed for all would begin each reply alike.
        return self.engine.stream(Request(tuple(self.turns)), seed=self.seed * SEEDS_APART + len(self.turns))

    def heard(self, reply: Reply) -> None:
        self.turns.append(Turn("listener", reply.text))

    def keep(self, path: Path) -> None:
        """Writes the conversation as one dialogue."""
        dialogue = Dialogue(path.stem, tuple(self.turns), labels={"responder": self.engine.responder.name})
        with whole_file(path) as file:
            file.write(to_json(dialogue) + b"\n")


def at_a_terminal() -> bool:
    """Whether a person types and reads."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def answer_lines(conversation: Conversation, *, as_json: bool) -> None:
    """Answers each line of standard input with a line of output."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for line in sys.stdin:
        if not line.strip():
            continue
        stream = conversation.answer(line.strip())
        for _ in stream:
            pass
        conversation.heard(stream.reply)
        shown = to_json(stream.reply).decode() if as_json else " ".join(stream.reply.text.split())
        say(shown, flush=True)


def converse(conversation: Conversation) -> None:
    """Talks with whoever sits at the terminal."""
    import readline  # noqa: F401 (line editing and history at the prompt)

    say(f"You are talking with {conversation.engine.responder.name}. {HELP}\n")
    while True:
        try:
            line = input("  you ▸ ").strip()
        except EOFError:
            say()
            return
        if line.startswith("/"):
            if not _command(conversation, line):
                return
        elif line:
            say("      ◂ ", end="", flush=True)
            stream = conversation.answer(line)
            try:
                for piece in stream:
                    say(piece, end="", flush=True)
            except KeyboardInterrupt:
                conversation.turns.pop()
                say(" ... (stopped; Ctrl-C again leaves)\n")
                continue
            conversation.heard(stream.reply)
            say("\n")


def _command(conversation: Conversation, line: str) -> bool:
    """Whether the conversation goes on."""
    word, _, rest = line.partition(" ")
    if word in ("/quit", "/exit", "/bye"):
        return False
    if word == "/new":
        conversation.turns.clear()
        say("A new conversation.\n")
    elif word == "/save" and rest.strip():
        conversation.keep(Path(rest.strip()))
        say(f"Saved to {rest.strip()}.\n")
    else:
        say(f"{HELP}\n")
    return True
