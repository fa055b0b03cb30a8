"""How something is trained."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from empathic.compute import Precision

__all__ = ["TrainingSettings"]

Positive = Annotated[float, msgspec.Meta(gt=0, le=1e9)]
Count = Annotated[int, msgspec.Meta(ge=1)]


class TrainingSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table [training] of a recipe."""

    seed: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Decides the first weights of what is new, the order of the data and every chance in between."""
    epochs: Count = 4
    """How often all of the data is seen."""
    batch_tokens: Count = 8192
    """Tokens of a batch, padding included; what is of like length goes together."""
    batch_items: Count | None = None
    """A fixed number of items a batch, instead."""
    rate: Positive = 3e-5
    """The learning rate at its highest."""
    warm_up: Annotated[float, msgspec.Meta(ge=0)] = 0.1
    """The share of all steps over which the rate rises, or from 1 on the number of them."""
    schedule: Literal["linear", "inverse root", "constant"] = "linear"
    """How the rate then falls: in a straight line to nothing, as one over the root of the steps (Vaswani et al. 2017),
    or not at all."""
    decay: Annotated[float, msgspec.Meta(ge=0)] = 0.01
    """Weight decay of matrices; vectors have none."""
    epsilon: Positive = 1e-6
    """Adam's: weights that seldom have a gradient, such as those of rare words, learn the faster the smaller it is."""
    clip: Annotated[float, msgspec.Meta(ge=0)] = 1.0
    """The norm that gradients are cut back to; 0 leaves them as they are."""
    precision: Precision = "bf16"
    """What matrices are multiplied in; where the hardware has no units for bf16 it is fp32."""
    evaluations: Count = 1
    """How often an epoch the validation split is measured."""
    patience: Count = 3
    """After so many measurements in a row without a better one, training ends."""
    checkpoint_minutes: Positive = 5.0
    """At most so much work is lost when the process is killed; every measurement is a checkpoint too."""
