"""What tests of several parts share: the published samples, and a process that is killed at work."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Tests run side by side: threads of their own would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

DATA = Path(__file__).with_name("data")

settings.register_profile("reproducible", derandomize=True, deadline=None, database=None)
settings.load_profile("reproducible")


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a small sample of every corpus, in the layout that its authors publish."""
    folder = tmp_path_factory.mktemp("published")
    shutil.copytree(DATA, folder, dirs_exist_ok=True)
    for packed in ("conceptnet4/conceptnet4_en_assertions.tsv", "movie_scripts/turns.jsonl"):
        plain = folder / packed
        plain.with_name(plain.name + ".gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    document = folder / "dailydialog" / "dialogues.json"
    with zipfile.ZipFile(document.with_name("data.zip"), "w") as archive:
        archive.write(document, "data/dialogues.json")
    document.unlink()
    return folder


@pytest.fixture
def kill_at_work() -> Callable[..., int]:
    """Runs a Python program, kills it once it has printed "ready" (and `after` seconds more); its process number."""

    def run(program: str, *arguments: object, after: float = 0.0) -> int:
        command = [sys.executable, "-c", program, *map(str, arguments)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            said = process.stdout.readline()
            time.sleep(after)
            process.kill()
        assert said == "ready\n"
        assert process.returncode == -signal.SIGKILL
        return process.pid

    return run


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real encoder in Hugging Face's layout, so small that it learns nothing and costs nothing."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import BertConfig, BertModel

    from empathic import corpora

    texts = [turn.text for dialogue in corpora.read_dialogues("sample") for turn in dialogue.turns]
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    tokenizer.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=600, special_tokens=marks))
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        initializer_range=0.5,  # so that different words give different answers
        max_position_embeddings=400,
    )
    folder = tmp_path_factory.mktemp("encoder")
    BertModel(config).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="session")
def tiny_annotators(tmp_path_factory: pytest.TempPathFactory, tiny_encoder: Path) -> Path:
    """A model for every reading, saved as trained ones are; they know nothing, but all that they say is well formed."""
    import torch

    from empathic.annotators.factors import READINGS
    from empathic.annotators.folder import AnnotatorSettings, save_reading
    from empathic.models.annotator import AnnotatorModel
    from empathic.models.encoder import load_encoder

    folder = tmp_path_factory.mktemp("annotators")
    torch.manual_seed(0)
    for reading in READINGS:
        model = AnnotatorModel(load_encoder(str(tiny_encoder)), reading.heads, rank=2)
        for name, weight in model.named_parameters():
            if name.startswith("outputs."):
                torch.nn.init.normal_(weight)
        settings = AnnotatorSettings(
            reading=reading.name,
            encoder=str(tiny_encoder),
            adapter=2,
            temperatures={head.name: 1.5 for head in reading.heads},
        )
        save_reading(folder / reading.name, model, settings, about="nothing", licence="none", figures={}, card="")
    return folder
