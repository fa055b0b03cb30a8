from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic import corpora
from empathic.corpora import Defect
from empathic.corpora.social_iqa import relation_of
from empathic.dialogue import Inference
from empathic.errors import DataError


def test_the_right_answer_is_what_is_inferred_of_the_actor_or_of_others() -> None:
    assert list(corpora.read("social-iqa", strict=True)) == [
        Inference(
            "Robin lent Casey her boat.",
            "xReact",
            "generous",
            "social-iqa",
            "train",
            labels={"question": "How would Robin feel afterwards?", "person": "Robin"},
        ),
        Inference(
            "Robin lent Casey her boat.",
            "oWant",
            "sail it",
            "social-iqa",
            "train",
            labels={"question": "What will Casey want to do next?", "person": "Casey"},
        ),
        Inference(
            "Sasha hid under the table.",
            "xIntent",
            "to be found",
            "social-iqa",
            "valid",
            labels={"question": "Why did Sasha do this?", "person": "Sasha"},
        ),
    ]


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("What does Robin need to do before this?", "xNeed"),
        ("How would you describe Robin?", "xAttr"),
        ("How would Robin feel as a result?", "xReact"),
        ("Why did Robin do this?", "xIntent"),
        ("What will Robin want to do next?", "xWant"),
        ("What will happen to Robin?", "xEffect"),
        ("What does Casey need to do before this?", "oNeed"),
        ("How would you describe Casey?", "oAttr"),
        ("How would Casey feel as a result?", "oReact"),
        ("What will the others want to do next?", "oWant"),
        ("What will happen to Casey?", "oEffect"),
    ],
)
def test_the_question_decides_the_relation_and_its_person_the_side(question: str, relation: str) -> None:
    assert relation_of(question, "After lunch Robin lent Casey her boat.") == relation


@pytest.mark.parametrize(
    ("situation", "relation"),
    [
        ("robin lent casey her boat.", "xReact"),
        ("Seeing the storm, Robin lent Casey her boat.", "xReact"),
        ("Casey took the boat that Robin had lent him.", "oReact"),
        ("Everything that Robin's boat needed was there.", "xReact"),
    ],
)
def test_the_one_who_acts_is_the_one_named_first_however_it_is_written(situation: str, relation: str) -> None:
    assert relation_of("How would Robin feel afterwards?", situation) == relation


def write(folder: Path, items: list[str], labels: str) -> Path:
    file = folder / "train.jsonl"
    file.write_text("\n".join(items) + "\n")
    (folder / "train-labels.lst").write_text(labels)
    return file


def item(context: str = "Robin waited.", answer: str = "bored") -> str:
    return json.dumps(
        {
            "context": context,
            "question": "How would Robin feel?",
            "answerA": answer,
            "answerB": "tall",
            "answerC": "blue",
        }
    )


def test_damaged_lines_are_located_and_passed_over(tmp_path: Path) -> None:
    items = [item(), item(), item()[:-5], item(context=" "), item(answer=""), item(), item()]
    file = write(tmp_path, items, "1\n4\n1\n1\n1\n2\n")
    defects: list[Defect] = []
    inferences = list(corpora.read_inferences("social-iqa", path=file, report=defects.append))
    assert [inference.tail for inference in inferences] == ["bored", "tall"]
    assert [(defect.line, defect.what) for defect in defects] == [
        (2, "there is no label 1, 2 or 3 for it in train-labels.lst"),
        (3, "Input data was truncated"),
        (4, "an empty situation or answer"),
        (5, "an empty situation or answer"),
        (7, "there is no label 1, 2 or 3 for it in train-labels.lst"),
    ]


def test_without_its_labels_a_file_cannot_be_read(tmp_path: Path) -> None:
    file = write(tmp_path, [item()], "1\n")
    (tmp_path / "train-labels.lst").unlink()
    with pytest.raises(DataError, match=r"train-labels\.lst: there is no such file"):
        list(corpora.read("social-iqa", path=file))
