"""Low-rank adapters change nothing at first, are all that learns, and merge into what they stand beside."""

from __future__ import annotations

import torch
from torch import nn

from empathic.models.adapter import add_adapters, merge_adapters


def model() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Sequential(nn.Linear(5, 4)))


def test_adapters_change_nothing_at_first() -> None:
    plain, adapted = model(), model()
    add_adapters(adapted, 2)
    x = torch.randn(3, 6)
    assert torch.equal(plain(x), adapted(x))


def test_adapters_are_all_that_learns_and_every_one_of_them_does() -> None:
    adapted = model()
    add_adapters(adapted, 2)
    learning = {name: weight for name, weight in adapted.named_parameters() if weight.requires_grad}
    assert set(learning) == {"0.down", "0.up", "2.0.down", "2.0.up"}
    for weight in learning.values():
        nn.init.normal_(weight)
    adapted(torch.randn(3, 6)).sum().backward()
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in learning.values())


def test_merged_adapters_leave_plain_layers_that_compute_the_same() -> None:
    adapted = model()
    add_adapters(adapted, 2)
    for weight in adapted.parameters():
        nn.init.normal_(weight)
    x = torch.randn(3, 6)
    before = adapted(x)
    merge_adapters(adapted)
    assert [type(layer) for layer in adapted] == [nn.Linear, nn.Tanh, nn.Sequential]
    assert torch.allclose(adapted(x), before, atol=1e-4)
