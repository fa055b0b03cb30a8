"""The real corpora hold as many records as their authors published; skipped where they are not on this machine."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from empathic import corpora
from empathic.corpora import Defect
from empathic.corpora.empathy_mental_health import FILES
from empathic.dialogue import Dialogue, Inference

DATA = os.environ.get("EMPATHIC_DATA")


@pytest.fixture(autouse=True)
def data_folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every corpus is looked for where the environment of the test run says, not among the samples."""
    if not DATA:
        pytest.skip("EMPATHIC_DATA names no folder with the real corpora")
    monkeypatch.setenv("EMPATHIC_DATA", DATA)
    return Path(DATA)


def read_real(name: str, part: str | None = None) -> tuple[list[Dialogue | Inference], list[Defect]]:
    folder = corpora.find(name).folder_path()
    if not folder.is_dir():
        pytest.skip(f"there is no {folder}")
    defects: list[Defect] = []
    return list(corpora.read(name, part=part, report=defects.append)), defects


def splits_of(records: list[Dialogue | Inference]) -> dict[str | None, int]:
    return dict(Counter(record.split for record in records))


@pytest.mark.parametrize(
    ("name", "part", "splits"),
    [
        ("conceptnet", None, {None: 225_202}),
        ("dailydialog", None, {"train": 11_118, "valid": 1_000, "test": 1_000}),
        ("edos", "workers", {None: 10_245}),
        ("edos", "similar", {None: 3_196}),
        ("edos", "self-labelled", {None: 4_100}),
        ("edos", "similar-self", {None: 2_118}),
        ("empathetic-intents", None, {"train": 25_023, "valid": 3_544, "test": 3_225}),
        ("empathetic-intents", "lexical", {"train": 35_612, "valid": 5_179, "test": 4_675}),
        ("empathetic-intents", "manual", {None: 506}),
        ("film-scripts", None, {None: 1_114}),
        ("goemotions", None, {"train": 43_410, "valid": 5_426, "test": 5_427}),
        ("reccon", None, {"train": 834, "valid": 47, "test": 225}),
        ("reccon", "iemocap", {"test": 16}),
        ("social-iqa", None, {"train": 33_410, "valid": 1_954}),
    ],
)
def test_every_record_of_a_split_is_read(name: str, part: str | None, splits: dict[str | None, int]) -> None:
    records, defects = read_real(name, part)
    assert splits_of(records) == splits
    assert defects == []


@pytest.fixture(scope="module")
def empathetic_dialogues() -> dict[str, list[Dialogue]]:
    if not DATA or not (Path(DATA) / "empatheticdialogues").is_dir():
        pytest.skip("EMPATHIC_DATA has no empatheticdialogues")
    path = Path(DATA) / "empatheticdialogues"
    return {
        split: list(corpora.read_dialogues("empathetic-dialogues", split=split, path=path, strict=True))
        for split in ("train", "valid", "test")
    }


@pytest.mark.parametrize(
    ("split", "conversations", "utterances", "pairs"),
    [("train", 19_544, 84_224, 40_278), ("valid", 2_765, 12_059, 5_730), ("test", 2_544, 10_961, 5_255)],
)
def test_empathetic_dialogues_has_all_conversations_utterances_and_pairs(
    empathetic_dialogues: dict[str, list[Dialogue]], split: str, conversations: int, utterances: int, pairs: int
) -> None:
    counted = corpora.count(empathetic_dialogues[split])
    assert (counted.records, counted.turns, counted.exchanges) == (conversations, utterances, pairs)


@pytest.mark.parametrize(("split", "examples"), [("train", 40_276), ("valid", 5_728), ("test", 5_253)])
def test_by_moel_s_rules_the_rebuilt_files_lose_the_pairs_of_their_last_conversation(
    empathetic_dialogues: dict[str, list[Dialogue]], split: str, examples: int
) -> None:
    assert sum(1 for _ in corpora.moel_examples(iter(empathetic_dialogues[split]))) == examples


def test_empathy_mental_health_keeps_every_row_with_its_published_levels() -> None:
    records, defects = read_real("empathy-mental-health")
    dialogues = [record for record in records if isinstance(record, Dialogue)]
    assert defects == []
    assert len({dialogue.id for dialogue in dialogues}) == len(dialogues) == 3_084
    assert sum(dialogue.id.count("-") == 2 for dialogue in dialogues) == 61
    labels = corpora.count(dialogues).labels
    assert {mechanism: labels[f"turn {mechanism.replace('_', ' ')}"] for mechanism in FILES} == {
        "emotional_reaction": {"none": 2_037, "weak": 895, "strong": 152},
        "interpretation": {"none": 1_626, "strong": 1_344, "weak": 114},
        "exploration": {"none": 2_604, "strong": 376, "weak": 104},
    }


def test_event2mind_has_all_rows_and_events() -> None:
    records, defects = read_real("event2mind")
    inferences = [record for record in records if isinstance(record, Inference)]
    rows = {(inference.split, inference.labels["row"]) for inference in inferences}
    events = {(inference.split, inference.head) for inference in inferences}
    assert defects == []
    assert dict(Counter(split for split, _ in rows)) == {"train": 46_472, "valid": 5_401, "test": 5_221}
    assert dict(Counter(split for split, _ in events)) == {"train": 20_131, "valid": 2_326, "test": 2_259}


def test_synthetic_persona_chat_has_all_rows_but_an_empty_one() -> None:
    records, defects = read_real("synthetic-persona-chat")
    splits = splits_of(records)
    empty = [defect for defect in defects if defect.line is not None]
    assert (splits["valid"], splits["test"] + len(empty)) == (1_000, 968)
    assert [defect.what for defect in empty] == ["an empty conversation"]


def test_the_annotated_part_of_empathetic_intents_covers_all_32_emotions() -> None:
    records, defects = read_real("empathetic-intents", "annotated")
    assert defects == []
    assert len({record.emotion for record in records if isinstance(record, Dialogue)}) == 32


def test_film_scripts_have_all_turns() -> None:
    records, _ = read_real("film-scripts")
    assert sum(len(record.turns) for record in records if isinstance(record, Dialogue)) == 901_871
