"""A pretrained language model as it was downloaded, asked by a short instruction to listen well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import torch
from tokenizers.decoders import DecodeStream

from empathic.decoding import Sampling, choose
from empathic.dialogue import Request, Turn
from empathic.models.backbone import Backbone
from empathic.text import tidy

__all__ = ["INSTRUCTION", "PromptedLM"]

INSTRUCTION = "You are a kind friend who listens. Reply in one or two short, warm sentences."
SENTENCE_ENDS = (".", "!", "?", "…", '."', '!"', '?"')


class PromptedLM:
    """Answers a conversation with whatever the model makes of it."""

    def __init__(
        self,
        backbone: Backbone,
        *,
        instruction: str = INSTRUCTION,
        sampling: Sampling | None = None,
        enough: int = 60,
        longest: int = 100,
        remembered: int = 2048,
    ) -> None:
        """Sets the responder up.

        Args:
            backbone: The language model.
            instruction: What it is told before the conversation.
            sampling: How tokens are chosen.
            enough: After this many tokens the answer ends with its sentence.
            longest: After this many it ends wherever it is.
            remembered: Tokens of the conversation, with the instruction, that are attended to.
        """
        self.name = backbone.name
        self.backbone = backbone
        self.instruction = instruction
        self.sampling = sampling or Sampling(temperature=0.5)
        self.enough = enough
        self.longest = longest
        self.remembered = remembered

    def respond(self, request: Request, *, seed: int) -> Iterator[str]:
        """The answer, piece by piece as it is written."""
        tokens = self._prompt(request)
        generator = torch.Generator().manual_seed(seed)
        stream = DecodeStream(skip_special_tokens=True)
        said: list[int] = []
        cache = None
        ended = False
        while len(said) < self.longest and not ended:
            with torch.inference_mode():
                output = self.backbone.model(
                    torch.tensor([tokens]), past_key_values=cache, use_cache=True, logits_to_keep=1
                )
            cache = output.past_key_values
            token = choose(output.logits[0, -1], self.sampling, said=said, generator=generator)
            if token in self.backbone.stop:
                return
            said.append(token)
            tokens = [token]
            piece = stream.step(self.backbone.tokenizer, token)
            if piece:
                ended = len(said) >= self.enough and piece.rstrip().endswith(SENTENCE_ENDS)
                yield piece

    def _prompt(self, request: Request) -> list[int]:
        """The instruction and as much of the conversation as is attended to, the latest first."""
        room = min(self.remembered, self.backbone.longest - self.longest)
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
