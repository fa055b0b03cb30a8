"""Words and pieces: text to numbers and back, marks apart, the same after saving."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from empathic.errors import ArtifactError
from empathic.models.vocabulary import MARKS, UNKNOWN, learn_pieces, learn_words, load_vocabulary
from empathic.text import tidy

TEXTS = ["I'm so sorry to hear that!", "That is great, isn't it?", "we don't know ... yet.", "It's my mum's dog."]
PIECES = learn_pieces(TEXTS, 400)
WORDS = learn_words(TEXTS)


def test_words_are_numbered_by_how_often_they_come_behind_the_marks() -> None:
    vocabulary = learn_words(["a b b c", "b c"])
    assert vocabulary.rows() == {"b": len(MARKS), "c": len(MARKS) + 1, "a": len(MARKS) + 2}
    assert learn_words(["a b b c", "b c"], fewest=2).rows().keys() == {"b", "c"}


def test_a_word_that_is_not_known_is_unknown() -> None:
    (tokens,) = WORDS.encode(["I'm sorry, zebra"])
    assert tokens[-1] == UNKNOWN
    assert UNKNOWN not in tokens[:3]


def test_words_are_set_as_a_person_would_write_them() -> None:
    (tokens,) = WORDS.encode(["that is great , i do not know ... yet . is it ?"])
    assert WORDS.decode(tokens) == "That is great, I do not know... yet. Is it?"


@given(some.text(alphabet=some.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_survives_pieces(text: str) -> None:
    (tokens,) = PIECES.encode([text])
    assert PIECES.decode(tokens) == tidy(text)
    assert min(tokens, default=len(MARKS)) >= len(MARKS)


@pytest.mark.parametrize("vocabulary", [WORDS, PIECES], ids=["words", "pieces"])
@pytest.mark.parametrize("mark", MARKS)
def test_a_user_who_types_a_mark_has_typed_signs(vocabulary: object, mark: str) -> None:
    (tokens,) = vocabulary.encode([f"so {mark} that"])  # type: ignore[attr-defined]
    assert MARKS.index(mark) not in tokens or MARKS.index(mark) == UNKNOWN


@pytest.mark.parametrize("vocabulary", [WORDS, PIECES], ids=["words", "pieces"])
def test_a_vocabulary_is_the_same_after_saving(vocabulary: object, tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(vocabulary.dumped(), encoding="utf-8")  # type: ignore[attr-defined]
    again = load_vocabulary(file, vocabulary.units)  # type: ignore[attr-defined]
    assert again.size == vocabulary.size  # type: ignore[attr-defined]
    assert again.encode(TEXTS) == vocabulary.encode(TEXTS)  # type: ignore[attr-defined]


def test_a_file_that_is_no_vocabulary_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text("{}")
    with pytest.raises(ArtifactError, match=r"tokenizer\.json: no vocabulary can be read"):
        load_vocabulary(file, "words")
