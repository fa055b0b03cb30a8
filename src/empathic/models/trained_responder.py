"""A trained responder as the engine asks one: a conversation in, a reply out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch

from empathic.decoding import Decoding, decode
from empathic.dialogue import Plan, Request
from empathic.models.kinds import Trained
from empathic.models.layout import Said
from empathic.models.vocabulary import MARKS
from empathic.taxonomy import INTENTS

__all__ = ["TrainedResponder"]

NEVER_SAID = tuple(range(len(MARKS)))


class TrainedResponder:
    """Answers with a model that was trained to."""

    def __init__(self, trained: Trained, decoding: Decoding | None = None) -> None:
        """Sets the responder up.

        Args:
            trained: The model.
            decoding: How it decodes; by default as its recipe says.
        """
        self.name = trained.name
        self.trained = trained
        self.decoding = decoding or trained.settings.decoding

    @property
    def identity(self) -> tuple[object, ...]:
        """Changes with anything that decides what it replies."""
        return self.name, self.trained.settings, self.decoding, self.trained.digest

    def respond(self, request: Request, *, seed: int) -> Iterator[str]:
        """The reply, in one piece: it takes no longer than a few words of a large model."""
        yield from self.replies([request], seeds=[seed])

    def replies(self, requests: Sequence[Request], *, seeds: Sequence[int]) -> list[str]:
        """A reply to each, decoded together; the same seed gives the same reply, whatever it is decoded with."""
        model, layout = self.trained.model, self.trained.layout
        turns = self.trained.settings.turns
        table = layout.lay_out(Said(request.context[-turns:], intent=_intent(request.plan)) for request in requests).to(
            model.device
        )
        with torch.inference_mode():
            # What a model draws by chance before the first word is drawn alone as well.
            state = model.encode(table.batch(range(len(requests))), seeds=seeds)
            never = [mark for mark in NEVER_SAID if mark != model.end]
            said = decode(model, state, self.decoding, rows=len(requests), seeds=seeds, forbidden=never)
        return [layout.vocabulary.decode(each.tokens) for each in said]


def _intent(plan: Plan | None) -> str | None:
    """Which of the 41 emotions and intents a plan asks for; an act that is none of them asks for none."""
    if plan is None:
        return None
    return plan.intent or (plan.act if plan.act in INTENTS else None)
