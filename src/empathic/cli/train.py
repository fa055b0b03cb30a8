"""`empathic train`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from empathic.cli._terminal import note, progress, say

if TYPE_CHECKING:
    from empathic.experiments.runs import Run
    from empathic.training import Workers

__all__ = ["train"]


def train(
    recipe: str | None = None,
    /,
    *,
    run: Path | None = None,
    change: Annotated[tuple[str, ...], Parameter(name=("--set", "-s"))] = (),
    device: str | None = None,
    json: bool = False,
) -> int:
    """Train a model by a recipe; without a recipe, list those that come with the package.

    All that comes of it goes to the run's folder: the recipe, the log, checkpoints, the model and what was measured. A
    run that was ended goes on from its last checkpoint when the same command is given again. Under torchrun, several
    processes train as one.

    Args:
        recipe: A recipe's name, such as annotators/utterance-mpnet, or a TOML file of your own.
        run: The run's folder; runs/ and the recipe's name by default.
        change: Change a setting of the recipe, as training.epochs=2; may be given several times.
        device: What to compute on, such as cpu or cuda:1; a GPU where there is one by default.
        json: Print the result as JSON.
    """
    from empathic.experiments.recipes import load_recipe, recipe_names

    if recipe is None:
        for name in recipe_names():
            say(f"{name:<28} {load_recipe(name).about}")
        return 0
    from empathic.experiments.runs import Run
    from empathic.training import join

    chosen = load_recipe(recipe, change)
    name = Path(recipe).stem if recipe.endswith(".toml") else recipe
    with join(device) as workers:
        opened = Run(run or Path("runs", name), chosen)
        if opened.finished:
            note(f"{opened.folder} is finished; remove it, or name another folder with --run, to train anew")
            result = opened.result()
        else:
            with opened.held() if workers.leads else nullcontext():
                result = _carry_out(opened, name, workers)
        if workers.leads:
            _print(opened.folder, result, json)
    return 0


def _carry_out(opened: Run[Any], name: str, workers: Workers) -> dict[str, Any]:
    """Runs a recipe, and shows how far it has come."""
    from empathic.experiments.annotators import run_annotator
    from empathic.experiments.recipes import AnnotatorRecipe
    from empathic.experiments.responders import run_responder

    speak = note if workers.leads else (lambda _: None)
    with progress() as shown, _told_when_interrupted(speak, opened.folder):
        task = shown.add_task(name, total=None, visible=False)

        def tell(what: str, step: int, steps: int, figures: Mapping[str, float]) -> None:
            shown.update(task, completed=step, total=steps, visible=True)
            if what == "step":
                shown.update(task, description=f"{name}: loss {figures['loss']:.3f}")
            elif workers.leads:
                shown.console.print(f"step {step:,} of {steps:,}: {_main_figures(figures)}", highlight=False)

        if isinstance(opened.recipe, AnnotatorRecipe):
            return run_annotator(opened, name, workers, note=speak, tell=tell)
        return run_responder(opened, name, workers, note=speak, tell=tell)


@contextmanager
def _told_when_interrupted(speak: Callable[[str], None], folder: Path) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        speak(f"interrupted; the same command goes on from the last checkpoint in {folder}")
        raise


def _main_figures(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.4f}" for name, value in figures.items() if not name.endswith("count"))


def _print(folder: Path, result: Mapping[str, object], as_json: bool) -> None:
    import msgspec

    if as_json:
        say(msgspec.json.format(msgspec.json.encode(result), indent=2).decode())
        return
    tested = result["test"]
    assert isinstance(tested, dict)
    # An annotator is measured on several sources, a responder on one.
    several = {source: figures for source, figures in tested.items() if isinstance(figures, dict)}
    for source, figures in (several or {"test": tested}).items():
        say(source)
        for figure, value in figures.items():
            say(f"  {figure:<44} {value:>10,.0f}" if figure.endswith("count") else f"  {figure:<44} {value:>10.4f}")
    say(f"\n{folder}")
