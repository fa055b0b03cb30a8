"""Text is tidied, cut into words and folded in one way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empathic.corpora import read_dialogues
from empathic.text import fold, plain_words, tidy, words


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        ("  two   words \n", "two words"),
        ("a\tb\r\nc", "a b c"),
        ("nul\x00byte", "nul byte"),
        ("zero\u200bwidth\ufeff", "zero width"),
        ("cafe\u0301", "caf\u00e9"),
        ("\x85\x9f", ""),
        ("Keep, THIS - as it’s.", "Keep, THIS - as it’s."),
    ],
)
def test_tidy_composes_and_leaves_single_spaces_only(text: str, tidied: str) -> None:
    assert tidy(text) == tidied


@given(st.text())
def test_tidying_twice_changes_nothing_more(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_plain_text_loses_spaces_and_nothing_else(text: str) -> None:
    assert tidy(text) == " ".join(filter(None, text.split(" ")))


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("I don't know.", ["I", "don't", "know", "."]),
        ("It’s a well-being-thing", ["It’s", "a", "well-being-thing"]),
        ("'quoted' - really?!", ["'", "quoted", "'", "-", "really", "?", "!"]),
        ("naïve 3 cafés", ["naïve", "3", "cafés"]),
        (" \n ", []),
    ],
)
def test_words_keep_inner_marks_and_set_others_apart(text: str, cut: list[str]) -> None:
    assert words(text) == cut


@given(st.text())
def test_words_lose_nothing_but_white_space(text: str) -> None:
    assert "".join(words(text)) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Don't stop!", "don t stop"),
        ("CAFÉ  Café cafe\u0301", "cafe cafe cafe"),
        ("Straße", "strasse"),
        ("ﬁne ①", "fine 1"),
        ("... !", ""),
    ],
)
def test_fold_leaves_words_alone_without_case_marks_or_accents(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("I'm sorry, I can't come.", "i am sorry , i can not come ."),
        ("It wasn't me -- they're late!", "it was not me -- they are late !"),
        ("Wait... what? You should've said", "wait ... what ? you should 've said"),
        ("my mum's dog ate 1,000 cookies; he's fine (now)", "my mum 's dog ate 1,000 cookies ; he 's fine ( now )"),
        ("He wouldn't. Dr. Who did at 5 p.m. today.", "he would n't . dr. who did at 5 p.m. today ."),
        ("I'm gonna go, gotta run & cost $5", "i am gon na go , got ta run & cost $ 5"),
        ("the boys' house 'quoted' words", "the boys ' house ' quoted ' words"),
        ("", ""),
    ],
)
def test_plain_words_are_cut_as_the_arrays_of_moel_are(text: str, cut: str) -> None:
    assert " ".join(plain_words(text)) == cut


def test_what_is_cut_stays_as_it_is_when_it_is_cut_again() -> None:
    for dialogue in read_dialogues("sample"):
        for turn in dialogue.turns:
            words = plain_words(turn.text)
            assert plain_words(" ".join(words)) == words
