"""Dialogues come back as they were, in their order, with what was read off them; nothing that is said breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic import corpora
from empathic.annotators import FACTORS, Annotator, annotate
from empathic.annotators.factors import TONE
from empathic.dialogue import Dialogue, Factors, Turn
from empathic.errors import ArtifactError, UsageError
from empathic.taxonomy import ACTS, EMOTIONS, EMOTIONS_AND_INTENTS, GOEMOTIONS, MECHANISMS, SITUATION_EMOTIONS

ODD = [
    "",
    " ",
    "\x00\x1b\ud800",
    "🥹" * 300,
    "私は悲しいです。",
    "العربية كذلك",
    "Ỳ̈̃" * 50,
    "no" * 50_000,
    "word " * 20_000,
    "\n\t\r\n",
    "[CLS] [SEP] [PAD]",
    "a",
]
TALK = Dialogue(
    "talk",
    (
        Turn("speaker", "I failed my driving test again."),
        Turn("listener", "Oh no, I am so sorry. What happened?"),
        Turn("speaker", "I hit the curb and my sister laughed at me."),
        Turn("listener", "That was not kind of her."),
    ),
)


@pytest.fixture(scope="module")
def annotator(tiny_annotators: Path) -> Annotator:
    return Annotator(models=tiny_annotators, top=3, device="cpu")


def factors_of(dialogue: Dialogue) -> list[Factors]:
    return [turn.factors for turn in dialogue.turns if turn.factors is not None]


def test_every_turn_gets_the_factors_of_its_role_and_nothing_else_changes(annotator: Annotator) -> None:
    (annotated,) = annotator.annotate([TALK])
    assert [(turn.role, turn.text) for turn in annotated.turns] == [(turn.role, turn.text) for turn in TALK.turns]
    speaker, listener, later, _ = factors_of(annotated)
    for factors in (speaker, listener):
        assert factors.act in ACTS
        assert factors.emotion in EMOTIONS
        assert factors.intent in EMOTIONS_AND_INTENTS
        assert set(factors.fine_emotions) <= set(GOEMOTIONS)
        assert factors.fine_emotions
    assert speaker.feeling in SITUATION_EMOTIONS
    assert speaker.mechanisms is None
    assert listener.feeling is None
    assert listener.mechanisms is not None
    assert all(getattr(listener.mechanisms, name) is not None for name in MECHANISMS)
    assert all(0 <= cause.turn <= 2 for cause in later.causes)


def test_probabilities_are_of_the_likeliest_labels_in_order(annotator: Annotator) -> None:
    (annotated,) = annotator.annotate([TALK])
    for factors in factors_of(annotated):
        for name in ("act", "emotion", "intent"):
            given = list(factors.probabilities[name].items())
            assert len(given) == 3
            assert given[0][0] == getattr(factors, name)
            assert [value for _, value in given] == sorted((value for _, value in given), reverse=True)
            assert 0 < sum(value for _, value in given) <= 1.001


def test_the_words_that_show_a_mechanism_stand_in_the_response(annotator: Annotator) -> None:
    for dialogue in annotator.annotate(corpora.read_dialogues("sample", split="test")):
        for turn in dialogue.turns:
            if turn.factors and turn.factors.mechanisms:
                for name in MECHANISMS:
                    assert all(words in turn.text for words in getattr(turn.factors.mechanisms, name).rationale)


@pytest.mark.parametrize("said", ODD, ids=range(len(ODD)))
def test_anything_may_be_said(annotator: Annotator, said: str) -> None:
    talk = Dialogue("odd", (Turn("speaker", said), Turn("listener", said), Turn("speaker", said)))
    (annotated,) = annotator.annotate([talk])
    assert [turn.text for turn in annotated.turns] == [said] * 3
    assert all(turn.factors is not None and turn.factors.emotion in EMOTIONS for turn in annotated.turns)


def test_dialogues_without_turns_and_of_very_many_come_back_in_their_places(annotator: Annotator) -> None:
    long = Dialogue("long", tuple(Turn("listener" if turn % 2 else "speaker", f"Turn {turn}.") for turn in range(300)))
    given = [Dialogue("none", ()), long, Dialogue("none again", ()), TALK]
    found = list(annotator.annotate(given))
    assert [dialogue.id for dialogue in found] == [dialogue.id for dialogue in given]
    assert len(factors_of(found[1])) == 300


def test_what_is_read_does_not_depend_on_what_is_read_beside_it(annotator: Annotator) -> None:
    many = list(corpora.read_dialogues("sample", split="test"))
    together = [factors.intent for each in annotator.annotate(many) for factors in factors_of(each)]
    alone = [factors.intent for each in many for found in annotator.annotate([each]) for factors in factors_of(found)]
    # In bfloat16 a close call may fall otherwise.
    same = sum(one == other for one, other in zip(together, alone, strict=True))
    assert same >= 0.97 * len(together)


def test_a_text_by_itself_is_a_dialogue_of_one_turn(tiny_annotators: Path) -> None:
    (annotated,) = annotate("I won!", models=tiny_annotators, factors=["emotion"], device="cpu")
    (factors,) = factors_of(annotated)
    assert factors.emotion in EMOTIONS
    assert factors.act is None
    assert factors.feeling is None


def test_what_was_there_stays_where_nothing_new_is_read(tiny_annotators: Path) -> None:
    before = Factors(act="wishing", emotion="joy", probabilities={"act": {"wishing": 0.9}})
    talk = Dialogue("talk", (Turn("listener", "Good luck!", factors=before),))
    (annotated,) = annotate(talk, models=tiny_annotators, factors=["emotion"], device="cpu")
    (factors,) = factors_of(annotated)
    assert factors.act == "wishing"
    assert set(factors.probabilities) == {"act", "emotion"}


def test_causes_alone_bring_no_feeling_with_them(tiny_annotators: Path) -> None:
    (annotated,) = annotate(TALK, models=tiny_annotators, factors=["causes"], device="cpu")
    assert {factors.feeling for factors in factors_of(annotated)} == {None}
    assert "feeling" not in factors_of(annotated)[0].probabilities


def test_a_lexicon_gives_the_tone_and_nothing_for_words_it_does_not_know(tmp_path: Path) -> None:
    lexicon = tmp_path / "tones.txt"
    lexicon.write_text("Word\tValence\tArousal\tDominance\nhappy\t0.9\t0.6\t0.7\nsad\t0.1\t0.3\t0.2\n")
    known, mixed, unknown = (
        factors_of(each)[0]
        for each in annotate(["Happy!", "happy, sad, so?", "xyzzy"], factors=[TONE], lexicon=lexicon, device="cpu")
    )
    assert (known.polarity, known.valence, known.arousal, known.dominance) == ("positive", 0.9, 0.6, 0.7)
    assert (mixed.polarity, mixed.valence) == (None, 0.5)
    assert (unknown.polarity, unknown.valence) == (None, None)


def test_factors_and_models_that_are_not_there_are_named(tiny_annotators: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no factor 'emotions'; did you mean 'emotion'"):
        Annotator(["emotions"], models=tiny_annotators)
    (tmp_path / "utterance").symlink_to(tiny_annotators / "utterance")
    with pytest.raises(ArtifactError, match=r"no trained model for the reading 'context'.*empathic train"):
        Annotator(["feeling"], models=tmp_path)
    with pytest.raises(ArtifactError, match="there is no folder"):
        Annotator(["feeling"], models=tmp_path / "none")
    with pytest.raises(UsageError, match="ask for one at least"):
        Annotator(["act"], models=tiny_annotators, top=0)
    with pytest.raises(UsageError, match="there is no device 'gpu9' to compute on here"):
        Annotator(["act"], models=tiny_annotators, device="gpu9")


def test_all_factors_have_a_name_that_annotations_know() -> None:
    known = set(Factors.__struct_fields__) | {TONE}
    assert set(FACTORS) <= known
