"""The engine: perceive ► plan ► respond ► check, the same for chat, server and batch.

Each step is a small interface that any object can fill; a step that is not given is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from empathic.dialogue import Perception, Plan, Reply, Request, Turn
from empathic.errors import EmpathicError

__all__ = ["Engine", "Perceiver", "Planner", "Responder", "ResponderError", "Stream", "says_something"]


class ResponderError(EmpathicError):
    """A responder gave no answer that could be accepted."""


class Perceiver(Protocol):
    """Says what the speaker feels, and why."""

    def perceive(self, request: Request) -> Perception: ...


class Planner(Protocol):
    """Decides how to respond before a word is written."""

    def plan(self, request: Request, perception: Perception | None) -> Plan: ...


class Responder(Protocol):
    """Writes a response, piece by piece, by the plan in the request; the same seed gives the same answer."""

    name: str

    def respond(self, request: Request, *, seed: int) -> Iterator[str]: ...


def says_something(_: Request, text: str) -> str | None:
    """The least that is asked of a response."""
    return None if text.strip() else "it is empty"


@dataclass
class Engine:
    """Answers conversations.

    engine = Engine(PromptedLM(load_backbone("smollm2-135m-instruct")))
    reply = engine.reply(Request((Turn("speaker", "I failed my driving test again."),)))
    """

    responder: Responder
    perceiver: Perceiver | None = None
    planner: Planner | None = None
    checks: Sequence[Callable[[Request, str], str | None]] = (says_something,)
    """Each says why a response cannot be accepted, or nothing."""
    attempts: int = 3
    """How often the responder is asked before the engine gives up."""
    annotate: Callable[[tuple[Turn, ...]], tuple[Turn, ...]] | None = None
    """Gives turns their factors, for a responder that goes by them."""

    def reply(self, request: Request, *, seed: int = 0) -> Reply:
        """The whole answer at once."""
        stream = self.stream(request, seed=seed)
        for _ in stream:
            pass
        return stream.reply

    def stream(self, request: Request, *, seed: int = 0) -> Stream:
        """The answer piece by piece; `reply` is there when the pieces have ended."""
        return Stream(self, request, seed)


class Stream:
    """An answer on its way: iterate over it for the text, then ask for the `reply`."""

    def __init__(self, engine: Engine, request: Request, seed: int) -> None:
        self._reply: Reply | None = None
        self._pieces = self._run(engine, request, seed)

    def __iter__(self) -> Iterator[str]:
        return self._pieces

    @property
    def reply(self) -> Reply:
        """The finished reply."""
        if self._reply is None:
            raise ResponderError("the reply is not finished: iterate over the stream first")
        return self._reply

    def _run(self, engine: Engine, request: Request, seed: int) -> Iterator[str]:
        if engine.annotate is not None:
            request = msgspec.structs.replace(request, context=engine.annotate(request.context))
        perception = engine.perceiver.perceive(request) if engine.perceiver else None
        if request.plan is None and engine.planner is not None:
            request = msgspec.structs.replace(request, plan=engine.planner.plan(request, perception))
        refusals = []
        for attempt in range(engine.attempts):
            said = ""
            for piece in engine.responder.respond(request, seed=seed + attempt):
                shown = piece if said else piece.lstrip()
                said += shown
                if shown:
                    yield shown
            text = said.strip()
            refusal = next((why for check in engine.checks if (why := check(request, text))), None)
            if refusal is None:
                self._reply = Reply(text, engine.responder.name, perception, request.plan)
                return
            refusals.append(refusal)
            if said:
                # What was shown cannot be taken back; a new attempt goes on a line of its own.
                yield "\n"
        raise ResponderError(
            f"{engine.responder.name} gave no acceptable answer in {engine.attempts} attempts: {refusals[-1]}"
        )
