"""What measuring takes, shared by every command that measures: its options, the tools, the annotators."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from empathic.cli._terminal import note, progress, status

if TYPE_CHECKING:
    from empathic.annotators import Annotator
    from empathic.dialogue import Factors
    from empathic.experiments.evaluation import Material, Reader
    from empathic.experiments.outputs import SaidReply
    from empathic.metrics.replies import Measure, Tools

__all__ = ["Measuring", "find_tools", "reader"]


@Parameter(name="*")
@dataclass(frozen=True)
class Measuring:
    """What of a run is measured, and how."""

    split: str = "test"
    """The split that the runs answered."""
    vectors: Path | None = None
    """Word vectors for greedy matching, in GloVe's text layout; by default those among the data."""
    models: Path | None = None
    """A trained annotator, the run that made it, or a folder with such for each reading, instead of those that come
    with the package."""
    device: str | None = None
    """What to compute on, such as cpu or cuda:1; a GPU where there is one by default."""
    samples: Annotated[int, Parameter(validator=Number(gte=0))] = 1000
    """How often items are drawn anew for intervals and tests; 0 for none."""
    seed: int = 0
    """What is drawn follows from it."""

    def tools(self, materials: Iterable[Material], names: Sequence[str] | None = None) -> tuple[list[Measure], Tools]:
        """The measures of replies that can be taken, and what they need.

        Args:
            materials: What is to be measured.
            names: Of which measures; of all that can be taken by default.
        """
        from empathic.metrics.replies import chosen_measures

        texts = [text for material in materials for text in material.texts()]
        asked = [] if not texts else None if names is None else chosen_measures(names)
        measures, tools = find_tools(asked, texts, self.vectors, self.device)
        return measures, tools._replace(samples=self.samples, seed=self.seed)

    def annotator(self) -> Annotator | None:
        """Reads of replies what can be planned; None, with a note, where no annotator has been trained."""
        from empathic.annotators.annotator import Annotator, factors_there
        from empathic.metrics.realization import READ_OF_REPLIES

        there = [factor for factor in factors_there(self.models) if factor in READ_OF_REPLIES]
        if not there:
            note(
                "what replies do is not read: there are no trained annotators here "
                "(empathic train annotators/utterance, or name a folder of them with --models)"
            )
            return None
        with status("Loading the annotators ..."):
            return Annotator(there, models=self.models, device=self.device)


def reader(annotator: Annotator) -> Reader:
    """Reads factors off replies, and shows how far it has come."""
    from empathic.metrics.realization import read_replies

    def read(said: Sequence[SaidReply]) -> list[Factors]:
        with progress() as shown:
            task = shown.add_task("Reading replies", total=len(said))
            return read_replies(
                annotator,
                [each.context for each in said],
                [each.reply for each in said],
                told=lambda done: shown.update(task, advance=done),
            )

    return read


def find_tools(
    asked: Sequence[Measure] | None, texts: Collection[str], vectors: Path | None, device: str | None
) -> tuple[list[Measure], Tools]:
    """The measures that can be taken, and what they need; what is left out is noted.

    Args:
        asked: Measures that must be taken; by default all that can.
        texts: All that is to be measured.
        vectors: Word vectors; those among the data by default.
        device: What to compute embeddings on.
    """
    from empathic.artifacts import find_base
    from empathic.compute import choose_device
    from empathic.errors import ArtifactError
    from empathic.metrics.replies import MEASURES, Tools, tokens
    from empathic.metrics.vectors import find_vectors, read_vectors
    from empathic.models.sentence_encoder import SentenceEncoder

    measures = list(MEASURES.values()) if asked is None else list(asked)
    needed = {measure.needs for measure in measures}
    tools = Tools()
    file = vectors or (find_vectors() if "vectors" in needed else None)
    if file is not None and "vectors" in needed:
        tools = tools._replace(vectors=read_vectors(file, {word for text in texts for word in tokens(text)}))
    if "encoder" in needed:
        try:
            find_base("all-minilm-l6-v2", download=asked is not None)
            tools = tools._replace(encoder=SentenceEncoder(device=choose_device(device)))
        except ArtifactError:
            if asked is not None:
                raise
    if asked is None:
        for measure in measures:
            if measure.needs and getattr(tools, measure.needs) is None:
                note(f"{measure.name} is left out: it needs {measure.needs}, and there are none here")
        measures = [each for each in measures if not each.needs or getattr(tools, each.needs) is not None]
    return measures, tools
