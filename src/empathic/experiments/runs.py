"""A run folder: the recipe, what it was run with and on, the log, the checkpoint, the model and the result."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from empathic import __version__
from empathic.errors import DataError, UsageError
from empathic.experiments.recipes import Recipe
from empathic.growing import held_file
from empathic.storage import whole_file

__all__ = ["Run", "fingerprint", "versions"]

RECIPE, ABOUT, DROPPED, RESULT = "recipe.json", "run.json", "dropped.jsonl", "result.json"
NAMED = ("torch", "transformers", "tokenizers", "safetensors", "numpy", "scipy", "sacrebleu")


R = TypeVar("R", bound=Recipe)


class Run(Generic[R]):
    """A folder that belongs to one recipe; opening it again goes on with it."""

    def __init__(self, folder: Path, recipe: R) -> None:
        """Opens or makes the folder, and refuses one that was made with another recipe."""
        self.folder = folder
        self.recipe = recipe
        written = msgspec.json.format(msgspec.json.encode(recipe), indent=2) + b"\n"
        there = folder / RECIPE
        if there.is_file() and _read(there) != msgspec.json.decode(written):
            raise UsageError(
                f"{folder} is a run of another recipe or of other settings", remedy="name another with --run"
            )
        with whole_file(there) as file:
            file.write(written)

    @property
    def model(self) -> Path:
        """Where the trained model goes."""
        return self.folder / "model"

    @property
    def finished(self) -> bool:
        """Whether there is a result."""
        return (self.folder / RESULT).is_file()

    def result(self) -> dict[str, Any]:
        """What was measured."""
        found: dict[str, Any] = _read(self.folder / RESULT)
        return found

    @contextmanager
    def held(self) -> Iterator[None]:
        """Inside, no other process works in the folder."""
        refusal = UsageError(f"another process is working in {self.folder}", remedy="wait for it, or name another run")
        with held_file(self.folder / ".held", refusal):
            yield

    def write(self, name: str, what: Any) -> None:
        """Writes one of the run's JSON files whole."""
        with whole_file(self.folder / name) as file:
            file.write(msgspec.json.format(msgspec.json.encode(what), indent=2) + b"\n")

    def write_lines(self, name: str, what: Iterable[Any]) -> None:
        """Writes one of the run's JSONL files whole."""
        with whole_file(self.folder / name) as file:
            file.writelines(msgspec.json.encode(each) + b"\n" for each in what)


def _read(file: Path) -> Any:
    try:
        return msgspec.json.decode(file.read_bytes())
    except (msgspec.MsgspecError, OSError) as error:
        raise DataError(f"{file}: damaged: {error}", remedy=f"remove {file.parent} and train anew") from error


def versions(device: str) -> dict[str, str]:
    """What a run was made with."""
    found = {"empathic": __version__, "python": platform.python_version(), "device": device}
    for name in NAMED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # run from a folder on the path, without having been installed
            continue
    return found


def fingerprint(things: Iterable[Any]) -> str:
    """Changes with anything that was learned from, or with its order."""
    digest = hashlib.sha256()
    for thing in things:
        digest.update(msgspec.json.encode(thing))
    return digest.hexdigest()[:16]
