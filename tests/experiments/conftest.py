"""What tests of experiments share: real conversations in a published layout, and a recipe to learn from them."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from empathic import corpora

COLUMNS = ("conv_id", "utterance_idx", "context", "prompt", "speaker_idx", "utterance", "selfeval", "tags")


@pytest.fixture(scope="session")
def conversations(tmp_path_factory: pytest.TempPathFactory, published: Path) -> Path:
    """The published samples, with the sample's dialogues in the layout of EmpatheticDialogues."""
    folder = tmp_path_factory.mktemp("conversations")
    shutil.copytree(published, folder, dirs_exist_ok=True)
    for split in ("train", "valid", "test"):
        with (folder / "empatheticdialogues" / f"{split}.csv").open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file, quoting=csv.QUOTE_NONE, quotechar=None, escapechar=None)
            table.writerow(COLUMNS)
            for dialogue in corpora.read_dialogues("sample", split=split):
                for number, turn in enumerate(dialogue.turns):
                    situation, said = ((text or "").replace(",", "_comma_") for text in (dialogue.situation, turn.text))
                    who = int(turn.role == "listener")
                    table.writerow((dialogue.id, number, dialogue.emotion, situation, who, said, "", ""))
    return folder


@pytest.fixture
def recipe(tmp_path: Path, tiny_encoder: Path) -> Path:
    """A recipe that trains in seconds."""
    file = tmp_path / "tiny.toml"
    file.write_text(
        f"""
kind = "annotator"
about = "what the speaker feels"
reading = "context"
licence = "Apache-2.0"
encoder = "{tiny_encoder}"

[sources]
contexts = 1
situations = 1

[training]
epochs = 4
batch_tokens = 400
rate = 1e-3
evaluations = 2
patience = 20
"""
    )
    return file
