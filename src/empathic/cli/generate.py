"""`empathic generate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from empathic.cli._decoded_by import DecodedBy
from empathic.cli._terminal import note, progress, say, status

if TYPE_CHECKING:
    from empathic.experiments.responder_data import Item
    from empathic.models.kinds import Trained

__all__ = ["generate"]

NOTHING = DecodedBy()


def generate(
    model: str,
    /,
    *,
    split: str = "test",
    corpus: str | None = None,
    decoded_by: DecodedBy = NOTHING,
    intent: str | None = None,
    to: Path | None = None,
    seed: int = 0,
    at_once: int = 64,
    first: int | None = None,
    device: str | None = None,
) -> int:
    """Reply to every context of a corpus's split, beside what people replied.

    The replies of a run go to its folder, under replies/ and the way of decoding, where empathic evaluate finds them;
    those of a model folder go to the file that --to names. Given again, the command goes on where it was ended.

    Args:
        model: A run's folder, a model folder, or a responder that comes with the package.
        split: The split.
        corpus: What is replied to; what the run was measured on by default.
        intent: One of the 41 emotions and intents that every reply shall have, for models that plan one.
        to: The JSONL file that the replies go to.
        seed: Each item's chance follows from it.
        at_once: How many contexts are decoded together; it changes no reply.
        first: Reply to so many only.
        device: What to compute on, such as cpu or cuda:1; a GPU where there is one by default.
    """
    from empathic.cli._responder import load_named
    from empathic.compute import choose_device
    from empathic.dialogue import Plan
    from empathic.errors import UsageError
    from empathic.experiments.generation import decoding_name, write_replies_to
    from empathic.models.trained_responder import TrainedResponder
    from empathic.taxonomy import EMOTIONS_AND_INTENTS

    if intent is not None:
        EMOTIONS_AND_INTENTS.index(intent)
    if at_once < 1 or (first is not None and first < 1):
        raise UsageError("--at-once and --first are numbers of contexts: 1 at least")
    with status(f"Loading {model} ..."):
        trained = load_named(model, choose_device(device))
        decoding = decoded_by.change(trained.settings.decoding)
        items = _items(Path(model), trained, corpus, split)[:first]
    if intent is not None and not trained.model.plans_intents:
        raise UsageError(f"{model} plans no emotion and no intent, and replies by none", remedy="leave out --intent")
    name = decoding_name(decoding) + (f"-{intent}" if intent else "") + (f"-seed-{seed}" if seed else "")
    if to is None:
        if not (Path(model) / "recipe.json").is_file():
            raise UsageError(f"{model} is no run: say with --to which file the replies go to")
        # All that decides which replies they are stands in the name, so that what is there is what was asked for.
        parts = (Path(corpus).stem if corpus else None, split, f"first-{first}" if first else None)
        to = Path(model) / "replies" / name / f"{'-'.join(filter(None, parts))}.jsonl"
    if to.is_file():
        note(f"{to} is there; remove it to reply anew")
        return 0
    with progress() as shown:
        task = shown.add_task(name, total=len(items))
        write_replies_to(
            to,
            TrainedResponder(trained, decoding),
            items,
            plan=Plan(intent=intent) if intent else None,
            seed=seed,
            at_once=at_once,
            told=lambda more: shown.advance(task, more),
        )
    say(str(to))
    return 0


def _items(folder: Path, trained: Trained, corpus: str | None, split: str) -> list[Item]:
    """What is replied to: as the run's recipe lays it out, or every listener's turn of a corpus."""
    import msgspec

    from empathic.errors import DataError
    from empathic.experiments.responder_data import measured_on
    from empathic.experiments.responder_recipe import DataSettings, ResponderRecipe

    settings = trained.settings
    data = DataSettings(
        measured_on=settings.measured_on, turns=settings.turns, intents="annotated" if settings.intents else "none"
    )
    recipe = folder / "recipe.json"
    if recipe.is_file():
        try:
            data = msgspec.json.decode(recipe.read_bytes(), type=ResponderRecipe).data
        except msgspec.MsgspecError as error:
            raise DataError(f"{recipe}: damaged: {error}") from error
    if corpus is not None:
        data = msgspec.structs.replace(data, measured_on=corpus, examples="listener")
    items = measured_on(data, split)
    if not items:
        raise DataError(f"{data.measured_on} holds nothing to reply to in the split {split!r}")
    return items
