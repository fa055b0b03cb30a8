"""Sentences become vectors as the encoder's authors make them, whatever stands beside them."""

from __future__ import annotations

import numpy as np
import torch

from empathic.models.sentence_encoder import SentenceEncoder

TEXTS = ["I lost my dog.", "My dog has run away.", "The train leaves at nine.", "", "word " * 2000]


def test_what_is_alike_in_meaning_is_near_and_nothing_depends_on_company() -> None:
    vectors = SentenceEncoder().embed(TEXTS)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > 0.6
    assert vectors[0] @ vectors[2] < 0.3
    apart = [SentenceEncoder().embed([text])[0] for text in TEXTS[:3]]
    assert np.allclose(vectors[:3], apart, atol=1e-5)


def test_the_vector_is_the_mean_of_the_last_states() -> None:
    encoder = SentenceEncoder()
    ids = torch.tensor([encoder.encoder.tokenizer.encode(TEXTS[0]).ids])
    with torch.inference_mode():
        states = encoder.encoder.model(input_ids=ids).last_hidden_state[0]
    expected = torch.nn.functional.normalize(states.mean(0), dim=0).numpy()
    assert np.allclose(encoder.embed([TEXTS[0]])[0], expected, atol=1e-5)
