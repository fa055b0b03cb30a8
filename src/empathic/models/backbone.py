"""Pretrained causal language models, from wherever they come, behind one door.

Three sources: base weights that an ordinary package carries as GGUF, a folder in Hugging Face's layout, or a name on
the hub for whoever can reach it. Out comes the model with its tokenizer and the form that its chats have.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor

from empathic.artifacts import (
    BASES,
    GGUF,
    find_base,
    read_gguf,
)
from empathic.errors import ArtifactError
from empathic.models.hugging_face import require_loadable

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["Backbone", "load_backbone"]

CONTROL = 3
"""GGUF's mark of a token that no text contains."""


@dataclass(frozen=True)
class Backbone:
    """A causal language model ready to use."""

    name: str
    model: PreTrainedModel
    tokenizer: Tokenizer
    chat_template: str
    stop: frozenset[int]
    """The tokens that end a message."""
    longest: int
    """How many tokens it can attend to."""

    @cached_property
    def _template(self) -> Any:
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        return environment.from_string(self.chat_template)

    def prompt(self, messages: list[dict[str, str]]) -> list[int]:
        """The tokens of a chat, up to where the assistant's answer begins."""
        text = self._template.render(messages=messages, add_generation_prompt=True)
        return list(self.tokenizer.encode(text, add_special_tokens=False).ids)


def load_backbone(name: str) -> Backbone:
    """Loads base weights by their name, a GGUF file, a folder with one or of Hugging Face's, or a hub's model."""
    if name in BASES and BASES[name].form == "gguf":
        return _from_gguf(name, read_gguf(find_base(name).files[0]))
    if (file := _gguf_in(Path(name))) is not None:
        return _from_gguf(file.stem, read_gguf(file))
    if name in BASES:
        raise ArtifactError(f"{name} is no language model: {BASES[name].title}")
    return _from_hugging_face(name)


def _gguf_in(place: Path) -> Path | None:
    """The GGUF file that a path means: itself, or the only one in a folder without safetensors."""
    if place.suffix == ".gguf":
        return place
    files = list(place.glob("*.gguf")) if place.is_dir() and not any(place.glob("*.safetensors")) else []
    return files[0] if len(files) == 1 else None


def _from_gguf(name: str, file: GGUF) -> Backbone:
    try:
        return _llama(name, file)
    except (KeyError, RuntimeError) as error:
        raise ArtifactError(f"{name}: the file lacks what a model is built from: {str(error)[:200]}") from error


def _llama(name: str, file: GGUF) -> Backbone:
    from transformers.models.llama.configuration_llama import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaForCausalLM

    about = file.metadata
    if about.get("general.architecture") != "llama":
        raise ArtifactError(
            f"{name}: the architecture {about.get('general.architecture')!r} is not known; known: llama"
        )
    config = LlamaConfig(
        vocab_size=about["llama.vocab_size"],
        hidden_size=about["llama.embedding_length"],
        intermediate_size=about["llama.feed_forward_length"],
        num_hidden_layers=about["llama.block_count"],
        num_attention_heads=about["llama.attention.head_count"],
        num_key_value_heads=about["llama.attention.head_count_kv"],
        max_position_embeddings=about["llama.context_length"],
        rms_norm_eps=about["llama.attention.layer_norm_rms_epsilon"],
        rope_parameters={"rope_type": "default", "rope_theta": about["llama.rope.freq_base"]},
        bos_token_id=about["tokenizer.ggml.bos_token_id"],
        eos_token_id=about["tokenizer.ggml.eos_token_id"],
        pad_token_id=about["tokenizer.ggml.padding_token_id"],
        tie_word_embeddings="output.weight" not in file.tensors,
    )
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    weights = llama_state(file)
    model.load_state_dict(weights, assign=True, strict=not config.tie_word_embeddings)
    model.tie_weights()
    model.model.rotary_emb = type(model.model.rotary_emb)(config)  # its buffers are computed, not loaded
    model.requires_grad_(False).train(mode=False)
    return Backbone(
        name=name,
        model=model,
        tokenizer=_tokenizer(about),
        chat_template=about["tokenizer.chat_template"],
        stop=frozenset({about["tokenizer.ggml.eos_token_id"], about["tokenizer.ggml.bos_token_id"], 0}),
        longest=config.max_position_embeddings,
    )


_LLAMA_OUTER = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
_LLAMA_BLOCK = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def llama_state(file: GGUF) -> dict[str, Tensor]:
    """The weights of a Llama under the names, and in the order of rows, that transformers has for them."""
    heads = {
        "attn_q": file.metadata["llama.attention.head_count"],
        "attn_k": file.metadata["llama.attention.head_count_kv"],
    }
    state = {}
    for name, tensor in file.tensors.items():
        if name in _LLAMA_OUTER:
            state[_LLAMA_OUTER[name]] = tensor
        elif name.startswith("blk."):
            _, layer, part, _ = name.split(".")
            if part in heads:
                tensor = _as_halves(tensor, heads[part])
            state[f"model.layers.{layer}.{_LLAMA_BLOCK[part]}.weight"] = tensor
    return state


def _as_halves(weight: Tensor, heads: int) -> Tensor:
    """llama.cpp turns neighbouring rows of a head together, transformers the two halves of it."""
    rows, columns = weight.shape
    return weight.view(heads, rows // heads // 2, 2, columns).transpose(1, 2).reshape(rows, columns)


def _tokenizer(about: dict[str, Any]) -> Tokenizer:
    """Byte-pair pieces over bytes; SmolLM takes digits one by one before them."""
    if about["tokenizer.ggml.model"] != "gpt2":
        raise ArtifactError(f"the tokenizer {about['tokenizer.ggml.model']!r} is not known; known: gpt2")
    tokens = about["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ", 1)) for merge in about["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, merges))
    by_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False)
    digits = about.get("tokenizer.ggml.pre") == "smollm"
    tokenizer.pre_tokenizer = (
        pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), by_bytes]) if digits else by_bytes
    )
    tokenizer.decoder = decoders.ByteLevel()
    kinds = about["tokenizer.ggml.token_type"]
    tokenizer.add_special_tokens(
        [
            AddedToken(token, special=True, normalized=False)
            for token, kind in zip(tokens, kinds, strict=True)
            if kind == CONTROL
        ]
    )
    return tokenizer


def _from_hugging_face(name: str) -> Backbone:
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    require_loadable(name, "a causal language model")
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        wrapped = AutoTokenizer.from_pretrained(name)
        model = AutoModelForCausalLM.from_pretrained(name, use_safetensors=True, dtype=torch.float32)
    except (OSError, ValueError, KeyError) as error:
        raise ArtifactError(f"{name} holds no causal language model: {str(error).splitlines()[0]}") from error
    if wrapped.chat_template is None:
        raise ArtifactError(f"{name} has no chat template: it was not trained to converse")
    model.requires_grad_(False).train(mode=False)
    end = model.generation_config.eos_token_id
    stop = {wrapped.eos_token_id, *(end if isinstance(end, list) else [end])} - {None}
    if not stop:
        raise ArtifactError(f"{name} has no token that ends a message: it was not trained to converse")
    return Backbone(
        name=name,
        model=model,
        tokenizer=wrapped.backend_tokenizer,
        chat_template=wrapped.chat_template,
        stop=frozenset(stop),
        longest=getattr(model.config, "max_position_embeddings", 2048),
    )
