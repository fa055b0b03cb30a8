"""Pretrained encoders of text: base weights by name, a folder in Hugging Face's layout, or a model of the hub."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from tokenizers import Tokenizer

from empathic.artifacts import BASES, find_base
from empathic.errors import ArtifactError
from empathic.models.hugging_face import require_loadable

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["Encoder", "load_encoder"]


@dataclass(frozen=True)
class Encoder:
    """An encoder with its tokenizer and the marks that its sequences begin, part and end with."""

    name: str
    model: PreTrainedModel
    tokenizer: Tokenizer
    start: int
    end: int
    pad: int
    longest: int
    """How many tokens it can attend to."""

    @property
    def width(self) -> int:
        return int(self.model.config.hidden_size)


def load_encoder(name: str) -> Encoder:
    """Loads an encoder; `ArtifactError` says why a name leads to none."""
    from transformers import AutoModel
    from transformers.utils import logging

    if name in BASES and BASES[name].form != "safetensors":
        raise ArtifactError(f"{name} is no encoder: {BASES[name].title}")
    place = str(find_base(name).folder) if name in BASES else name
    if name not in BASES:
        require_loadable(name, "an encoder")
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # a pooling layer that nobody needs is "unexpected"
    try:
        model = AutoModel.from_pretrained(place, use_safetensors=True, dtype=torch.float32)
        tokenizer = _tokenizer(place)
    except (OSError, ValueError, KeyError) as error:
        raise ArtifactError(f"{name} holds no encoder: {str(error).splitlines()[0]}") from error
    if getattr(model, "pooler", None) is not None:
        model.pooler = None
    marks = tokenizer.encode("").ids
    if len(marks) < 2:
        raise ArtifactError(f"{name} is no encoder: its sequences have no marks for their beginning and their end")
    config = model.config
    # RoBERTa and MPNet count positions from behind their padding.
    longest = config.max_position_embeddings - (2 if config.model_type in ("roberta", "mpnet", "xlm-roberta") else 0)
    return Encoder(name, model, tokenizer, marks[0], marks[-1], int(config.pad_token_id or 0), longest)


def _tokenizer(place: str) -> Tokenizer:
    file = Path(place, "tokenizer.json")
    if file.is_file():
        tokenizer = Tokenizer.from_file(str(file))
    else:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(place).backend_tokenizer
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
