"""What is written and read again is the same, in every form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empathic import corpora
from empathic.corpora.arrow import from_batch, to_batches
from empathic.dialogue import Cause, Dialogue, Factors, Inference, Mechanism, Mechanisms, Turn

texts = st.text(max_size=30)
perhaps = st.none() | texts
tuples_of_texts = st.lists(texts, max_size=3).map(tuple)
labels = st.dictionaries(texts, texts, max_size=3)
mechanism = st.none() | st.builds(Mechanism, st.sampled_from((0, 1, 2)), tuples_of_texts)
numbers = st.floats(allow_nan=False, allow_infinity=False)
factors = st.builds(
    Factors,
    st.none() | st.builds(Mechanisms, mechanism, mechanism, mechanism),
    act=perhaps,
    emotion=perhaps,
    fine_emotions=tuples_of_texts,
    intent=perhaps,
    feeling=perhaps,
    causes=st.lists(st.builds(Cause, st.integers(0, 10_000), perhaps), max_size=3).map(tuple),
    polarity=perhaps,
    valence=st.none() | numbers,
    arousal=st.none() | numbers,
    dominance=st.none() | numbers,
    probabilities=st.dictionaries(texts, st.dictionaries(texts, numbers, max_size=3), max_size=3),
)
turns = st.builds(
    Turn, st.sampled_from(("speaker", "listener")), texts, name=perhaps, factors=st.none() | factors, labels=labels
)
dialogues = st.builds(
    Dialogue,
    texts,
    st.lists(turns, max_size=4).map(tuple),
    corpus=perhaps,
    split=perhaps,
    emotion=perhaps,
    situation=perhaps,
    persona=tuples_of_texts,
    speaker_persona=tuples_of_texts,
    labels=labels,
)
inferences = st.builds(
    Inference,
    texts,
    texts,
    texts,
    corpus=perhaps,
    split=perhaps,
    weight=st.none() | numbers,
    labels=labels,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
@pytest.mark.parametrize("kind", [dialogues, inferences], ids=["dialogues", "inferences"])
def test_records_survive_a_file_whole(folder: Path, suffix: str, kind: st.SearchStrategy[Any]) -> None:
    @given(st.lists(kind, max_size=3))
    def survive(records: list[Any]) -> None:
        file = folder / f"records{suffix}"
        assert corpora.write(records, file) == len(records)
        assert list(corpora.read(file, strict=True)) == records

    survive()


@pytest.mark.parametrize(
    ("strategy", "kind"), [(dialogues, Dialogue), (inferences, Inference)], ids=["dialogues", "inferences"]
)
def test_records_survive_arrow_whole(strategy: st.SearchStrategy[Any], kind: type[Any]) -> None:
    @given(st.lists(strategy, max_size=5))
    def survive(records: list[Any]) -> None:
        batches = list(to_batches(records, kind, size=2))
        assert [batch.num_rows for batch in batches] == [len(records[at : at + 2]) for at in range(0, len(records), 2)]
        assert [record for batch in batches for record in from_batch(batch, kind)] == records

    survive()


@given(written=st.lists(dialogues, max_size=4))
def test_turns_roles_and_emotion_survive_csv(folder: Path, written: list[Dialogue]) -> None:
    file = folder / "utterances.csv"
    corpora.write(written, file)
    assert list(corpora.read(file, strict=True)) == [
        Dialogue(
            dialogue.id, tuple(Turn(turn.role, turn.text) for turn in dialogue.turns), emotion=dialogue.emotion or None
        )
        for dialogue in written
    ]


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
@pytest.mark.parametrize("name", [corpus.name for corpus in corpora.known()])
def test_every_corpus_survives_conversion_whole(tmp_path: Path, name: str, suffix: str) -> None:
    records = list(corpora.read(name, strict=True))
    assert corpora.write(records, tmp_path / f"converted{suffix}") == len(records)
    assert list(corpora.read(tmp_path / f"converted{suffix}", strict=True)) == records
