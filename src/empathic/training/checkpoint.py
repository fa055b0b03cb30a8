"""A training laid down on disk, so that a process that is killed loses little and goes on along the same curve."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor, nn

from empathic.errors import ArtifactError
from empathic.storage import whole_file, whole_folder

__all__ = ["Progress", "learning", "load_checkpoint", "save_checkpoint", "save_weights"]


class Progress(msgspec.Struct):
    """How far a training has come."""

    step: int = 0
    best: float | None = None
    best_step: int = 0
    without_better: int = 0
    """Measurements since the best one."""
    seconds: float = 0.0
    measured: dict[str, float] = {}
    """What the best measurement found."""


def learning(model: nn.Module) -> dict[str, nn.Parameter]:
    """The weights that training changes."""
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}


def _changing(model: nn.Module) -> dict[str, Tensor]:
    """All of a model that training changes: what learns, and what it counts as it goes."""
    counted = model.state_dict().keys() - {name for name, _ in model.named_parameters(remove_duplicate=False)}
    return learning(model) | {name: model.state_dict()[name] for name in sorted(counted)}


def save_weights(path: Path, weights: Mapping[str, Tensor]) -> None:
    """Writes weights whole."""
    with whole_file(path) as file:
        file.write(save({name: weight.detach().cpu().contiguous() for name, weight in weights.items()}))


def save_checkpoint(folder: Path, progress: Progress, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Writes all that going on depends on."""
    tensors = {f"weight.{name}": tensor for name, tensor in _changing(model).items()}
    for number, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": tensor for name, tensor in state.items()}
    tensors["chance.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["chance.cuda"] = torch.cuda.get_rng_state()
    with whole_folder(folder) as unfinished:
        save_weights(unfinished / "state.safetensors", tensors)
        (unfinished / "progress.json").write_bytes(msgspec.json.encode(progress))


def load_checkpoint(folder: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> Progress:
    """Puts a training back to where it was; a fresh `Progress` where nothing was laid down."""
    if not folder.is_dir():
        return Progress()
    try:
        progress = msgspec.json.decode((folder / "progress.json").read_bytes(), type=Progress)
        tensors = load_file(folder / "state.safetensors")
    except (OSError, msgspec.MsgspecError, SafetensorError) as error:
        raise ArtifactError(f"{folder}: the checkpoint cannot be read: {error}", remedy=f"remove {folder}") from error
    weights = {name.removeprefix("weight."): tensor for name, tensor in tensors.items() if name.startswith("weight.")}
    if {name: weight.shape for name, weight in _changing(model).items()} != {
        name: weight.shape for name, weight in weights.items()
    }:
        raise ArtifactError(f"{folder}: the checkpoint is of another model", remedy=f"remove {folder}")
    model.load_state_dict(weights, strict=False)
    state: dict[int, dict[str, Any]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, number, part = name.split(".", 2)
            state.setdefault(int(number), {})[part] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
    torch.set_rng_state(tensors["chance.cpu"])
    if "chance.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["chance.cuda"])
    return progress
