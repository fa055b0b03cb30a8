"""Gathers what the annotators' runs measured into one table, beside the bars and what was published.

    python bench/annotator_figures.py runs/annotators docs/results/annotators

Reads the results of `empathic train annotators/READING`, `...-minilm` and `...-mpnet` for every reading, as far as they
are there, and writes annotators.json and annotators.md.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

READINGS = ("utterance", "exchange", "context", "cause")
KINDS = {"MiniLM": "-minilm", "mpnet": "-mpnet", "shipped": ""}
TEACHER = "its teacher"
COLUMNS = ("MiniLM", "mpnet", TEACHER, "shipped")
NEW = ", without texts of training"
YES = ("yes/accuracy", "yes/macro_f1")
BOTH = ("accuracy", "macro_f1")


class Row(NamedTuple):
    """A factor: where its figures stand, what they are to reach, and what others have published."""

    factor: str
    reading: str
    source: str
    head: str
    figures: tuple[str, ...]
    bar: tuple[float, ...] = ()
    published: str = ""


ROWS = (
    Row("emotional reaction", "exchange", "mechanisms", "emotional_reaction", YES, (85.0, 82.5), "81.2 / 76.9"),
    Row("interpretation", "exchange", "mechanisms", "interpretation", YES, (86.0, 86.0), "85.7 / 85.7"),
    Row("exploration", "exchange", "mechanisms", "exploration", YES, (96.5, 93.0), "96.4 / 92.5"),
    Row("the words that show a mechanism", "exchange", "mechanisms", "rationale", ("positive_f1",)),
    Row("dialog act, 9 labels", "utterance", f"acts{NEW}", "act", BOTH, (94.0, 89.0), "92.0 / 87.8"),
    Row("the same, with texts of training", "utterance", "acts", "act", BOTH),
    Row("the same, labelled by people", "utterance", "acts-by-hand", "act", BOTH),
    Row("emotion, 10 labels", "utterance", "goemotions", "emotion", BOTH, (68.0, 67.0), "60.5 / 60.4"),
    Row("fine emotions, any of 28", "utterance", "goemotions", "fine_emotions", ("macro_f1", "micro_f1")),
    Row("emotion or intent, 41 labels", "utterance", "intents", "intent", ("accuracy",), (66.5,), "65.9"),
    Row("what the speaker feels, 32 labels, top 1 / 2 / 5", "context", "contexts", "feeling",
        ("accuracy", "top_2", "top_5"), (58.0, 73.0, 90.0)),
    Row("turns that hold a cause, F1 of yes / no / both", "cause", "causes", "cause",
        ("positive_f1", "negative_f1", "macro_f1"), (64.3, 88.7, 76.5), "64.3 / 88.7 / 76.5, as remembered"),
    Row("words that hold a cause", "cause", "causes", "cause_span", ("positive_f1",)),
)  # fmt: skip


def main() -> None:
    """Reads the runs and writes the two files."""
    runs, target = Path(sys.argv[1]), Path(sys.argv[2])
    found = {
        "protocol": "test splits; nothing that stands in them was learned; one seed a run; shares in per cent",
        "runs": {name: about for reading in READINGS for name, about in _runs(runs, reading)},
        "rows": [row._asdict() | {"found": _found(runs, row)} for row in ROWS],
        "calibration": _calibration(runs),
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    target.with_suffix(".md").write_text(page(found), encoding="utf-8")
    print(page(found))


def _runs(runs: Path, reading: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for ending in KINDS.values():
        if (result := _json(runs / f"{reading}{ending}" / "result.json")) is not None:
            about, recipe = (_json(runs / f"{reading}{ending}" / f"{name}.json") or {} for name in ("run", "recipe"))
            kept = {name: about[name] for name in ("examples", "dropped", "data", "weights that learn", "made with")}
            yield result["recipe"], kept | {"seed": recipe["training"]["seed"], "seconds": result["seconds"]}


def _found(runs: Path, row: Row) -> dict[str, dict[str, float]]:
    """By column: the figures, and how many items they are of."""
    columns = {}
    results = {column: _json(runs / f"{row.reading}{ending}" / "result.json") for column, ending in KINDS.items()}
    tables = {column: result["test"] for column, result in results.items() if result is not None}
    if (student := results["shipped"]) is not None and "teacher" in student:
        tables[TEACHER] = student["teacher"]
    for column, table in tables.items():
        figures = table.get(row.source) or table.get(row.source.removesuffix(NEW), {})
        if f"{row.head}/count" in figures:
            columns[column] = {name: figures[f"{row.head}/{name}"] for name in ("count", *row.figures)}
    return columns


def _calibration(runs: Path) -> dict[str, dict[str, float]]:
    """By head of what ships: the expected calibration error before and after."""
    errors: dict[str, dict[str, float]] = {}
    for reading in READINGS:
        result = _json(runs / reading / "result.json") or {"test": {}}
        for source, figures in result["test"].items():
            for name, value in figures.items():
                head, _, rest = name.partition("/calibration_error/")
                if rest:
                    errors.setdefault(f"{head}, {source}", {})[rest] = value
    return errors


def _json(path: Path) -> dict[str, Any] | None:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def page(found: dict[str, Any]) -> str:
    """The same as a page."""
    lines = [
        "# Annotators, measured",
        "",
        f"Written by `python bench/annotator_figures.py` from the runs named below. Protocol: {found['protocol']}. "
        "Accuracy / macro-F1 where nothing else is said.",
        "",
        f"| factor | items | at least | published | {' | '.join(COLUMNS)} |",
        f"|---|---:|---|---|{'---|' * len(COLUMNS)}",
    ]
    for row in found["rows"]:
        counts = [f"{columns['count']:,.0f}" for columns in row["found"].values()]
        cells = (_written(row["found"].get(column), row["figures"]) for column in COLUMNS)
        bar = " / ".join(f"{value:.1f}" for value in row["bar"])
        lines.append(
            f"| {row['factor']} | {max(counts, default='')} | {bar} | {row['published']} | {' | '.join(cells)} |"
        )
    lines += ["", "## Calibration of what ships", "", "| head, source | before | after |", "|---|---:|---:|"]
    lines += [
        f"| {head} | {errors['before']:.3f} | {errors['after']:.3f} |" for head, errors in found["calibration"].items()
    ]
    lines += ["", "## Runs", "", "| recipe | examples | dropped | weights that learn | seed | device | seconds |"]
    lines.append("|---|---:|---:|---:|---:|---|---:|")
    for name, about in found["runs"].items():
        numbers = " | ".join(f"{about[key]:,}" for key in ("examples", "dropped", "weights that learn", "seed"))
        lines.append(f"| `{name}` | {numbers} | {about['made with']['device']} | {about['seconds']:,.0f} |")
    return "\n".join(lines) + "\n"


def _written(figures: dict[str, float] | None, names: list[str]) -> str:
    return "" if figures is None else " / ".join(f"{100 * figures[name]:.1f}" for name in names)


if __name__ == "__main__":
    main()
