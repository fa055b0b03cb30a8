"""What stands in a test split is recognised, however it is written, and short texts are everybody's."""

from __future__ import annotations

import pytest

from empathic.training import TestTexts


@pytest.fixture
def tests() -> TestTexts:
    known = TestTexts()
    known.add(["My dog ate the whole birthday cake yesterday.", "Oh no!"])
    return known


@pytest.mark.parametrize(
    "text",
    ["My dog ate the whole birthday cake yesterday.", "my dog ate the WHOLE birthday cake, yesterday"],
    ids=["as it is", "written otherwise"],
)
def test_a_text_of_a_test_split_is_recognised_among_other_turns(tests: TestTexts, text: str) -> None:
    found = tests.overlap(["Hello there", text])
    assert found is not None
    assert (found.text, found.reason) == (text, "a text of a test split")


def test_a_short_text_alone_is_no_overlap_but_with_what_it_answers_it_is(tests: TestTexts) -> None:
    assert tests.overlap(["Something else altogether happened here today.", "Oh no!"]) is None
    assert tests.overlap(["Oh no!"]) is None
    short = TestTexts()
    short.add(["He left.", "Oh no!"])
    assert short.overlap(["He left."]) is None
    assert short.overlap(["Well.", "He left", "oh no"]) == ("He left / oh no", "a pair of a test split")
