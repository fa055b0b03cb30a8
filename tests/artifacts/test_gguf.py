"""GGUF files: read as llama.cpp packs them, refused where they are damaged."""

import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from empathic.artifacts import find_base, read_gguf
from empathic.errors import ArtifactError

gguf = pytest.importorskip("gguf")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with one tensor of every type that is read, written by the reference package."""
    path = tmp_path_factory.mktemp("gguf") / "small.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint32("llama.block_count", 2)
    writer.add_float32("epsilon", 0.5)
    writer.add_bool("flag", val=True)
    writer.add_array("tokens", ["a", "é", ""])
    values = np.random.default_rng(0).normal(size=(6, 64)).astype(np.float32)
    for name in ("F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1"):
        kind = gguf.GGMLQuantizationType[name]
        writer.add_tensor(name, gguf.quantize(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def reference(path: Path) -> dict[str, Any]:
    return {each.name: gguf.dequantize(each.data, each.tensor_type) for each in gguf.GGUFReader(path).tensors}


def test_every_type_is_unpacked_as_the_reference_does(small: Path) -> None:
    expected = reference(small)
    found = read_gguf(small).tensors
    assert found.keys() == expected.keys()
    for name, tensor in found.items():
        assert np.array_equal(tensor.numpy(), expected[name]), name


def test_metadata_comes_with_its_types(small: Path) -> None:
    metadata = read_gguf(small).metadata
    assert metadata["general.architecture"] == "llama"
    assert metadata["llama.block_count"] == 2
    assert metadata["epsilon"] == 0.5
    assert metadata["flag"] is True
    assert metadata["tokens"] == ["a", "é", ""]


def test_the_base_language_model_is_unpacked_as_the_reference_does() -> None:
    file = find_base("smollm2-135m-instruct").files[0]
    found = read_gguf(file).tensors
    for name, expected in reference(file).items():
        assert np.array_equal(found[name].numpy(), expected), name


def test_an_unknown_packing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "odd.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    kind = gguf.GGMLQuantizationType.Q5_0
    writer.add_tensor("odd", gguf.quantize(np.zeros((1, 32), np.float32), kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(ArtifactError, match="'odd' is packed as type 6; known here: F32"):
        read_gguf(path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "cannot be read as GGUF"),
        (b"GGUF", "cut short"),
        (b"PK\x03\x04" + bytes(40), "not a GGUF file"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "GGUF version 1"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60), "cut short"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 4, 2**62), "longer than the file"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<I", 77), "unknown type 77"),
    ],
)
def test_a_damaged_header_is_an_error(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "damaged.gguf"
    path.write_bytes(content)
    with pytest.raises(ArtifactError, match=complaint):
        read_gguf(path)


def test_a_file_cut_short_or_with_flipped_bytes_is_read_or_refused(small: Path, tmp_path: Path) -> None:
    whole = small.read_bytes()
    chance = random.Random(0)
    path = tmp_path / "damaged.gguf"
    refused = 0
    for _ in range(1000):
        content = bytearray(whole[: chance.randrange(len(whole))] if chance.random() < 0.3 else whole)
        for _ in range(chance.randrange(8)):
            if content:
                content[chance.randrange(min(len(content), 600))] = chance.randrange(256)
        path.write_bytes(content)
        try:
            assert all(isinstance(tensor, torch.Tensor) for tensor in read_gguf(path).tensors.values())
        except ArtifactError:
            refused += 1
    assert refused > 300
