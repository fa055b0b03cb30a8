"""Where trained annotators lie: a folder that is one, a run that made one, or a folder with several of these."""

from __future__ import annotations

from pathlib import Path

from empathic.annotators.factors import READINGS
from empathic.annotators.folder import KIND
from empathic.artifacts import read_manifest
from empathic.errors import ArtifactError, UsageError

__all__ = ["annotators_in", "the_one"]

OF_A_RUN = "model"
"""What a run calls the folder of the model that it made."""


def annotators_in(root: Path) -> dict[str, list[Path]]:
    """By reading: the model folders of what was trained for it.

    What `root` itself is comes before what lies in it, and what is called as the reading before all others of it.
    """
    itself = _annotator(root)
    if itself is not None:
        reading, folder = itself
        return {reading: [folder]}
    found: dict[str, dict[str, Path]] = {}
    for child in _children(root):
        if (each := _annotator(child)) is not None:
            reading, folder = each
            found.setdefault(reading, {})[child.name] = folder
    return {
        reading: [folders[reading]] if reading in folders else list(folders.values())
        for reading, folders in found.items()
    }


def the_one(folders: list[Path], reading: str, root: Path) -> Path:
    """The annotator that is used of those there are for a reading."""
    if len(folders) > 1:
        names = ", ".join(str(folder.relative_to(root)) for folder in folders)
        raise UsageError(
            f"{root} holds several annotators for the reading {reading!r}: {names}",
            remedy=f"call the one that is meant {reading!r}, or name a folder that holds no other",
        )
    return folders[0]


def _annotator(place: Path) -> tuple[str, Path] | None:
    """The reading that a place holds an annotator for, and the model's folder."""
    for folder in (place, place / OF_A_RUN):
        try:
            manifest = read_manifest(folder)
        except (ArtifactError, OSError):
            continue
        reading = manifest.settings.get("reading")
        if manifest.kind == KIND and reading in [each.name for each in READINGS]:
            return reading, folder
    return None


def _children(root: Path) -> list[Path]:
    try:
        return sorted(root.iterdir()) if root.is_dir() else []
    except OSError as error:
        raise ArtifactError(f"{root}: cannot be read: {error.strerror}") from error
