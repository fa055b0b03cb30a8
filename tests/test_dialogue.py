"""Records are immutable values with views of themselves and a form in JSON."""

from __future__ import annotations

import msgspec
import pytest

from empathic.dialogue import (
    Cause,
    Dialogue,
    Exchange,
    Factors,
    Inference,
    Mechanism,
    Mechanisms,
    Turn,
    from_json,
    to_json,
)

TURNS = (
    Turn("listener", "What happened?"),
    Turn("speaker", "The ferry left."),
    Turn("listener", "Without you?"),
    Turn("listener", "Oh dear."),
    Turn("speaker", "With my bag."),
)
DIALOGUE = Dialogue("d1", TURNS, emotion="annoyed", situation="A missed ferry", persona=("I sail.",))


def test_every_listener_turn_but_an_opening_one_is_an_exchange() -> None:
    assert [exchange.id for exchange in DIALOGUE.exchanges()] == ["d1#2", "d1#3"]


def test_an_exchange_holds_all_turns_before_its_response() -> None:
    assert next(DIALOGUE.exchanges()) == Exchange(
        "d1#2", TURNS[:2], TURNS[2], emotion="annoyed", situation="A missed ferry", persona=("I sail.",)
    )


def test_a_dialogue_in_which_only_the_speaker_speaks_has_no_exchanges() -> None:
    assert list(Dialogue("d2", (Turn("speaker", "Hello?"), Turn("speaker", "Anyone?"))).exchanges()) == []


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        DIALOGUE.emotion = "joyful"  # type: ignore[misc]


def test_records_are_compared_by_value() -> None:
    assert Turn("speaker", "a", factors=Factors(act="others")) == Turn("speaker", "a", factors=Factors(act="others"))
    assert Turn("speaker", "a") != Turn("listener", "a")


def test_json_leaves_defaults_out() -> None:
    assert to_json(Dialogue("d3", (Turn("speaker", "Oh"),))) == (
        b'{"id":"d3","turns":[{"role":"speaker","text":"Oh"}]}'
    )


def test_json_keeps_factors_whole() -> None:
    factors = Factors(
        Mechanisms(exploration=Mechanism(2, ("Without you?",))),
        act="questioning",
        emotion="surprise",
        fine_emotions=("surprise", "curiosity"),
        intent="questioning",
        causes=(Cause(1, "The ferry left."), Cause(0)),
    )
    turn = Turn("listener", "Without you?", name="Ida", factors=factors, labels={"own": "label"})
    assert from_json(to_json(turn), Turn) == turn


@pytest.mark.parametrize(
    ("line", "kind", "complaint"),
    [
        (
            b'{"id": "d", "turns": [{"role": "narrator", "text": ""}]}',
            Dialogue,
            r"'narrator' - at `\$\.turns\[0\]\.role`",
        ),
        (b'{"id": "d", "turns": [], "colour": "red"}', Dialogue, "unknown field `colour`"),
        (b'{"id": "d"}', Dialogue, "missing required field `turns`"),
        (b'{"level": 3}', Mechanism, "Invalid enum value 3"),
        (b'{"head": "a", "relation": "xReact"}', Inference, "missing required field `tail`"),
    ],
    ids=["unknown role", "unknown field", "no turns", "level out of range", "no tail"],
)
def test_json_of_another_shape_is_refused_with_the_place(line: bytes, kind: type, complaint: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=complaint):
        from_json(line, kind)
