"""A trained responder by what a user calls it: a run, a model folder, or one that comes with the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    from empathic.dialogue import Turn
    from empathic.models.kinds import Trained

__all__ = ["annotating", "is_responder", "load_named"]

SHIPPED = "responders/"


def is_responder(name: str) -> bool:
    """Whether a name leads to a trained responder."""
    from empathic.artifacts import is_model_folder, read_manifest
    from empathic.models.kinds import KIND

    folder = _folder(name)
    return folder is not None and is_model_folder(folder) and read_manifest(folder).kind == KIND


def load_named(name: str, device: torch.device | None = None) -> Trained:
    """Loads it; an error names what comes nearest."""
    from empathic.artifacts import shipped_models
    from empathic.errors import ArtifactError, nearest
    from empathic.models.kinds import load_responder

    folder = _folder(name)
    if folder is None:
        known = [each.removeprefix(SHIPPED) for each in shipped_models() if each.startswith(SHIPPED)]
        hint = f"; {nearest(name, known)}" if known else ""
        raise ArtifactError(
            f"there is no run, no model folder and no responder {name!r}{hint}", remedy="empathic train"
        )
    return load_responder(folder, device=device)


def annotating() -> Callable[[tuple[Turn, ...]], tuple[Turn, ...]] | None:
    """Names the emotions and intents of turns; None, with a note, where no annotator is there to do it."""
    from empathic.annotators import Annotator
    from empathic.annotators.annotator import factors_there
    from empathic.cli._terminal import note
    from empathic.dialogue import Dialogue

    if "intent" not in factors_there():
        note("this responder goes by what each turn does, and no annotator is there to say it: all count as neutral")
        return None
    annotator = Annotator(("intent",))

    def annotate(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        return next(annotator.annotate([Dialogue("now", turns)])).turns

    return annotate


def _folder(name: str) -> Path | None:
    from empathic.artifacts import shipped_models

    run = Path(name)
    if (run / "recipe.json").is_file() and not (run / "model").is_dir():
        from empathic.errors import ArtifactError

        raise ArtifactError(f"{run} has not been trained to its end", remedy=f"empathic train RECIPE --run {run}")
    for folder in (run / "model", run):
        if (folder / "config.json").is_file():
            return folder
    return shipped_models().get(f"{SHIPPED}{name}")
