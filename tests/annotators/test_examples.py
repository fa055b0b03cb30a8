"""Each source gives what its corpus says, and nothing of a test split is a training example."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.annotators.examples import SOURCES, Span, examples, unlabelled
from empathic.annotators.factors import READINGS
from empathic.annotators.readings import Line
from empathic.dialogue import Dialogue, Turn, to_json
from empathic.errors import UsageError
from empathic.taxonomy import ACTS, SITUATION_EMOTIONS

HEADS = {head.name: head for reading in READINGS for head in reading.heads}


@pytest.fixture(autouse=True)
def data_folder(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPATHIC_DATA", str(published))


@pytest.mark.parametrize("source", sorted(SOURCES))
def test_every_answer_is_one_that_its_head_can_give(source: str) -> None:
    found = [example for split in ("train", "valid", "test") for example in examples(source, split)]
    assert found
    for example in found:
        for name, answer in example.answers.items():
            head = HEADS[name]
            if head.kind == "single":
                assert isinstance(answer, int)
                assert 0 <= answer < len(head.labels)
            elif head.kind == "words":
                assert isinstance(answer, tuple)
                for span in answer:
                    assert isinstance(span, Span)
                    assert 0 <= span.begin < span.end <= len(example.script[span.turn].text)


def test_contexts_end_before_a_listener_s_response_and_carry_the_speaker_s_emotion() -> None:
    example = next(examples("contexts", "test"))
    assert example.script[-1].role == "speaker"
    assert SITUATION_EMOTIONS[example.answers["feeling"]]  # type: ignore[index]


def test_utterances_labelled_by_hand_are_for_testing_only() -> None:
    assert list(examples("acts-by-hand", "train")) == []
    labels = {ACTS[example.answers["act"]] for example in examples("acts-by-hand", "test")}  # type: ignore[index]
    assert labels == {"others", "wishing"}


def test_causes_are_asked_for_behind_the_emotion_up_to_the_turn_that_shows_it() -> None:
    for split in ("train", "valid", "test"):
        for example in examples("causes", split):
            turns = example.answers["cause"]
            assert isinstance(turns, tuple)
            assert all(1 <= turn < len(example.script) for turn in turns)  # type: ignore[operator]
            assert example.script[0].text != "neutral"


def test_a_corpus_without_answers_is_laid_out_as_each_reading_reads_it(tmp_path: Path) -> None:
    turns = tuple(Turn("listener" if n % 2 else "speaker", f"number {n}") for n in range(4))
    file = tmp_path / "mine.jsonl"
    file.write_bytes(to_json(Dialogue("a", turns, emotion="sad")) + b"\n")
    lines = tuple(Line(turn.role, turn.text) for turn in turns)
    found = {each.name: [example.script for example in unlabelled(str(file), each.name, None)] for each in READINGS}
    assert found["utterance"] == [(line,) for line in lines]
    assert found["exchange"] == [lines[0:2], lines[2:4]]
    assert found["context"] == [lines[:1], lines[:3]]
    assert found["cause"] == [(Line("speaker", "sad"), *lines[:1]), (Line("speaker", "sad"), *lines[:3])]


def test_an_unknown_source_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'contexts'"):
        examples("context", "test")
