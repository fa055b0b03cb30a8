"""Each switch of a model changes what the paper says it does, and nothing else."""

from __future__ import annotations

import msgspec
import pytest
import torch
from small import SETTINGS, SMALL, SMALL_MEED2

from empathic.models.kinds import ModelSettings, build
from empathic.models.layout import Batch, Table
from empathic.models.meed2 import MEED2Settings
from empathic.models.mime import MIME, MIMESettings
from empathic.models.moel import MoEL, MoELSettings
from empathic.models.reply_model import ReplyModel
from empathic.models.vocabulary import Vocabulary
from empathic.taxonomy import EMOTIONS_AND_INTENTS, POSITIVE, SITUATION_EMOTIONS

MIMICS = MIMESettings(sizes=SMALL)


def mime(vocabulary: Vocabulary, **options: object) -> MIME:
    torch.manual_seed(0)
    model = build(msgspec.structs.replace(MIMICS, **options), vocabulary.size)
    assert isinstance(model, MIME)
    return model.eval()


def weights(model: ReplyModel) -> set[str]:
    return {name for name, _ in model.named_parameters()}


def refined(model: MIME, batch: Batch, positive: bool) -> torch.Tensor:
    """The memory that is decoded from, if the speaker's emotion is of that polarity."""
    context = model.understood(batch)
    torch.manual_seed(1)
    memory, _ = model._fused(context, batch.mask, torch.tensor([positive] * len(context)))
    return memory


@pytest.mark.parametrize("mimicry", [True, False])
def test_the_polarity_decides_what_is_mimicked_only_with_mimicry(
    vocabulary: Vocabulary, table: Table, mimicry: bool
) -> None:
    model = mime(vocabulary, mimicry=mimicry)
    batch = table.batch([0, 3])
    with torch.inference_mode():
        same = torch.equal(refined(model, batch, True), refined(model, batch, False))
    assert same is not mimicry
    assert weights(model) == weights(mime(vocabulary))


def test_emotions_are_drawn_from_both_groups_or_from_one_of_all(vocabulary: Vocabulary) -> None:
    grouped, together = mime(vocabulary), mime(vocabulary, grouping=False)
    assert [len(each.weight) for each in grouped.distributions] == [13, 19]
    assert [len(each.weight) for each in together.distributions] == [32]
    assert [SITUATION_EMOTIONS[number] for number in grouped.group0] == list(POSITIVE)
    assert together.fusion.weight.shape[1] * 2 == grouped.fusion.weight.shape[1]


def test_without_stochasticity_nothing_is_drawn_and_nothing_diverges(vocabulary: Vocabulary, table: Table) -> None:
    batch = table.batch([0, 3])
    for stochastic in (True, False):
        model = mime(vocabulary, stochastic=stochastic)
        with torch.inference_mode():
            twice = [model(batch).response for _ in range(2)]
            terms = model.train().loss(batch).keys()
        assert torch.equal(*twice) is not stochastic
        assert ("divergence" in terms) is stochastic
        assert ("reconstruction" in terms) is stochastic


def test_one_emotion_encoder_or_two(vocabulary: Vocabulary) -> None:
    one, two = mime(vocabulary), mime(vocabulary, encoders="two")
    extra = weights(two) - weights(one)
    assert extra
    assert all(name.startswith(("joins.1.", "refiners.1.")) for name in extra)


def test_the_deviation_of_each_group_or_one_for_both(vocabulary: Vocabulary) -> None:
    extra = weights(mime(vocabulary)) - weights(mime(vocabulary, spread="shared"))
    assert extra == {f"{part}.deviations.1.{of}" for part in ("prior", "posterior") for of in ("weight", "bias")}


