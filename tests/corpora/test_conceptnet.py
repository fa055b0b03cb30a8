from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from empathic import corpora
from empathic.corpora import Defect
from empathic.dialogue import Inference
from empathic.errors import DataError


def test_relations_that_atomic_took_over_carry_its_names() -> None:
    assert list(corpora.read("conceptnet", strict=True)) == [
        Inference("cat", "CapableOf", "purr", "conceptnet", weight=2.3219),
        Inference("cat", "xReason", "be warm", "conceptnet", weight=1.0, labels={"relation": "MotivatedByGoal"}),
        Inference("cat", "IsA", "dog", "conceptnet", weight=-1.585),
    ]


def test_damaged_lines_are_located_and_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "assertions.tsv.gz"
    lines = ["cat\tIsA\tpet\t1.0", "cat IsA pet", "cat\t\tpet\t1.0", "cat\tIsA\tpet\tmuch", "cat\tIsA\tpet\tnan"]
    file.write_bytes(gzip.compress("\n".join([*lines, "dog\tIsA\tpet\t2.0"]).encode()))
    defects: list[Defect] = []
    inferences = list(corpora.read_inferences("conceptnet", path=file, report=defects.append))
    assert [(inference.head, inference.weight) for inference in inferences] == [("cat", 1.0), ("dog", 2.0)]
    assert [(defect.line, defect.what) for defect in defects] == [
        (2, "expected CONCEPT, RELATION, CONCEPT and WEIGHT with tabs between"),
        (3, "expected CONCEPT, RELATION, CONCEPT and WEIGHT with tabs between"),
        (4, "'much' is no weight"),
        (5, "'nan' is no weight"),
    ]


@pytest.mark.parametrize("kept", [20, -8], ids=["in the middle", "before the checksum"])
def test_an_archive_that_is_cut_off_is_named(tmp_path: Path, kept: int) -> None:
    file = tmp_path / "assertions.tsv.gz"
    file.write_bytes(gzip.compress(b"cat\tIsA\tpet\t1.0\n" * 50)[:kept])
    with pytest.raises(DataError, match=r"assertions\.tsv\.gz:(\d+:)? damaged archive"):
        list(corpora.read("conceptnet", path=file, strict=True))
