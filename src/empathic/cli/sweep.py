"""`empathic sweep`."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from empathic.cli._terminal import note, say

if TYPE_CHECKING:
    from empathic.experiments.side_by_side import Job

__all__ = ["sweep"]


def sweep(
    *recipes: str,
    over: Annotated[tuple[str, ...], Parameter(name=("--over", "-o"))] = (),
    change: Annotated[tuple[str, ...], Parameter(name=("--set", "-s"))] = (),
    runs: Path = Path("runs"),
    side_by_side: Annotated[int, Parameter(validator=Number(gte=1))] = 1,
    device: str | None = None,
) -> int:
    """Train several recipes, or one under several settings: a run for each of all that can be combined.

    Each has a folder named after the recipe and what is other in it, and a log beside it. Given again, the command
    takes up what was ended and leaves alone what is finished. empathic compare holds the runs against each other.

    Args:
        recipes: Names of recipes, or TOML files of your own.
        over: A setting with the values to try, as training.rate=1e-4,3e-4; may be given several times.
        change: A setting for all of them, as training.epochs=2; may be given several times.
        runs: Where the runs' folders go.
        side_by_side: How many are trained at once.
        device: What to compute on, such as cpu or cuda:1; a GPU where there is one by default.
    """
    from empathic.errors import UsageError
    from empathic.experiments.recipes import load_recipe
    from empathic.experiments.side_by_side import train_side_by_side

    if not recipes:
        raise UsageError("no recipe is named", remedy="empathic train lists those that there are")
    jobs = [job for recipe in recipes for job in _jobs(recipe, over, change)]
    for job in jobs:
        load_recipe(job.recipe, job.changes)  # what is wrong is said before hours have gone by
    ended = train_side_by_side(
        jobs,
        runs,
        at_once=side_by_side,
        device=device,
        told=lambda job, well: note(f"{job.name}: {'done' if well else f'FAILED, see {runs / job.name}.log'}"),
    )
    for job in jobs:
        if ended[job.name]:
            say(str(runs / job.name))
    return 0 if all(ended.values()) else 1


def _jobs(recipe: str, over: tuple[str, ...], change: tuple[str, ...]) -> list[Job]:
    from empathic.errors import UsageError
    from empathic.experiments.side_by_side import Job

    name = Path(recipe).stem if recipe.endswith(".toml") else recipe
    axes = []
    for axis in over:
        key, equals, values = axis.partition("=")
        if not equals or not values:
            raise UsageError(f"{axis!r} tries nothing: write KEY=VALUE,VALUE")
        axes.append([f"{key}={value}" for value in values.split(",")])
    return [Job("-".join((name, *map(_short, chosen))), recipe, (*change, *chosen)) for chosen in product(*axes)]


def _short(change: str) -> str:
    """What a change adds to a run's name: "seed-1", of training.seed=1."""
    key, _, value = change.partition("=")
    return f"{key.rpartition('.')[2]}-{value.replace('/', '-')}"
