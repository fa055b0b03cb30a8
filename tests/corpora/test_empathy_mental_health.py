from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empathic import corpora
from empathic.corpora import Defect
from empathic.corpora.empathy_mental_health import FILES, side_of
from empathic.dialogue import Dialogue, Factors, Mechanism, Mechanisms, Turn

NAME = "empathy-mental-health"
HEADER = "sp_id,rp_id,seeker_post,response_post,level,rationales\n"
Read = Callable[..., tuple[list[Dialogue], list[str]]]


@pytest.fixture
def read_rows(tmp_path: Path) -> Read:
    """Writes the rows of each mechanism's file, reads the three, and returns the dialogues and the defects."""

    def read(**rows: str) -> tuple[list[Dialogue], list[str]]:
        for mechanism, text in rows.items():
            (tmp_path / FILES[mechanism]).write_text(HEADER + text)
        defects: list[Defect] = []
        dialogues = list(corpora.read_dialogues(NAME, path=tmp_path, report=defects.append))
        return dialogues, [str(defect).removeprefix(f"{tmp_path}/") for defect in defects]

    return read


def test_three_files_are_joined_to_one_response_with_three_mechanisms() -> None:
    assert next(corpora.read_dialogues(NAME, strict=True)) == Dialogue(
        "p1-r1",
        (
            Turn("speaker", "I cannot sleep, again."),
            Turn(
                "listener",
                "Nights like that are long. What keeps you up?",
                factors=Factors(
                    Mechanisms(
                        emotional_reaction=Mechanism(1, ("Nights like that are long",)),
                        interpretation=Mechanism(0),
                        exploration=Mechanism(2, ("What keeps you up?",)),
                    )
                ),
            ),
        ),
        NAME,
        side_of("I cannot sleep, again."),
    )


def test_a_pair_that_was_annotated_twice_is_kept_twice_under_distinct_ids() -> None:
    dialogues = {dialogue.id: dialogue for dialogue in corpora.read_dialogues(NAME, strict=True)}
    assert list(dialogues) == ["p1-r1", "p1-r2", "p2-r3", "p2-r3-2"]
    assert emotional_reaction(dialogues["p2-r3"]) == Mechanism(2, ("I am sorry, truly",))
    assert emotional_reaction(dialogues["p2-r3-2"]) == Mechanism(1, ("I am sorry",))


def test_a_text_over_several_lines_is_one_turn() -> None:
    assert list(corpora.read_dialogues(NAME))[2].turns[0].text == "My cat ran away.\nI looked everywhere."


def test_all_responses_to_a_post_stand_on_one_side(read_rows: Read) -> None:
    rows = "".join(f"p{n},r{n},Post {n % 100},Response {n},1,\n" for n in range(200))
    dialogues, _ = read_rows(emotional_reaction=rows, interpretation=rows, exploration=rows)
    sides: dict[str, set[str | None]] = {}
    for dialogue in dialogues:
        sides.setdefault(dialogue.turns[0].text, set()).add(dialogue.split)
    assert len(sides) == 100
    assert all(len(side) == 1 for side in sides.values())
    assert set.union(*sides.values()) == {"train", "valid", "test"}


@given(st.text())
def test_case_marks_and_spaces_do_not_move_a_post_to_another_side(post: str) -> None:
    assert side_of(f"  {post} ... !\n") == side_of(post)


def test_about_three_quarters_of_the_posts_are_for_training() -> None:
    sides = [side_of(f"post number {number}") for number in range(4000)]
    assert 0.73 < sides.count("train") / 4000 < 0.77
    assert 0.18 < sides.count("test") / 4000 < 0.22


def test_a_split_holds_its_own_side_only() -> None:
    everything = list(corpora.read_dialogues(NAME))
    for split in ("train", "valid", "test"):
        expected = [dialogue.id for dialogue in everything if dialogue.split == split]
        assert [dialogue.id for dialogue in corpora.read_dialogues(NAME, split=split)] == expected


def test_damaged_rows_are_located_in_their_own_file_and_the_rest_is_read(read_rows: Read) -> None:
    good = "p1,r1,A post,A response,1,\np2,r2,A post,Another,0,\np3,r3,A post,A third,2,third|\n"
    dialogues, defects = read_rows(
        emotional_reaction=good,
        interpretation=good.replace("Another,0", "Another,7"),
        exploration=good.replace("p3,r3,A post,", "p3,r3,"),
    )
    assert [dialogue.id for dialogue in dialogues] == ["p1-r1"]
    assert defects == [
        "explorations-reddit.csv:4: 5 fields where the header has 6",
        "interpretations-reddit.csv:3: '7' is no level; it is 0, 1 or 2",
        "emotional-reactions-reddit.csv:3: not all of a post, a response and three levels",
        "explorations-reddit.csv: there is no row for post 'p3' and response 'r3'",
        "emotional-reactions-reddit.csv:4: not all of a post, a response and three levels",
    ]


def emotional_reaction(dialogue: Dialogue) -> Mechanism | None:
    factors = dialogue.turns[1].factors
    assert factors is not None
    assert factors.mechanisms is not None
    return factors.mechanisms.emotional_reaction
