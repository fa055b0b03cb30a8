"""`empathic chat`: a conversation in the terminal, or standard input answered line by line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from empathic.cli._decoded_by import DecodedBy

if TYPE_CHECKING:
    from empathic.engine import Engine

__all__ = ["chat"]

NOTHING = DecodedBy()


def chat(
    *,
    model: str = "smollm2-135m-instruct",
    seed: int = 0,
    decoded_by: DecodedBy = NOTHING,
    instruction: str | None = None,
    save: Path | None = None,
    json: bool = False,
) -> int:
    """Talk in the terminal, or answer standard input line by line.

    With a terminal, replies appear as they are written. With standard input piped in, each line is a turn of one
    conversation and each reply is one line of output.

    Args:
        model: A trained responder (a run, a model folder, or one that comes with the package), base weights by name, a
            GGUF file, a folder in Hugging Face's layout, or a model of the hub.
        seed: The same seed and the same words give the same replies.
        instruction: What a language model is told before the conversation, instead of the instruction to listen well.
        save: A JSONL file that the conversation is added to when it ends.
        json: Print each reply as a JSON object with the reasons behind it.
    """
    from empathic.cli._conversation import Conversation, answer_lines, at_a_terminal, converse
    from empathic.cli._terminal import signals_for_this_thread_alone, status
    from empathic.errors import DataError

    if save is not None and save.is_dir():
        raise DataError(f"{save}: cannot be written: it is a folder")
    if save is not None and not os.access(save.parent, os.W_OK):
        raise DataError(f"{save}: cannot be written: the folder {save.parent} is not there, or not yours to write to")
    with status(f"Loading {model} ..."), signals_for_this_thread_alone():
        conversation = Conversation(_engine(model, decoded_by, instruction), seed)
    try:
        if at_a_terminal() and not json:
            converse(conversation)
        else:
            answer_lines(conversation, as_json=json)
    finally:
        if save is not None and conversation.turns:
            conversation.keep(save)
    return 0


def _engine(model: str, decoded_by: DecodedBy, instruction: str | None) -> Engine:
    """With a responder that was trained, or with a language model that is asked to listen well."""
    from empathic.cli._responder import annotating, is_responder, load_named
    from empathic.engine import Engine
    from empathic.errors import UsageError
    from empathic.models.trained_responder import TrainedResponder

    if is_responder(model):
        if instruction is not None:
            raise UsageError(f"{model} was trained to reply and takes no instruction", remedy="leave out --instruction")
        trained = load_named(model)
        responder = TrainedResponder(trained, decoded_by.change(trained.settings.decoding))
        return Engine(responder, annotate=annotating() if trained.settings.intents else None)
    from empathic.models.backbone import load_backbone
    from empathic.models.prompted_lm import CHATTING, INSTRUCTION, PromptedLM

    decoding = decoded_by.change(CHATTING)
    return Engine(PromptedLM(load_backbone(model), instruction=instruction or INSTRUCTION, decoding=decoding))
