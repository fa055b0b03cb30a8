"""A model folder: `config.json`, `model*.safetensors`, `tokenizer.json`, and a card for people in `README.md`.

`config.json` says what the folder is (kind, format, licence), how the model was made (settings) and the sha256 of every
other file. Weights lie in shards under 25 MB; a tensor larger than that is cut into pieces that keep its name, and its
shape stands beside the last of them. A folder is written whole or not at all, and nothing in it is ever unpickled.
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
SHAPE = "shape of "
"""What a tensor that was cut looked like stands in the metadata of each shard that holds a piece of it."""
CONFIG, TOKENIZER, CARD = "config.json", "tokenizer.json", "README.md"
PICKLED = frozenset({".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".npy", ".joblib"})


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`config.json`."""

    kind: str
    """What sort of model it is: the name that the code which loads it asks for."""
    name: str
    licence: str
    about: str = ""
    """What it does, in a sentence."""
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
            cut = [each for each in shard if shard[each].shape != tensors[each].shape]
            shapes = {SHAPE + each: msgspec.json.encode(list(tensors[each].shape)).decode() for each in cut}
            (unfinished / name).write_bytes(save(shard, metadata={"format": "pt"} | shapes))
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
    shapes: dict[str, str] = {}
    for shard in _shard_files(folder, manifest):
        try:
            with safe_open(shard, framework="pt") as file:
                shapes |= file.metadata() or {}
                for name in file.offset_keys():
                    pieces.setdefault(name, []).append(file.get_tensor(name))
        except (SafetensorError, OSError) as error:
            raise _damaged(shard, error) from error
    tensors = {}
    for name, parts in pieces.items():
        try:
            shape = shapes.get(SHAPE + name)
            tensors[name] = parts[0]
            if shape is not None:
                tensors[name] = torch.cat(parts).reshape(msgspec.json.decode(shape, type=list[int]))
        except (RuntimeError, msgspec.MsgspecError) as error:
            raise _damaged(folder, error) from error
    return Artifact(folder, manifest, tensors)


def _damaged(place: Path, error: Exception) -> ArtifactError:
    folder = place if place.is_dir() else place.parent
    return ArtifactError(f"{place}: damaged: {error}", remedy=f"empathic models verify {folder}")


def read_manifest(folder: Path) -> Manifest:
    """What a model folder says of itself."""
    if not folder.is_dir():
        refuse_pickles(folder)
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


def refuse_pickles(place: Path) -> None:
    """Raises where a folder offers pickles, or a file is one."""
    for file in sorted(place.iterdir()) if place.is_dir() else [place]:
        if PICKLED & {suffix.lower() for suffix in file.suffixes}:
            raise ArtifactError(
                f"{file} is refused: pickled weights can run any program when they are opened",
                remedy="save them as safetensors where you trust their origin",
            ) from None


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
    if tensor.numel() * tensor.element_size() <= SHARD_BYTES:
        return (tensor,)
    return torch.split(tensor.flatten(), SHARD_BYTES // tensor.element_size())


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
