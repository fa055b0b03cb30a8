"""GGUF files read to tensors: the header checked for every length, the weights unpacked as llama.cpp packs them.

Written here because reading a vocabulary through the `gguf` package takes two seconds of every start; the figures are
those of that package, bit for bit.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from empathic.errors import ArtifactError

__all__ = ["GGUF", "read_gguf"]

MAGIC = b"GGUF"
VERSIONS = (2, 3)
ALIGNMENT = "general.alignment"
MOST_DIMENSIONS = 4
DEEPEST_ARRAY = 2

_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9


@dataclass(frozen=True)
class GGUF:
    """What a GGUF file holds: what it says of the model, and the weights as float32 under llama.cpp's names."""

    metadata: dict[str, Any]
    tensors: dict[str, Tensor]


@dataclass(frozen=True)
class _Packing:
    """How a type packs weights: `block` of them in `size` bytes."""

    name: str
    block: int
    size: int
    unpack: Callable[[Tensor], Tensor]


def read_gguf(path: Path) -> GGUF:
    """Reads a file whole; `ArtifactError` says what is wrong with a damaged one, or one of a type unknown here."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) as data:
            return _read(path, data)
    except (OSError, ValueError) as error:  # ValueError: an empty file cannot be mapped
        raise ArtifactError(f"{path}: cannot be read as GGUF: {error}") from error


def _read(path: Path, data: mmap.mmap) -> GGUF:
    header = _Header(path, data)
    if header.take(4) != MAGIC:
        raise ArtifactError(f"{path}: not a GGUF file")
    version = header.number("<I")
    if version not in VERSIONS:
        raise ArtifactError(f"{path}: GGUF version {version}; known: 2 and 3")
    tensor_count, pair_count = header.number("<Q"), header.number("<Q")
    metadata = {header.text(): header.value(header.number("<I")) for _ in range(pair_count)}
    described = [header.described() for _ in range(tensor_count)]
    alignment = metadata.get(ALIGNMENT, 32)
    if not isinstance(alignment, int) or alignment < 1:
        raise ArtifactError(f"{path}: {ALIGNMENT} is {alignment!r}")
    start = -(-header.position // alignment) * alignment
    tensors = {
        name: _tensor(path, data, name, shape, packed_as, start + offset)
        for name, shape, packed_as, offset in described
    }
    return GGUF(metadata, tensors)


class _Header:
    """The header, taken from the front; nothing is read beyond the end of the file."""

    def __init__(self, path: Path, data: mmap.mmap) -> None:
        self.path = path
        self.data = data
        self.position = 0

    def take(self, size: int) -> bytes:
        end = self.position + size
        if end > len(self.data):
            raise ArtifactError(f"{self.path}: ends within its header; the file is cut short")
        taken = self.data[self.position : end]
        self.position = end
        return taken

    def number(self, form: str) -> Any:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def text(self) -> str:
        return self.take(self.number("<Q")).decode("utf-8", errors="replace")

    def value(self, kind: int, depth: int = 0) -> Any:
        if kind in _SCALARS:
            return self.number(_SCALARS[kind])
        if kind == _STRING:
            return self.text()
        if kind == _ARRAY and depth < DEEPEST_ARRAY:
            inner, count = self.number("<I"), self.number("<Q")
            if count > len(self.data):
                raise ArtifactError(f"{self.path}: a list in its header is longer than the file")
            return [self.value(inner, depth + 1) for _ in range(count)]
        raise ArtifactError(f"{self.path}: a value of unknown type {kind} in its header")

    def described(self) -> tuple[str, tuple[int, ...], int, int]:
        """A tensor's name, its shape (outermost first), its type and its offset."""
        name, dimensions = self.text(), self.number("<I")
        if dimensions > MOST_DIMENSIONS:
            raise ArtifactError(f"{self.path}: the tensor {name!r} has {dimensions} dimensions")
        shape = tuple(self.number("<Q") for _ in range(dimensions))
        return name, shape[::-1], self.number("<I"), self.number("<Q")


def _tensor(path: Path, data: mmap.mmap, name: str, shape: tuple[int, ...], packed_as: int, begin: int) -> Tensor:
    packing = _PACKINGS.get(packed_as)
    if packing is None:
        known = ", ".join(known.name for known in _PACKINGS.values())
        raise ArtifactError(f"{path}: the tensor {name!r} is packed as type {packed_as}; known here: {known}")
    count = 1
    for extent in shape:
        count *= extent
    blocks, rest = divmod(count, packing.block)
    size = blocks * packing.size
    if rest or begin + size > len(data):
        raise ArtifactError(f"{path}: the tensor {name!r} does not fit in the file; the file is damaged or cut short")
    if not count:
        return torch.empty(shape)
    raw = torch.frombuffer(data, dtype=torch.uint8, count=size, offset=begin).clone()
    return packing.unpack(raw.view(blocks, packing.size)).reshape(shape)


def _scale(blocks: Tensor, at: int) -> Tensor:
    """The half-precision number that stands at this byte of every block."""
    return blocks[:, at : at + 2].contiguous().view(torch.float16).float()


def _nibbles(packed: Tensor) -> Tensor:
    """The lower halves of the bytes, then the upper ones."""
    return torch.cat((packed & 0x0F, packed >> 4), dim=1)


def _f32(blocks: Tensor) -> Tensor:
    return blocks.view(torch.float32)


def _f16(blocks: Tensor) -> Tensor:
    return blocks.view(torch.float16).float()


def _bf16(blocks: Tensor) -> Tensor:
    return blocks.view(torch.bfloat16).float()


def _q8_0(blocks: Tensor) -> Tensor:
    return blocks[:, 2:].contiguous().view(torch.int8).float() * _scale(blocks, 0)


def _q4_0(blocks: Tensor) -> Tensor:
    return (_nibbles(blocks[:, 2:]).float() - 8.0) * _scale(blocks, 0)


def _q4_1(blocks: Tensor) -> Tensor:
    scaled = _nibbles(blocks[:, 4:]).float() * _scale(blocks, 0)
    return scaled + _scale(blocks, 2)


_PACKINGS = {
    0: _Packing("F32", 1, 4, _f32),
    1: _Packing("F16", 1, 2, _f16),
    2: _Packing("Q4_0", 32, 18, _q4_0),
    3: _Packing("Q4_1", 32, 20, _q4_1),
    8: _Packing("Q8_0", 32, 34, _q8_0),
    30: _Packing("BF16", 1, 2, _bf16),
}
