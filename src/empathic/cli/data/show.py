"""`empathic data show`."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from empathic.cli._terminal import console, note, say, visible
from empathic.cli._which import Which, read

if TYPE_CHECKING:
    from rich.console import Console

    from empathic.dialogue import Dialogue, Factors, Inference

__all__ = ["show"]


def show(
    corpus: str = "sample",
    /,
    *,
    which: Which | None = None,
    count: Annotated[int, Parameter(name=("--count", "-n"), validator=Number(gte=1))] = 3,
    skip: Annotated[int, Parameter(validator=Number(gte=0))] = 0,
    json: bool = False,
) -> int:
    """Show dialogues as a person would read them.

    Args:
        corpus: A corpus by name, or a JSONL, CSV, TSV or Parquet file of your own.
        count: How many.
        skip: How many to pass over first.
        json: Print each as one line of canonical JSON.
    """
    from empathic.dialogue import Dialogue, to_json

    screen = console()
    shown = 0
    for record in islice(read(corpus, which or Which()), skip, skip + count):
        shown += 1
        if json:
            say(to_json(record).decode())
        elif isinstance(record, Dialogue):
            _show_dialogue(screen, record)
        else:
            _show_inference(screen, record)
    if not shown:
        of = f" of the split {which.split}" if which and which.split else ""
        note(f"{corpus} holds nothing{of}" + (f" beyond the first {skip:,}" if skip else ""))
    return 0 if shown else 1


def _show_dialogue(screen: Console, dialogue: Dialogue) -> None:
    from rich.text import Text

    heading = [dialogue.id, dialogue.emotion, dialogue.split]
    screen.print(Text(visible(" · ".join(part for part in heading if part)), style="bold"))
    if dialogue.situation:
        screen.print(Text(f"  ({visible(dialogue.situation)})", style="italic"))
    for label, sentences in (("speaker", dialogue.speaker_persona), ("listener", dialogue.persona)):
        if sentences:
            screen.print(Text(f"  about the {label}: {visible(' '.join(sentences))}", style="dim"))
    if dialogue.labels:
        screen.print(Text(visible("  " + ", ".join(f"{k}: {v}" for k, v in dialogue.labels.items())), style="dim"))
    for turn in dialogue.turns:
        who = turn.name or turn.role
        line = Text(f"  {visible(who):>8}  ", style="cyan" if turn.role == "speaker" else "green")
        line.append(visible(turn.text), style="default")
        marks = [f"{k}: {v}" for k, v in turn.labels.items()] + (_marks(turn.factors) if turn.factors else [])
        if marks:
            line.append(f"  [{visible('; '.join(marks))}]", style="dim")
        screen.print(line)
    screen.print()


def _marks(factors: Factors) -> list[str]:
    marks = []
    if factors.mechanisms is not None:
        for name in factors.mechanisms.__struct_fields__:
            mechanism = getattr(factors.mechanisms, name)
            if mechanism is not None and mechanism.level:
                marks.append(f"{('', 'weak', 'strong')[mechanism.level]} {name.replace('_', ' ')}")
    marks += [f"{name}: {label}" for name in ("act", "emotion", "intent") if (label := getattr(factors, name))]
    if factors.fine_emotions:
        marks.append(", ".join(factors.fine_emotions))
    marks += [
        f"caused by turn {cause.turn + 1}" + (f" “{cause.span}”" if cause.span else "") for cause in factors.causes
    ]
    return marks


def _show_inference(screen: Console, inference: Inference) -> None:
    from rich.text import Text

    line = Text(visible(inference.head))
    line.append(f"  {inference.relation} ▸ ", style="cyan")
    line.append(visible(inference.tail))
    if inference.weight is not None:
        line.append(f"  {inference.weight:g}", style="dim")
    screen.print(line)
