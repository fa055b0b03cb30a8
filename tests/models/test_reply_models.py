"""Every model that is trained to reply: steps equal the whole, company and padding change nothing, all learns."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from small import SETTINGS, made

from empathic.models.layout import UNLABELLED, Batch, Table
from empathic.models.reply_model import ReplyModel
from empathic.models.vocabulary import PAD, Vocabulary

NAMES = sorted(SETTINGS)


def scores(model: ReplyModel, batch: Batch) -> torch.Tensor:
    """What a model says at every position, its chance the same each time."""
    torch.manual_seed(3)
    with torch.inference_mode():
        found: torch.Tensor = model(batch).response
    return found


@pytest.mark.parametrize("name", NAMES)
def test_word_by_word_with_what_is_kept_a_model_says_what_it_says_at_once(
    name: str, vocabulary: Vocabulary, table: Table
) -> None:
    model = made(name, vocabulary)
    batch = table.batch([0, 3, 7, 10])
    if name == "mime-code":  # at once, its code goes by the true polarity; word by word there is none
        batch = replace(batch, emotion=torch.full_like(batch.emotion, UNLABELLED))
    whole = scores(model, batch)
    torch.manual_seed(3)
    with torch.inference_mode():
        state = model.encode(batch)
        steps = [model.step(batch.so_far[:, position], state) for position in range(batch.response.shape[1])]
    torch.testing.assert_close(torch.stack(steps, 1), whole, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_can_be_reordered_repeated_and_left_out(name: str, vocabulary: Vocabulary, table: Table) -> None:
    model = made(name, vocabulary)
    batch = table.batch([0, 3, 7])
    rows = torch.tensor([2, 0, 0])
    with torch.inference_mode():
        torch.manual_seed(3)
        state = model.encode(batch)
        model.step(batch.so_far[:, 0], state)
        expected = model.step(batch.so_far[:, 1], state)[rows]
        torch.manual_seed(3)
        state = model.encode(batch)
        model.step(batch.so_far[:, 0], state)
        state.select(rows)
        found = model.step(batch.so_far[rows, 1], state)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("mime") or "no-stoch" in name])
def test_an_item_is_judged_alike_alone_and_in_company(name: str, vocabulary: Vocabulary, table: Table) -> None:
    model = made(name, vocabulary)
    items = [5, 0, 21, 8]
    with torch.inference_mode():
        together, said = model.judged(table.batch(items))
        for row, item in enumerate(items):
            alone, said_alone = model.judged(table.batch([item]))
            torch.testing.assert_close(alone[0], together[row], atol=1e-4, rtol=1e-4)
            for one, other in ((said.emotion, said_alone.emotion), (said.intent, said_alone.intent)):
                if one is not None and other is not None:
                    torch.testing.assert_close(other[0], one[row], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("mime") and "no-stoch" not in name])
def test_a_reply_drawn_by_a_seed_is_the_same_alone_and_in_company(
    name: str, vocabulary: Vocabulary, table: Table
) -> None:
    model = made(name, vocabulary)
    items = [5, 0, 21]
    with torch.inference_mode():
        together = model.step(torch.full((3,), 2), model.encode(table.batch(items), seeds=[7, 8, 9]))
        alone = model.step(torch.full((1,), 2), model.encode(table.batch([0]), seeds=[8]))
        other = model.step(torch.full((1,), 2), model.encode(table.batch([0]), seeds=[9]))
    torch.testing.assert_close(alone[0], together[1], atol=1e-5, rtol=1e-4)
    assert not torch.allclose(alone, other, atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_padding_changes_nothing(name: str, vocabulary: Vocabulary, table: Table) -> None:
    model = made(name, vocabulary)
    batch = table.batch([0, 3])

    def wider(tensor: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.pad(tensor, (0, 5), value=PAD)

    padded = replace(
        batch,
        context=wider(batch.context),
        roles=wider(batch.roles),
        labels=wider(batch.labels),
        response=wider(batch.response),
    )
    length = batch.response.shape[1]
    torch.testing.assert_close(scores(model, padded)[:, :length], scores(model, batch), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_a_gradient_reaches_every_weight(name: str, vocabulary: Vocabulary, table: Table) -> None:
    model = made(name, vocabulary).train()
    reached: set[str] = set()
    for stage in model.stages:
        model.enter(stage)
        model.zero_grad()
        losses = model.loss(table.batch(range(16)))
        torch.stack([loss.total for loss in losses.values()]).sum().backward()
        reached |= {each for each, weight in model.named_parameters() if weight.grad is not None and weight.grad.any()}
    assert {each for each, _ in model.named_parameters()} - reached == set()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "mime-code"])
def test_the_true_emotion_is_known_in_training_alone(name: str, vocabulary: Vocabulary, table: Table) -> None:
    model = made(name, vocabulary)
    batch = table.batch([0, 3, 7])
    others = replace(batch, emotion=(batch.emotion + 11) % 32)
    assert torch.equal(scores(model, batch), scores(model, others))


def test_no_smoothing_and_no_padding_enters_what_is_measured(vocabulary: Vocabulary, table: Table) -> None:
    model = made("transformer", vocabulary)
    batch = table.batch([0, 3])
    with torch.inference_mode():
        losses, _ = model.judged(batch)
        chances = model(batch).response.log_softmax(-1)
    for row, length in enumerate(table.response_lengths[[0, 3]]):
        expected = -sum(float(chances[row, at, batch.response[row, at]]) for at in range(length))
        assert float(losses[row]) == pytest.approx(expected, rel=1e-5)


def test_smoothing_spreads_probability_over_the_vocabulary(vocabulary: Vocabulary, table: Table) -> None:
    model = made("transformer", vocabulary)
    batch = table.batch([0, 3])
    with torch.inference_mode():
        chances = model(batch).response.log_softmax(-1)
        there = batch.response != PAD
        true = chances.gather(2, batch.response[..., None])[..., 0][there]
        expected = -(0.9 * true + 0.1 * chances.mean(-1)[there]).sum()
        found = model.loss(batch, smoothing=0.1)["response"]
    assert found.count == batch.tokens == int(there.sum())
    torch.testing.assert_close(found.total, expected)
