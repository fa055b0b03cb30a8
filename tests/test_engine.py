"""The engine: its steps in order, each replaceable, each passed over where it is not given."""

from collections.abc import Iterator

import pytest

from empathic.dialogue import Factors, Perception, Plan, Request, Turn
from empathic.engine import Engine, ResponderError

REQUEST = Request((Turn("speaker", "I failed my driving test again."),))


class Scripted:
    """Answers attempt by attempt as it was told to, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, *answers: list[str]) -> None:
        self.answers = answers
        self.asked: list[tuple[Request, int]] = []

    def respond(self, request: Request, *, seed: int) -> Iterator[str]:
        self.asked.append((request, seed))
        yield from self.answers[len(self.asked) - 1]


class Sad:
    def perceive(self, request: Request) -> Perception:
        return Perception((("disappointed", 0.8),))


class Consoling:
    def plan(self, request: Request, perception: Perception | None) -> Plan:
        assert perception is not None
        return Plan(act="consoling")


def test_turns_get_their_factors_before_anything_is_made_of_them() -> None:
    def questioning(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        return tuple(Turn(turn.role, turn.text, factors=Factors(intent="questioning")) for turn in turns)

    responder = Scripted(["Oh."])
    Engine(responder, annotate=questioning).reply(REQUEST)
    (request, _), *_ = responder.asked
    assert [turn.factors for turn in request.context] == [Factors(intent="questioning")]


def test_a_reply_carries_the_perception_and_the_plan_that_led_to_it() -> None:
    responder = Scripted(["That ", "hurts."])
    reply = Engine(responder, Sad(), Consoling()).reply(REQUEST)
    assert reply.text == "That hurts."
    assert reply.responder == "scripted"
    assert reply.perception == Perception((("disappointed", 0.8),))
    assert reply.plan == Plan(act="consoling")
    assert responder.asked[0][0].plan == Plan(act="consoling")


def test_steps_that_are_not_given_are_passed_over() -> None:
    reply = Engine(Scripted(["Yes."])).reply(REQUEST)
    assert (reply.perception, reply.plan) == (None, None)


def test_a_given_plan_is_not_planned_over() -> None:
    given = Request(REQUEST.context, plan=Plan(act="questioning"))
    reply = Engine(Scripted(["Why?"]), Sad(), Consoling()).reply(given)
    assert reply.plan == Plan(act="questioning")


def test_an_empty_answer_is_asked_for_again_with_another_seed() -> None:
    responder = Scripted([" ", "\n"], ["Oh no."])
    assert Engine(responder).reply(REQUEST, seed=5).text == "Oh no."
    assert [seed for _, seed in responder.asked] == [5, 6]


def test_the_engine_gives_up_with_the_reason() -> None:
    with pytest.raises(ResponderError, match="scripted gave no acceptable answer in 3 attempts: it is empty"):
        Engine(Scripted([], [], [])).reply(REQUEST)


def test_a_check_can_refuse_an_answer() -> None:
    def not_rude(_: Request, text: str) -> str | None:
        return "rude" if "stupid" in text else None

    engine = Engine(Scripted(["How stupid."], ["How sad."]), checks=(not_rude,))
    assert engine.reply(REQUEST).text == "How sad."


def test_a_stream_gives_the_text_piece_by_piece_and_then_the_reply() -> None:
    stream = Engine(Scripted(["  ", " That", " hurts. "])).stream(REQUEST)
    with pytest.raises(ResponderError, match="not finished"):
        _ = stream.reply
    assert list(stream) == ["That", " hurts. "]
    assert stream.reply.text == "That hurts."
