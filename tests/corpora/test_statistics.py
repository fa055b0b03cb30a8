"""What a corpus holds, counted."""

from __future__ import annotations

from empathic import corpora
from empathic.corpora import Lengths, Statistics
from empathic.dialogue import Cause, Dialogue, Factors, Inference, Mechanism, Mechanisms, Turn

FACTORS = Factors(
    Mechanisms(exploration=Mechanism(2)),
    act="questioning",
    fine_emotions=("joy", "relief"),
    causes=(Cause(0), Cause(1)),
)
DIALOGUES = [
    Dialogue(
        "a",
        (
            Turn("speaker", "I won!"),
            Turn("listener", "Really? What?", factors=FACTORS),
            Turn("speaker", "A goat."),
            Turn("listener", "Oh."),
        ),
        split="train",
        emotion="joyful",
        labels={"topic": "farm"},
    ),
    Dialogue("b", (Turn("listener", "Hm?", labels={"tone": "flat"}),), split="train", emotion="joyful"),
    Dialogue("c", (), emotion="sad"),
]


def test_dialogues_are_counted_with_their_turns_lengths_and_labels() -> None:
    assert corpora.count(DIALOGUES) == Statistics(
        records=3,
        splits={"train": 2, "without split": 1},
        turns=5,
        exchanges=2,
        roles={"speaker": 2, "listener": 3},
        turns_per_dialogue=Lengths(mean=1.67, median=1, p95=4, max=4),
        words_per_turn=Lengths(mean=2.8, median=3, p95=4, max=4),
        words_per_context=Lengths(mean=6.5, median=3, p95=10, max=10),
        words_per_response=Lengths(mean=3.0, median=2, p95=4, max=4),
        labels={
            "emotion": {"joyful": 2, "sad": 1},
            "turn act": {"questioning": 1},
            "turn fine emotion": {"joy": 1, "relief": 1},
            "turn causes": {"2": 1},
            "turn exploration": {"strong": 1},
            "label topic": {"farm": 1},
            "turn label tone": {"flat": 1},
        },
    )


def test_inferences_are_counted_by_relation() -> None:
    inferences = [Inference("a", relation, "b") for relation in ("xWant", "xReact", "xWant")]
    assert corpora.count(inferences) == Statistics(
        records=3, splits={"without split": 3}, labels={"relation": {"xWant": 2, "xReact": 1}}
    )


def test_nothing_is_counted_as_nothing() -> None:
    assert corpora.count([]) == Statistics(records=0, splits={})


def test_labels_that_are_free_text_are_not_counted_out() -> None:
    dialogues = [Dialogue(str(n), (), labels={"title": f"Film {n}", "place": "here"}) for n in range(101)]
    assert corpora.count(dialogues).labels == {"label place": {"here": 101}}


def test_the_95th_percentile_is_the_smallest_length_that_95_in_100_do_not_exceed() -> None:
    dialogues = [Dialogue(str(size), (Turn("speaker", "w " * size),)) for size in range(1, 101)]
    assert corpora.count(dialogues).words_per_turn == Lengths(mean=50.5, median=50, p95=95, max=100)