def test_training_decodes_from_the_posterior_or_from_the_prior(vocabulary: Vocabulary, table: Table) -> None:
    batch = table.batch([0, 3])
    for sees in ("posterior", "prior"):
        model = mime(vocabulary, decoder_sees=sees, reconstruction=False).train()
        response = model.loss(batch)["response"].total
        response.backward()
        reached = any(weight.grad is not None and weight.grad.any() for weight in model.posterior.parameters())
        assert reached is (sees == "posterior")


def test_the_true_polarity_counts_at_test_only_where_the_code_is_followed(vocabulary: Vocabulary, table: Table) -> None:
    batch = table.batch([0, 3, 7, 9])
    for polarity in ("predicted", "gold"):
        model = mime(vocabulary, polarity=polarity, stochastic=False)
        said = []
        for emotion in ("joyful", "sad"):
            felt = torch.full_like(batch.emotion, SITUATION_EMOTIONS.index(emotion))
            with torch.inference_mode():
                said.append(model(Batch(**(vars(batch) | {"emotion": felt}))).response)
        assert torch.equal(*said) is (polarity == "predicted")


def test_only_the_likeliest_listeners_are_heard(vocabulary: Vocabulary, table: Table) -> None:
    for top in (1, 5, 32):
        model = build(MoELSettings(sizes=SMALL, top=top), vocabulary.size).eval()
        assert isinstance(model, MoEL)
        with torch.inference_mode():
            heard = model._chosen(torch.randn(7, 32))
        assert ((heard > 0).sum(1) == top).all()
        torch.testing.assert_close(heard.sum(1), torch.ones(7))


@pytest.mark.parametrize(("oracle", "seen", "told"), [(10_000.0, 0, True), (1.0, 1000, False), (0.0, 0, False)])
def test_the_oracle_chooses_the_listener_in_training_at_first_and_never_elsewhere(
    vocabulary: Vocabulary, table: Table, oracle: float, seen: int, told: bool
) -> None:
    model = build(MoELSettings(sizes=SMALL, oracle=oracle), vocabulary.size)
    assert isinstance(model, MoEL)
    model.seen.fill_(seen)
    batch = table.batch([0, 3, 7, 9])
    scores = torch.randn(4, 32)
    torch.manual_seed(0)
    true = torch.nn.functional.one_hot(batch.emotion, 32).float()
    assert torch.equal(model.train()._heard(scores, batch), true) is told
    assert int(model.seen) == seen + bool(oracle)
    assert not torch.equal(model.eval()._heard(scores, batch), true)
    assert int(model.seen) == seen + bool(oracle)


def test_a_given_intent_reaches_the_reply_and_a_plain_transformer_knows_none(
    vocabulary: Vocabulary, table: Table
) -> None:
    batch = table.batch([0, 3])
    for intents in (True, False):
        torch.manual_seed(0)
        model = build(MEED2Settings(sizes=SMALL_MEED2, intents=intents), vocabulary.size).eval()
        said = []
        for intent in ("questioning", "wishing"):
            wanted = torch.full_like(batch.intent, EMOTIONS_AND_INTENTS.index(intent))
            with torch.inference_mode():
                state = model.encode(Batch(**(vars(batch) | {"intent": wanted})))
                said.append(model.step(batch.so_far[:, 0], state))
        assert torch.equal(*said) is not intents


def test_a_predictor_that_is_trained_apart_shares_no_weight_with_what_writes(
    vocabulary: Vocabulary, table: Table
) -> None:
    model = build(SETTINGS["meed2"], vocabulary.size).train()
    batch = table.batch(range(8))
    reached = {}
    for stage in model.stages:
        model.enter(stage)
        model.zero_grad()
        torch.stack([each.total for each in model.loss(batch).values()]).sum().backward()
        reached[stage] = {name for name, weight in model.named_parameters() if weight.grad is not None}
    assert reached["predictor"].isdisjoint(reached["model"])
    assert all(name.startswith("predictor.") for name in reached["predictor"])


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_settings_survive_a_model_folder(settings: ModelSettings) -> None:
    assert msgspec.convert(msgspec.to_builtins(settings), ModelSettings) == settings
