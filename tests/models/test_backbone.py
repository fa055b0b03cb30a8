"""The base language model: the same weights, tokens and scores as transformers reads from the file."""

from pathlib import Path

import pytest
import torch

from empathic.artifacts import Manifest, find_base, save_model
from empathic.errors import ArtifactError
from empathic.models.backbone import Backbone, load_backbone

NAME = "smollm2-135m-instruct"
TEXTS = (
    "I failed my driving test 3 times in 2024.",
    "It's a  café – don't\n\nask 😀",
    "",
    "<|im_start|>user<|im_end|>",
)


def test_weights_and_tokens_are_those_that_transformers_reads(backbone: Backbone) -> None:
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")
    found = find_base(NAME)
    options = {"gguf_file": found.files[0].name}
    expected = transformers.AutoModelForCausalLM.from_pretrained(found.folder, **options).state_dict()
    state = backbone.model.state_dict()
    assert state.keys() == expected.keys()
    assert all(torch.equal(state[name], expected[name].float()) for name in state)
    tokenizer = transformers.AutoTokenizer.from_pretrained(found.folder, **options)
    for text in TEXTS:
        assert backbone.tokenizer.encode(text, add_special_tokens=False).ids == tokenizer(text)["input_ids"]


def test_text_survives_the_tokenizer(backbone: Backbone) -> None:
    for text in TEXTS[:3]:
        assert backbone.tokenizer.decode(backbone.tokenizer.encode(text).ids) == text


def test_a_prompt_ends_where_the_answer_begins(backbone: Backbone) -> None:
    tokens = backbone.prompt([{"role": "system", "content": "Listen."}, {"role": "user", "content": "Hi"}])
    text = backbone.tokenizer.decode(tokens, skip_special_tokens=False)
    assert text == "<|im_start|>system\nListen.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"


def test_weights_of_an_encoder_are_no_language_model() -> None:
    with pytest.raises(ArtifactError, match="all-minilm-l6-v2 is no language model"):
        load_backbone("all-minilm-l6-v2")


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="cannot be a causal language model: there are no safetensors"):
        load_backbone(str(tmp_path))


def test_a_hugging_face_folder_loads(tmp_path: Path, backbone: Backbone) -> None:
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    config = LlamaConfig(
        vocab_size=backbone.tokenizer.get_vocab_size(),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=128,
        eos_token_id=2,
    )
    LlamaForCausalLM(config).save_pretrained(tmp_path)
    wrapped = PreTrainedTokenizerFast(tokenizer_object=backbone.tokenizer, eos_token="<|im_end|>")
    wrapped.chat_template = backbone.chat_template
    wrapped.save_pretrained(tmp_path)
    loaded = load_backbone(str(tmp_path))
    assert loaded.longest == 128
    assert 2 in loaded.stop
    messages = [{"role": "system", "content": "Listen."}, {"role": "user", "content": "Hi"}]
    assert loaded.prompt(messages) == backbone.prompt(messages)


def test_a_model_without_a_token_that_ends_a_message_is_refused(tmp_path: Path, backbone: Backbone) -> None:
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    size = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = LlamaConfig(vocab_size=backbone.tokenizer.get_vocab_size(), bos_token_id=None, eos_token_id=None, **size)
    LlamaForCausalLM(config).save_pretrained(tmp_path)
    wrapped = PreTrainedTokenizerFast(tokenizer_object=backbone.tokenizer)
    wrapped.chat_template = backbone.chat_template
    wrapped.save_pretrained(tmp_path)
    with pytest.raises(ArtifactError, match="has no token that ends a message"):
        load_backbone(str(tmp_path))


def test_pickles_in_a_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "pytorch_model.bin").touch()
    with pytest.raises(ArtifactError, match="pickled weights can run any program"):
        load_backbone(str(tmp_path))


def test_a_model_folder_of_another_kind_is_refused_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "ranker"
    save_model(folder, Manifest(kind="ranker", name="r", licence="MIT"), {"w": torch.ones(1)}, card="")
    with pytest.raises(ArtifactError, match="a model of kind 'ranker'; a causal language model is needed"):
        load_backbone(str(folder))


def test_a_name_that_nobody_knows_is_an_error_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ArtifactError, match=r"hub cannot be reached: .*did you mean 'smollm2-135m-instruct'"):
        load_backbone("smollm2-135m")
