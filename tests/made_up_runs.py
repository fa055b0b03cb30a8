"""Run folders as responders leave them, made up: what they hold is plausible, and follows from a seed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from empathic import corpora
from empathic.dialogue import Exchange, Mechanism, Mechanisms, Plan
from empathic.experiments.outputs import Likelihood, SaidReply, write_emotion_vectors, write_likelihood, write_replies
from empathic.metrics.replies import tokens
from empathic.taxonomy import EMOTIONS_AND_INTENTS, SITUATION_EMOTIONS, polarity

STOCK = (
    "I am so sorry to hear that.",
    "That is great! I hope you have fun.",
    "What happened?",
    "I know how that feels.",
    "That sounds like a lot. How are you now?",
)


def exchanges(count: int = 40) -> list[Exchange]:
    """Exchanges of the sample corpus, from all of it."""
    found = [each for dialogue in corpora.read_dialogues("sample") for each in dialogue.exchanges()]
    return found[:: len(found) // count][:count]


def make_run(
    folder: Path,
    *,
    seed: int = 0,
    recipe: str = "mime",
    nats: float = 3.6,
    perceives: bool = True,
    plans: bool = False,
    among: Sequence[Exchange] | None = None,
    decodings: Sequence[str] = ("greedy",),
) -> Path:
    """A run whose responder finds people's responses so likely a token, and says one of a few things."""
    chance = np.random.default_rng([seed, *recipe.encode()])
    asked = exchanges() if among is None else among
    folder.mkdir(parents=True)
    settings = {"kind": "responder", "model": recipe, "training": {"seed": seed, "epochs": 2}}
    (folder / "recipe.json").write_text(json.dumps(settings))
    (folder / "run.json").write_text(json.dumps({"recipe": recipe}))
    result = {"recipe": recipe, "best step": {"response": 200}, "seconds": 61.5, "weights": 16_950_000}
    (folder / "result.json").write_text(json.dumps(result))
    with (folder / "log.jsonl").open("w") as log:
        for step in range(10, 310, 10):
            loss = nats + 3 * np.exp(-step / 80) + chance.normal(0, 0.05)
            log.write(json.dumps({"step": step, "loss": round(loss, 4), "rate": 1e-4}) + "\n")
            if step % 50 == 0:
                measured = {"perplexity": round(float(np.exp(loss + 0.1)), 3), "accuracy": round(step / 1000, 3)}
                log.write(json.dumps({"step": step, "measured": measured}) + "\n")
    write_likelihood(folder, "test", [_likelihood(each, nats, perceives, chance) for each in asked])
    for decoding in decodings:
        write_replies(folder, decoding, "test", [_said(each, plans, chance) for each in asked])
    if perceives:
        rows = [
            chance.normal(1.0 if polarity(label) == "positive" else -1.0, 0.6, 8).round(4).tolist()
            for label in SITUATION_EMOTIONS
        ]
        write_emotion_vectors(folder, SITUATION_EMOTIONS.labels, rows)
    return folder


def _likelihood(exchange: Exchange, nats: float, perceives: bool, chance: np.random.Generator) -> Likelihood:
    words = len(tokens(exchange.response.text)) + 1
    pieces = words + int(chance.integers(0, 4))
    told = Likelihood(
        id=exchange.id,
        emotion=exchange.emotion,
        loss=round(float(pieces * max(0.1, chance.normal(nats, 0.4))), 4),
        tokens=pieces,
        words=words,
        characters=len(exchange.response.text) + 1,
    )
    if not perceives:
        return told
    others = [each for each in chance.permutation(SITUATION_EMOTIONS.labels).tolist() if each != exchange.emotion]
    place = int(chance.integers(0, 9))
    emotions = [*others[:place], str(exchange.emotion), *others[place:]][:5]
    intents = tuple(chance.permutation(EMOTIONS_AND_INTENTS.labels).tolist()[:3])
    intent = intents[0] if chance.random() < 0.3 else "questioning"
    return Likelihood(
        **{name: getattr(told, name) for name in ("id", "emotion", "loss", "tokens", "words", "characters")},
        emotions=tuple(emotions),
        intent=intent,
        intents=intents,
    )


def _said(exchange: Exchange, plans: bool, chance: np.random.Generator) -> SaidReply:
    shown = Mechanisms(Mechanism(1), Mechanism(0), Mechanism(2))
    return SaidReply(
        id=exchange.id,
        emotion=exchange.emotion,
        context=exchange.context,
        reply=str(chance.choice(STOCK)),
        reference=exchange.response.text,
        plan=Plan(mechanisms=shown, act="questioning", intent="questioning") if plans else None,
    )
