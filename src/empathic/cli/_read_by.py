"""The options that say by what a conversation is read, shared by every command that annotates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from empathic.cli._terminal import note, status

if TYPE_CHECKING:
    from empathic.annotators import Annotator

__all__ = ["ReadBy"]


@Parameter(name="*")
@dataclass(frozen=True)
class ReadBy:
    """What annotates."""

    models: Path | None = None
    """A trained annotator, the run that made it, or a folder with such for each reading, instead of those that come
    with the package."""
    lexicon: Path | None = None
    """The lexicon for tone (polarity, valence, arousal, dominance), in the layout of NRC-VAD."""
    device: str | None = None
    """What to compute on, such as cpu or cuda:1; a GPU where there is one by default."""

    def annotator(
        self, factors: Collection[str] | None = None, *, without: Collection[str] = (), top: int = 1
    ) -> Annotator:
        """Loads the models.

        Args:
            factors: What is to be read; all that there are models for by default.
            without: What of these is not.
            top: How many labels are given with their probabilities.
        """
        from empathic.annotators.annotator import Annotator, factors_there

        with status("Loading the annotators ..."):
            asked = factors_there(self.models, self.lexicon) if factors is None else factors
            chosen = [name for name in asked if name not in without]
            annotator = Annotator(chosen, top=top, models=self.models, lexicon=self.lexicon, device=self.device)
        if factors is None and not annotator.readings:
            note("There are no trained models here, so that only the lexicon speaks: train some, or name --models.")
        return annotator
