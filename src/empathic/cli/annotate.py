"""`empathic annotate`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from empathic.cli._read_by import ReadBy
from empathic.cli._terminal import note, progress
from empathic.cli._which import Which
from empathic.errors import UsageError, nearest

if TYPE_CHECKING:
    from empathic.annotators.inputs import Input
    from empathic.corpora import Defect

__all__ = ["annotate"]

MANY = 64
"""More labels than any factor has."""
STANDARD_INPUT = Path("/dev/stdin")
SHOWN = 20
"""Defects that are told one by one; of a file that is no text at all, every line is one."""


def annotate(
    what: str = "-",
    /,
    *,
    response: str | None = None,
    to: Path | None = None,
    factors: str | None = None,
    top: Annotated[int, Parameter(validator=Number(gte=1))] = 1,
    form: Literal["lines", "jsonl", "csv", "tsv"] | None = None,
    by: ReadBy | None = None,
    which: Which | None = None,
    json: bool = False,
) -> int:
    """Read factors off what people say: emotions, intents, acts, mechanisms, causes.

    A sentence gives a picture of what was perceived in it, with the words that mattered. A file or a corpus gives the
    same rows with their factors: JSON lines and Parquet with an object a turn, tables with columns more. What is piped
    in is read line by line.

    Args:
        what: A sentence, a corpus by name, a file (text lines, JSONL, CSV, TSV, Parquet), or - for standard input.
        response: With a sentence: what a listener answered it, to be read as well.
        to: The file to write, by its ending .jsonl, .csv, .tsv or .parquet; the same command takes up one that was
            interrupted. Standard output by default.
        factors: Which factors, parted by commas: act, emotion, fine_emotions, intent, mechanisms, feeling, causes,
            tone; all that there are models for by default.
        top: How many labels are given with their probabilities.
        form: How standard input is to be read; lines of text by default, or JSONL where it begins with a brace.
        json: With a sentence: print what was perceived as JSON.
    """
    by, which = by or ReadBy(), which or Which()
    asked = None if factors is None else [name for each in factors.split(",") if (name := each.strip())]
    if _is_sentence(what):
        if to is not None:
            raise UsageError(
                "--to writes rows; a sentence gives a picture", remedy="name a file or a corpus, or pipe it"
            )
        from empathic.cli._picture import show_picture

        show_picture(by.annotator(asked, top=MANY), what, response, as_json=json, top=max(top, 3))
        return 0
    if response is not None:
        raise UsageError("--response answers a sentence, and none is given")
    if to is not None:
        _refuse_to_write(to, (STANDARD_INPUT if what == "-" else Path(what), which.source))
    defects = 0

    def report(defect: Defect) -> None:
        from empathic import corpora

        if which.strict:
            corpora.raise_defect(defect)
        nonlocal defects
        defects += 1
        if defects <= SHOWN:
            note(str(defect))

    given = _input(what, form, which, report)
    annotator = by.annotator(asked, top=top)
    from empathic.annotators.files import annotate_to_file, annotate_to_stream

    with progress() as shown:
        task = shown.add_task(f"{given.place} ▸ {to}" if to else str(given.place), total=None)

        def told(rows: int) -> None:
            shown.advance(task, rows)

        if to is not None:
            annotate_to_file(annotator, given, to, told)
        else:
            ending = given.read_as if given.read_as in (".csv", ".tsv") else ".jsonl"
            annotate_to_stream(annotator, given, ending, sys.stdout.buffer, told)
        rows = int(shown.tasks[0].completed)
    if defects > SHOWN:
        note(f"... and {defects - SHOWN:,} more")
    if to is not None:
        wrong = f", {defects:,} {'defect' if defects == 1 else 'defects'}" if defects else ""
        note(f"{rows:,} rows in {to}{wrong}")
    return 1 if defects else 0


def _input(what: str, form: str | None, which: Which, report: Callable[[Defect], None]) -> Input:
    """What is to be annotated, ready to be read."""
    from empathic import corpora
    from empathic.annotators.inputs import corpus_input, file_input, piped_input

    if what == "-":
        if sys.stdin.isatty():
            raise UsageError(
                "there is nothing to annotate", remedy="give a sentence, a corpus or a file, or pipe lines in"
            )
        return piped_input(form, which.layout(), report)
    if form is not None:
        raise UsageError("--form says how standard input is read; a file's ending says how the file is")
    if corpora.is_known(what):
        return corpus_input(
            what, split=which.split, part=which.part, path=which.source, strict=which.strict, report=report
        )
    if not Path(what).exists():
        names = [corpus.name for corpus in corpora.known()]
        raise UsageError(f"there is no file and no corpus {what!r}; {nearest(what, names)}")
    return file_input(Path(what), which.layout(), report)


def _refuse_to_write(to: Path, read: Iterable[Path | None]) -> None:
    """Refuses a target in a folder that is not there, and one that is read itself."""
    if not to.parent.is_dir():
        raise UsageError(f"--to {to}: there is no folder {to.parent}")
    if to.exists() and any(each.samefile(to) for each in read if each is not None and each.exists()):
        raise UsageError(f"--to {to}: that is the file that is read", remedy="name another one")


def _is_sentence(what: str) -> bool:
    """Whether words themselves are given, and not where they are."""
    from empathic import corpora

    if what == "-" or corpora.is_known(what):
        return False
    if not what:  # which would be the folder here, as a path
        return True
    try:
        if Path(what).exists():
            return False
    except OSError:  # longer than any name
        return True
    return any(character.isspace() or character in "!?,;'’…" for character in what)
