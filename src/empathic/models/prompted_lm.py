"""A pretrained language model as it was downloaded, asked by a short instruction to listen well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
import torch
from tokenizers.decoders import DecodeStream
from torch import Tensor

from empathic.decoding import Decoding, stream
from empathic.dialogue import Request, Turn
from empathic.models.backbone import Backbone
from empathic.text import tidy

if TYPE_CHECKING:
    from transformers import Cache

__all__ = ["CHATTING", "INSTRUCTION", "PromptedLM"]

INSTRUCTION = "You are a kind friend who listens. Reply in one or two short, warm sentences."
CHATTING = Decoding(strategy="sample", temperature=0.5, top_p=0.9, repetition_penalty=1.1, longest=100)
SENTENCE_ENDS = (".", "!", "?", "…", '."', '!"', '?"')


class PromptedLM:
    """Answers a conversation with whatever the model makes of it."""

    def __init__(
        self,
        backbone: Backbone,
        *,
        instruction: str = INSTRUCTION,
        decoding: Decoding = CHATTING,
        enough: int = 60,
        remembered: int = 2048,
    ) -> None:
        """Sets the responder up.

        Args:
            backbone: The language model.
            instruction: What it is told before the conversation.
            decoding: How the answer is decoded.
            enough: After this many tokens it ends with its sentence.
            remembered: Tokens of the conversation, with the instruction, that are attended to.
        """
        self.name = backbone.name
        self.backbone = backbone
        self.instruction = instruction
        self.decoding = decoding
        self.enough = enough
        self.remembered = remembered

    def respond(self, request: Request, *, seed: int) -> Iterator[str]:
        """The answer, piece by piece as it is written."""
        *heard, begin = self._prompt(request)
        pieces = DecodeStream(skip_special_tokens=True)
        tokens = stream(_Continuing(self.backbone, begin), _Heard(heard), self.decoding, seed=seed)
        for said, token in enumerate(tokens, start=1):
            piece = pieces.step(self.backbone.tokenizer, token)
            if piece:
                yield piece
                if said >= self.enough and piece.rstrip().endswith(SENTENCE_ENDS):
                    return

    def _prompt(self, request: Request) -> list[int]:
        """The instruction and as much of the conversation as is attended to, the latest first."""
        room = min(self.remembered, self.backbone.longest - self.decoding.longest)
        turns = list(request.context)
        while True:
            tokens = self.backbone.prompt(self._messages(turns, request))
            if len(tokens) <= room:
                return tokens
            if len(turns) > 1:
                del turns[: max(1, len(turns) // 8)]
            else:  # one turn that is longer than all there is room for: its end counts
                kept = max(1, min(len(turns[0].text) * room // len(tokens), 8 * room) - 16)
                turns = [msgspec.structs.replace(turns[0], text=turns[0].text[-kept:])]

    def _messages(self, turns: Sequence[Turn], request: Request) -> list[dict[str, str]]:
        about = [self.instruction, *request.persona]
        messages = [{"role": "system", "content": tidy(" ".join(about))}]
        for turn in turns:
            role, text = ("user" if turn.role == "speaker" else "assistant"), tidy(turn.text)
            if messages[-1]["role"] == role:  # people say several things in a row, chat templates know no such turns
                messages[-1]["content"] += f"\n{text}"
            else:
                messages.append({"role": role, "content": text})
        return messages


class _Heard:
    """A prompt; its keys and values are there once the model has read it, with the first step."""

    def __init__(self, tokens: list[int]) -> None:
        self.unread = torch.tensor([tokens], dtype=torch.int64)
        self.cache: Cache | None = None

    def select(self, rows: Tensor) -> None:
        self.unread = self.unread[rows]
        if self.cache is not None:
            self.cache.batch_select_indices(rows)


class _Continuing:
    """A language model that goes on with a prompt, after its last token."""

    device = torch.device("cpu")

    def __init__(self, backbone: Backbone, begin: int) -> None:
        self.begin = begin
        self.model = backbone.model
        self.end, *self.other_ends = sorted(backbone.stop)

    def step(self, tokens: Tensor, state: _Heard) -> Tensor:
        unread = torch.cat([state.unread, tokens[:, None]], 1)
        output = self.model(unread, past_key_values=state.cache, use_cache=True, logits_to_keep=1)
        state.cache, state.unread = output.past_key_values, unread[:, :0]
        scores: Tensor = output.logits[:, -1].float()
        # To decoding there is one end: as likely as all of them together.
        scores[:, self.end] = scores[:, [self.end, *self.other_ends]].logsumexp(1)
        scores[:, self.other_ends] = float("-inf")
        return scores
