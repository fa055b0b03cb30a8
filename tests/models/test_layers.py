"""Layers beside what they stand for: torch's own attention, convolutions, and layers that stand side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from empathic.models.layers import (
    Attention,
    DecoderLayer,
    EncoderLayer,
    LayerShape,
    Linear,
    Norm,
    State,
    Window,
    sinusoids,
)

torch.manual_seed(0)
SHAPE = LayerShape(8, heads=2, inner=6, depth=4)


def test_attention_is_what_torch_has_under_that_name() -> None:
    ours = Attention(12, 3, bias=True)
    theirs = torch.nn.MultiheadAttention(12, 3, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]))
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.output.weight)
        theirs.out_proj.bias.zero_()
    x, memory = torch.randn(2, 4, 12), torch.randn(2, 6, 12)
    mask = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    expected, _ = theirs(x, memory, memory, key_padding_mask=~mask)
    found = ours(x, ours.keys(memory), mask[:, None, None, :])
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("causal", [True, False])
def test_windows_are_convolutions(causal: bool) -> None:
    ours = Window(5, 7, causal=causal, dropout=0.0)
    x = torch.randn(2, 6, 5)

    def convolved(x: torch.Tensor, linear: Linear) -> torch.Tensor:
        kernel = linear.weight.view(len(linear.weight), 3, -1).transpose(1, 2)
        padded = torch.nn.functional.pad(x.transpose(1, 2), (2, 0) if causal else (1, 1))
        return torch.nn.functional.conv1d(padded, kernel, linear.bias).transpose(1, 2)

    expected = convolved(torch.relu(convolved(x, ours.first)), ours.second)
    torch.testing.assert_close(ours(x), expected)


def test_layers_side_by_side_are_each_the_layer_that_it_would_be_alone() -> None:
    several = DecoderLayer(SHAPE, copies=3)
    for weight in several.parameters():
        torch.nn.init.normal_(weight)
    x, memory = torch.randn(2, 4, 8), torch.randn(2, 5, 8)
    mask = torch.ones(2, 1, 1, 5, dtype=torch.bool)
    found = several(x, several.across.keys(memory), mask)
    assert found.shape == (3, 2, 4, 8)
    for number in range(3):
        alone = DecoderLayer(SHAPE)
        for name, weight in several.named_parameters():
            part = weight[number].detach()
            # Maps that stand side by side are kept the other way round.
            single = part.T if part.dim() == 2 and part.shape[0] != 1 else part.reshape(-1)
            alone.get_parameter(name).data.copy_(single)
        torch.testing.assert_close(alone(x, alone.across.keys(memory), mask), found[number], atol=1e-5, rtol=1e-4)


def test_what_comes_later_is_not_seen() -> None:
    layer = DecoderLayer(SHAPE)
    x, memory = torch.randn(1, 5, 8), torch.randn(1, 3, 8)
    changed = x.clone()
    changed[0, 3:] += 1
    mask = torch.ones(1, 1, 1, 3, dtype=torch.bool)
    before, after = (layer(each, layer.across.keys(memory), mask) for each in (x, changed))
    torch.testing.assert_close(before[0, :3], after[0, :3])
    assert not torch.allclose(before[0, 3:], after[0, 3:])


@pytest.mark.parametrize("norm_first", [True, False])
def test_layers_normalise_what_they_take_in_or_what_they_give(norm_first: bool) -> None:
    layer = EncoderLayer(replace(SHAPE, norm_first=norm_first))
    given = layer(3 * torch.randn(2, 5, 8), torch.ones(2, 5, dtype=torch.bool))
    torch.testing.assert_close(given.std(-1, correction=0).allclose(torch.ones(2, 5), atol=1e-3), not norm_first)


def test_norms_side_by_side_share_nothing_but_their_input() -> None:
    several = Norm(4, copies=2)
    with torch.no_grad():
        several.weight[1] = 3
    x = torch.randn(1, 2, 4)
    found = several(x)
    torch.testing.assert_close(found[1], 3 * found[0])


def test_positions_are_waves_of_growing_length() -> None:
    waves = sinusoids(50, 6)
    assert waves.shape == (50, 6)
    torch.testing.assert_close(waves[0], torch.tensor([0.0, 0, 0, 1, 1, 1]))
    torch.testing.assert_close(waves[:, 0], torch.arange(50).sin())
    torch.testing.assert_close(waves[:, 5], (torch.arange(50) / 1e4).cos())
    assert sinusoids(3, 5).shape == (3, 5)


def test_a_state_keeps_rows_wherever_their_dimension_stands() -> None:
    state = State(3)
    state.kept["memory"] = torch.arange(3.0)[:, None, None, None].expand(3, 2, 4, 5)
    state.kept["listeners"] = torch.arange(3.0)[None, :, None, None, None].expand(7, 3, 2, 4, 5)
    state.select(torch.tensor([2, 0]))
    assert state.rows == 2
    assert state.kept["memory"][:, 0, 0, 0].tolist() == [2, 0]
    assert state.kept["listeners"][4, :, 0, 0, 0].tolist() == [2, 0]
