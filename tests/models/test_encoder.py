"""Encoders are found by name, folder or hub, and what is none is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.errors import ArtifactError
from empathic.models.encoder import load_encoder


def test_the_base_encoder_knows_its_marks_and_how_far_it_reads() -> None:
    encoder = load_encoder("all-minilm-l6-v2")
    assert (encoder.width, encoder.longest, encoder.pad) == (384, 512, 0)
    assert [encoder.tokenizer.id_to_token(mark) for mark in (encoder.start, encoder.end)] == ["[CLS]", "[SEP]"]


def test_a_folder_is_an_encoder(tiny_encoder: Path) -> None:
    encoder = load_encoder(str(tiny_encoder))
    assert (encoder.width, encoder.longest) == (32, 400)
    assert len(encoder.tokenizer.encode("word " * 1000).ids) > 1000


def test_a_language_model_is_no_encoder() -> None:
    with pytest.raises(ArtifactError, match="smollm2-135m-instruct is no encoder"):
        load_encoder("smollm2-135m-instruct")


def test_a_folder_without_safetensors_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ArtifactError, match="cannot be an encoder: there are no safetensors in it"):
        load_encoder(str(tmp_path))
    (tmp_path / "pytorch_model.bin").touch()
    with pytest.raises(ArtifactError, match="is refused: pickled weights"):
        load_encoder(str(tmp_path))
