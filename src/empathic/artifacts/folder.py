"""A model folder: `config.json`, `model*.safetensors`, `tokenizer.json`, and a card for people in `README.md`.

`config.json` says what the folder is (kind, format, licence), how the model was made (settings) and the sha256 of every
other file. Weights lie in shards under 25 MB; a tensor larger than that is cut along its first dimension and its pieces
keep its name. A folder is written whole or not at all, and nothing in it is ever unpickled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from empathic.errors import ArtifactError
from empathic.storage import whole_folder

__all__ = [
    "FORMAT",
    "SHARD_BYTES",
    "Artifact",
    "Manifest",
    "is_model_folder",
    "load_model",
    "read_manifest",
    "refuse_pickles",
    "save_model",
    "verify_model",
]

FORMAT = 1
SHARD_BYTES = 24_000_000
CONFIG, TOKENIZER, CARD = "config.json", "tokenizer.json", "README.md"
PICKLED = frozenset({".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".npy", ".joblib"})


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`config.json`."""

    kind: str
    """What sort of model it is: the name that the code which loads it asks for."""
    name: str
    licence: str
    settings: dict[str, Any] = {}
    """What the model is built from before its weights are put in."""
    figures: dict[str, Any] = {}
    """What was measured on it."""
    sha256: dict[str, str] = {}
    format: int = FORMAT


@dataclass(frozen=True)
class Artifact:
    """A loaded model folder."""

    folder: Path
    manifest: Manifest
    tensors: dict[str, Tensor]

    @property
    def tokenizer_file(self) -> Path:
        return self.folder / TOKENIZER

    @property
    def card(self) -> str:
        return (self.folder / CARD).read_text(encoding="utf-8")


def save_model(
    folder: Path, manifest: Manifest, tensors: Mapping[str, Tensor], *, tokenizer: str | None = None, card: str
) -> None:
    """Writes a model folder.

    Args:
        folder: What it is to be called; one that stands there is replaced at the end.
        manifest: What it is; the checksums are filled in here.
        tensors: The weights by name.
        tokenizer: The text of a `tokenizer.json`, where the model reads text.
        card: What a person should know: data, figures, limits, licence. Markdown.
    """
    with whole_folder(folder) as unfinished:
        shards = list(_shards(tensors))
        for number, shard in enumerate(shards, 1):
            name = "model.safetensors" if len(shards) == 1 else f"model-{number:05}-of-{len(shards):05}.safetensors"
            (unfinished / name).write_bytes(save(shard, metadata={"format": "pt"}))
        if tokenizer is not None:
            (unfinished / TOKENIZER).write_text(tokenizer, encoding="utf-8")
        (unfinished / CARD).write_text(card, encoding="utf-8")
        sums = {file.name: _sha256(file) for file in sorted(unfinished.iterdir())}
        written = msgspec.json.encode(msgspec.structs.replace(manifest, sha256=sums, format=FORMAT))
        (unfinished / CONFIG).write_bytes(msgspec.json.format(written, indent=2) + b"\n")


def load_model(folder: Path, *, kind: str) -> Artifact:
    """Reads a model folder of that kind, or says by name why it is none."""
    manifest = read_manifest(folder)
    if manifest.kind != kind:
        raise ArtifactError(f"{folder} holds a model of kind {manifest.kind!r}; {kind!r} is needed here")
    pieces: dict[str, list[Tensor]] = {}
    for shard in _shard_files(folder, manifest):
        try:
            with safe_open(shard, framework="pt") as file:
                for name in file.offset_keys():
                    pieces.setdefault(name, []).append(file.get_tensor(name))
        except (SafetensorError, OSError) as error:
            raise ArtifactError(f"{shard}: damaged: {error}", remedy=f"empathic models verify {folder}") from error
    tensors = {name: parts[0] if len(parts) == 1 else torch.cat(parts) for name, parts in pieces.items()}
    return Artifact(folder, manifest, tensors)


def read_manifest(folder: Path) -> Manifest:
    """What a model folder says of itself."""
    if not folder.is_dir():
        if folder.suffix in PICKLED:
            raise _pickled(folder)
        raise ArtifactError(f"there is no model folder {folder}", remedy="empathic models list")
    try:
        manifest = msgspec.json.decode((folder / CONFIG).read_bytes(), type=Manifest)
    except FileNotFoundError:
        refuse_pickles(folder)
        raise ArtifactError(f"{folder} is no model folder: there is no {CONFIG} in it") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ArtifactError(f"{folder / CONFIG}: not the configuration of a model of empathic: {error}") from error
    if manifest.format != FORMAT:
        raise ArtifactError(f"{folder} is of format {manifest.format}; this version reads format {FORMAT}")
    return manifest


def is_model_folder(folder: Path) -> bool:
    """Whether a folder is one of empathic's; a folder of Hugging Face's has a `config.json` too, but another one."""
    try:
        read_manifest(folder)
    except ArtifactError:
        return False
    return True


def refuse_pickles(folder: Path) -> None:
    """Raises where a folder offers pickles."""
    for file in sorted(folder.iterdir()):
        if file.suffix in PICKLED:
            raise _pickled(file) from None


def verify_model(folder: Path) -> list[str]:
    """What is wrong with a model folder, file by file; nothing where all is well."""
    manifest = read_manifest(folder)
    wrong = []
    for name, expected in manifest.sha256.items():
        file = folder / name
        if Path(name).name != name or not file.is_file():
            wrong.append(f"{file}: missing")
        elif _sha256(file) != expected:
            wrong.append(f"{file}: not the file that was saved")
    unknown = sorted(file.name for file in folder.iterdir() if file.name not in {*manifest.sha256, CONFIG})
    return wrong + [f"{folder / name}: not part of the model" for name in unknown]


def _shard_files(folder: Path, manifest: Manifest) -> list[Path]:
    names = sorted(name for name in manifest.sha256 if name.endswith(".safetensors") and Path(name).name == name)
    missing = [name for name in names if not (folder / name).is_file()]
    if missing or not names:
        raise ArtifactError(
            f"{folder}: {missing[0] if missing else 'model.safetensors'} is missing",
            remedy=f"empathic models verify {folder}",
        )
    return [folder / name for name in names]


def _shards(tensors: Mapping[str, Tensor]) -> Iterator[dict[str, Tensor]]:
    """Tensors, or pieces of them, gathered in order into shards that stay below the limit."""
    shard: dict[str, Tensor] = {}
    filled = 0
    for name, tensor in tensors.items():
        for piece in _pieces(tensor):
            size = piece.numel() * piece.element_size()
            if shard and (name in shard or filled + size > SHARD_BYTES):
                yield shard
                shard, filled = {}, 0
            shard[name] = piece.detach().cpu().contiguous().clone()
            filled += size
    yield shard


def _pieces(tensor: Tensor) -> tuple[Tensor, ...]:
    size = tensor.numel() * tensor.element_size()
    if size <= SHARD_BYTES or tensor.dim() == 0:
        return (tensor,)
    rows = max(1, SHARD_BYTES * len(tensor) // size)
    return torch.split(tensor, rows)


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _pickled(file: Path) -> ArtifactError:
    return ArtifactError(
        f"{file} is refused: pickled weights can run any program when they are opened",
        remedy="save them as safetensors where you trust their origin",
    )
