"""One pass feeds every head; neither padding nor company changes an answer; every weight that should learn does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from empathic.annotators.factors import READINGS, reading
from empathic.annotators.readings import Line, collate, lay_out
from empathic.annotators.scoring import score
from empathic.models.annotator import AnnotatorModel
from empathic.models.encoder import Encoder, load_encoder

SCRIPTS = [
    (Line("speaker", "I was late again and my boss saw it."), Line("listener", "Oh no, what did she say?")),
    (Line("speaker", "Fine."),),
    tuple(Line("listener" if turn % 2 else "speaker", f"I said this as number {turn}.") for turn in range(9)),
]


@pytest.fixture
def encoder(tiny_encoder: Path) -> Encoder:
    return load_encoder(str(tiny_encoder))


def made(encoder: Encoder, name: str, rank: int = 0) -> AnnotatorModel:
    torch.manual_seed(0)
    model = AnnotatorModel(encoder, reading(name).heads, rank=rank)
    torch.nn.init.normal_(model.role.weight)
    return model.eval()


@pytest.mark.parametrize("name", [reading.name for reading in READINGS])
def test_what_is_read_does_not_depend_on_what_is_read_beside_it(encoder: Encoder, name: str) -> None:
    model = made(encoder, name)
    texts = lay_out(encoder, SCRIPTS, longest=100)
    options = {"pad": encoder.pad, "device": torch.device("cpu"), "precision": "fp32"}
    together = score(model, texts, **options)
    assert together.keys() == {head.name for head in reading(name).heads}
    for position, text in enumerate(texts):
        for head, (alone,) in score(model, [text], **options).items():
            np.testing.assert_allclose(together[head][position], alone, atol=1e-5)


def test_each_kind_of_head_answers_for_what_it_is_asked(encoder: Encoder) -> None:
    texts = lay_out(encoder, SCRIPTS, longest=100)
    found = score(made(encoder, "cause"), texts, pad=encoder.pad, device=torch.device("cpu"))
    assert [of_turns.shape for of_turns in found["cause"]] == [(len(script), 1) for script in SCRIPTS]
    assert [of_words.shape for of_words in found["cause_span"]] == [(len(text.ids), 1) for text in texts]


def test_who_speaks_is_read(encoder: Encoder) -> None:
    model = made(encoder, "utterance")
    texts = lay_out(encoder, [(Line("speaker", "Fine."),), (Line("listener", "Fine."),)], longest=100)
    one, other = score(model, texts, pad=encoder.pad, device=torch.device("cpu"))["act"]
    assert not np.allclose(one, other)


@pytest.mark.parametrize("rank", [0, 4])
@pytest.mark.parametrize("name", [reading.name for reading in READINGS])
def test_every_weight_that_should_learn_gets_a_gradient_and_no_other_does(
    encoder: Encoder, name: str, rank: int
) -> None:
    model = made(encoder, name, rank)
    for weight_name, weight in model.named_parameters():
        if weight_name.endswith(".up"):
            torch.nn.init.normal_(weight)
    outputs = model(collate(lay_out(encoder, SCRIPTS, longest=100), encoder.pad))
    torch.stack([(output**2).sum() for output in outputs.values()]).sum().backward()
    learned = model.learned()
    assert ("encoder.embeddings.word_embeddings.weight" in learned) is False
    for weight_name, weight in model.named_parameters():
        touched = weight.grad is not None and bool(weight.grad.abs().sum() > 0)
        # A key's bias moves all attention alike, and so has none.
        assert touched == (weight_name in learned) or weight_name.endswith("key.bias"), weight_name
    assert all(("encoder." not in name or name.endswith((".up", ".down"))) for name in learned) == bool(rank)
