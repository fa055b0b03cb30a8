"""`empathic chat`: a conversation in the terminal, or standard input answered line by line."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from empathic.cli._terminal import say, status
from empathic.dialogue import Dialogue, Reply, Request, Turn, to_json
from empathic.storage import whole_file

if TYPE_CHECKING:
    from empathic.engine import Engine, Stream

__all__ = ["chat"]

HELP = "/new begins anew, /save FILE keeps the conversation, /quit or Ctrl-D ends it."


def chat(
    *,
    model: str = "smollm2-135m-instruct",
    seed: int = 0,
    temperature: Annotated[float, Parameter(validator=Number(gte=0, lte=10))] = 0.5,
    top_p: Annotated[float, Parameter(validator=Number(gt=0, lte=1))] = 0.9,
    instruction: str | None = None,
    save: Path | None = None,
    json: bool = False,
) -> int:
    """Talk in the terminal, or answer standard input line by line.

    With a terminal, replies appear as they are written. With standard input piped in, each line is a turn of one
    conversation and each reply is one line of output.

    Args:
        model: Base weights by name, a folder in Hugging Face's layout, or a model of the hub.
        seed: The same seed and the same words give the same replies.
        temperature: 0 always says the likeliest; higher varies more.
        top_p: Draw only from the likeliest words that together have this probability.
        instruction: What the model is told before the conversation, instead of the instruction to listen well.
        save: A JSONL file that the conversation is written to when it ends.
        json: Print each reply as a JSON object with the reasons behind it.
    """
    interactive = sys.stdin.isatty() and sys.stdout.isatty() and not json
    with status(f"Loading {model} ..."):
        conversation = Conversation(_engine(model, temperature, top_p, instruction), seed)
    try:
        if interactive:
            _converse(conversation, model)
        else:
            _answer_lines(conversation, as_json=json)
    finally:
        if save is not None and conversation.turns:
            conversation.keep(save)
    return 0


@dataclass
class Conversation:
    """What was said so far, and who answers."""

    engine: Engine
    seed: int
    turns: list[Turn] = field(default_factory=list)

    def answer(self, text: str) -> Stream:
        """The answer to what was just said; it counts once `heard` is told of it."""
        self.turns.append(Turn("speaker", text))
        return self.engine.stream(Request(tuple(self.turns)), seed=self.seed)

    def heard(self, reply: Reply) -> None:
        self.turns.append(Turn("listener", reply.text))

    def keep(self, path: Path) -> None:
        """Writes the conversation as one dialogue."""
        dialogue = Dialogue(path.stem, tuple(self.turns), labels={"responder": self.engine.responder.name})
        with whole_file(path) as file:
            file.write(to_json(dialogue) + b"\n")


def _engine(model: str, temperature: float, top_p: float, instruction: str | None) -> Engine:
    from empathic.decoding import Sampling
    from empathic.engine import Engine
    from empathic.models.backbone import load_backbone
    from empathic.models.prompted_lm import INSTRUCTION, PromptedLM

    sampling = Sampling(temperature=temperature, top_p=top_p)
    return Engine(PromptedLM(load_backbone(model), instruction=instruction or INSTRUCTION, sampling=sampling))


def _answer_lines(conversation: Conversation, *, as_json: bool) -> None:
    for line in sys.stdin:
        if not line.strip():
            continue
        stream = conversation.answer(line.strip())
        for _ in stream:
            pass
        conversation.heard(stream.reply)
        shown = to_json(stream.reply).decode() if as_json else " ".join(stream.reply.text.split())
        say(shown, flush=True)


def _converse(conversation: Conversation, model: str) -> None:
    import readline  # noqa: F401 (line editing and history at the prompt)

    say(f"You are talking with {model}. {HELP}\n")
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
