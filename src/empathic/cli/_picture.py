"""One sentence as it was perceived: what was read off it, how surely, and by which words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from empathic.cli._terminal import console, say, visible

if TYPE_CHECKING:
    from rich.console import Console

    from empathic.annotators import Annotator
    from empathic.annotators.attribution import Mattering
    from empathic.dialogue import Dialogue, Factors

__all__ = ["show_picture"]

BAR = 20
MOST_WORDS = 3
LEAST_WEIGHT = 0.02
"""A word that moves a probability by less did not matter."""
NAMES = {
    "act": "dialog act",
    "emotion": "emotion",
    "fine_emotions": "finer",
    "intent": "intent",
    "feeling": "feels",
    "emotional_reaction": "reaction",
    "interpretation": "interpretation",
    "exploration": "exploration",
}


def show_picture(annotator: Annotator, sentence: str, response: str | None, *, as_json: bool, top: int) -> None:
    """Annotates a sentence, and its response if there is one, and prints what was perceived."""
    from empathic.annotators.attribution import words_that_mattered
    from empathic.dialogue import Dialogue, Turn

    turns = (Turn("speaker", sentence), *([Turn("listener", response)] if response is not None else []))
    (annotated,) = annotator.annotate([Dialogue("sentence", turns)])
    mattering = [words_that_mattered(annotator, annotated, turn) for turn in range(len(turns))]
    if as_json:
        _print_json(annotated, mattering)
        return
    screen = console()
    for turn, words in enumerate(mattering):
        _show_turn(screen, annotated, turn, words, top)


def _print_json(annotated: Dialogue, mattering: Sequence[Mapping[str, Sequence[Mattering]]]) -> None:
    import msgspec

    said = msgspec.to_builtins(annotated.turns)
    for turn, words in zip(said, mattering, strict=True):
        turn["words"] = {name: [(each.word, each.weight) for each in found] for name, found in words.items()}
    say(msgspec.json.format(msgspec.json.encode(said), indent=2).decode())


def _show_turn(
    screen: Console, annotated: Dialogue, position: int, words: Mapping[str, Sequence[Mattering]], top: int
) -> None:
    from rich.table import Table
    from rich.text import Text

    turn = annotated.turns[position]
    factors = turn.factors
    if factors is None:
        return
    screen.print(_marked(turn.text, words))
    table = Table.grid(padding=(0, 2))
    for name, probabilities in factors.probabilities.items():
        if name not in NAMES or (turn.role == "speaker" and name == "act"):
            continue
        moved = [each.word.strip(".,;:!?\"'") for each in words.get(name, ()) if each.weight >= LEAST_WEIGHT]
        for rank, (label, probability) in enumerate(list(probabilities.items())[:top]):
            first = rank == 0
            table.add_row(
                Text(NAMES[name] if first else "", style="bold"),
                Text(label.replace("_", " "), style="cyan" if first else "dim"),
                Text("█" * max(1, round(probability * BAR)) if probability >= 1 / BAR / 2 else "", style="cyan"),
                Text(f"{probability:4.0%}", style="" if first else "dim"),
                Text(" · ".join(moved[:MOST_WORDS]) if first else "", style="italic"),
            )
    for label, said in _said(annotated, factors):
        table.add_row(Text(label, style="bold"), Text(said))
    screen.print(table)
    screen.print()


def _marked(text: str, words: Mapping[str, Sequence[Mattering]]) -> Any:
    """The sentence, with the words that mattered for any factor underlined, and the most telling ones bold."""
    from rich.text import Text

    from empathic.text import tidy

    weights: dict[int, float] = {}
    for found in words.values():
        for each in found[:MOST_WORDS]:
            weights[each.position] = max(weights.get(each.position, 0.0), each.weight)
    line = Text("“")
    for position, word in enumerate(tidy(text).split(" ")):
        weight = weights.get(position, 0.0)
        line.append(" " if position else "")
        line.append(word, style="bold underline" if weight >= 0.2 else "underline" if weight >= LEAST_WEIGHT else "")
    return line.append("”")


def _said(annotated: Dialogue, factors: Factors) -> list[tuple[str, str]]:
    """What is said in words, and not by bars."""
    from empathic.taxonomy import MECHANISMS

    rows = []
    for name in MECHANISMS:
        mechanism = getattr(factors.mechanisms, name, None)
        if mechanism is not None and mechanism.rationale:
            rows.append((f"{NAMES[name]} in", visible(" … ".join(mechanism.rationale))))
    rows += [("because of", visible(cause.span or annotated.turns[cause.turn].text)) for cause in factors.causes]
    if factors.valence is not None:
        tone = f"valence {factors.valence:.2f}, arousal {factors.arousal:.2f}, dominance {factors.dominance:.2f}"
        rows.append(("tone", f"{factors.polarity or 'even'}: {tone}"))
    return rows
