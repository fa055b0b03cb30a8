"""`empathic chat`: a conversation in the terminal, or standard input answered line by line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

__all__ = ["chat"]


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
        model: Base weights by name, a GGUF file, a folder in Hugging Face's layout, or a model of the hub.
        seed: The same seed and the same words give the same replies.
        temperature: 0 always says the likeliest; higher varies more.
        top_p: Draw only from the likeliest words that together have this probability.
        instruction: What the model is told before the conversation, instead of the instruction to listen well.
        save: A JSONL file that the conversation is added to when it ends.
        json: Print each reply as a JSON object with the reasons behind it.
    """
    from msgspec.structs import replace

    from empathic.cli._conversation import Conversation, answer_lines, at_a_terminal, converse
    from empathic.cli._terminal import signals_for_this_thread_alone, status
    from empathic.engine import Engine
    from empathic.errors import DataError
    from empathic.models.backbone import load_backbone
    from empathic.models.prompted_lm import CHATTING, INSTRUCTION, PromptedLM

    if save is not None and save.is_dir():
        raise DataError(f"{save}: cannot be written: it is a folder")
    if save is not None and not os.access(save.parent, os.W_OK):
        raise DataError(f"{save}: cannot be written: the folder {save.parent} is not there, or not yours to write to")
    with status(f"Loading {model} ..."), signals_for_this_thread_alone():
        decoding = replace(CHATTING, temperature=temperature, top_p=top_p)
        responder = PromptedLM(load_backbone(model), instruction=instruction or INSTRUCTION, decoding=decoding)
    conversation = Conversation(Engine(responder), seed)
    try:
        if at_a_terminal() and not json:
            converse(conversation)
        else:
            answer_lines(conversation, as_json=json)
    finally:
        if save is not None and conversation.turns:
            conversation.keep(save)
    return 0
