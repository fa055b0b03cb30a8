"""Gathers what responders' runs measured on EmpatheticDialogues into one page, beside what was published.

    python bench/responder_figures.py runs docs/results/empathetic-dialogues

Reads runs/RECIPE of every recipe below, as far as they are there and `empathic evaluate` has measured them on the test
split; further seeds of a recipe stand beside it as RECIPE-seed-N, as `empathic sweep --over training.seed=...` calls
them. Writes empathetic-dialogues.json and empathetic-dialogues.md, the words of which that people write, between the
two marks, are kept.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any, NamedTuple

BEGIN, END = "<!-- written by hand -->", "<!-- until here -->"


class Row(NamedTuple):
    """A recipe, and what was published of the system: in MIME's and IMAGINE's tables, or in MEED2's."""

    recipe: str
    system: str
    perplexity: str = ""
    accuracy: str = ""
    bleu: str = ""
    distinct: str = ""


WORDS = (
    Row("transformer", "Transformer", "37.62", "", "", "0.45 / 2.02"),
    Row("multi-trs", "Multi-TRS", "37.75", "33.57", "2.92", "0.41 / 1.67"),
    Row("moel", "MoEL", "36.93", "30.62; 38 / 63 / 74", "2.90", "0.44 / 2.10"),
    Row("mime", "MIME, the paper's text", "37.09", "31.36; 34 / 58 / 77", "2.98", "0.47 / 1.90"),
    Row("mime-code", "MIME, its code, true polarity", "37.09", "31.36; 34 / 58 / 77", "2.98", "0.47 / 1.90"),
    Row("mime-no-mimicry", "MIME without mimicry", "", "", "2.96"),
    Row("mime-no-grouping", "MIME without mimicry and grouping", "", "", "2.45"),
    Row("mime-no-stochasticity", "MIME without stochasticity"),
    Row("best", "best"),
    Row("moel-compact", "MoEL, compact"),
    Row("mime-compact", "MIME, compact"),
)
PIECES = (
    Row("meed2-transformer", "Transformer, raw", "35.8", "", "", "0.8 / 2.9"),
    Row("meed2-transformer-films", "Transformer, pre-trained", "564.6", "", "", "4.4 / 16.7"),
    Row("meed2-transformer-films-tuned", "Transformer, fine-tuned", "19.3", "", "", "2.6 / 9.1"),
    Row("meed2", "MEED2, raw"),
    Row("meed2-joint", "MEED2, trained jointly"),
    Row("meed2-films", "MEED2, pre-trained", "487.3", ".0942 / .3070 / .1442", "", "4.6 / 17.1"),
    Row("meed2-films-tuned", "MEED2, fine-tuned", "17.2", ".2660 / .3530 / .2864", "", "3.6 / 14.0"),
    Row("meed2-compact", "MEED2, compact"),
)
LIKELIHOOD = ("ppl-moel", "ppl-token", "ppl-word")
REPLIES = ("bleu", "bleu-2", "multi-bleu", "rouge-l", "similarity", "distinct-1", "distinct-2", "unique", "words")


def main() -> None:
    """Reads the runs and writes the two files."""
    runs, target = Path(sys.argv[1]), Path(sys.argv[2])
    found = {row.recipe: measured for row in (*WORDS, *PIECES) if (measured := _measured(runs, row.recipe))}
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    page = target.with_suffix(".md")
    discussion = _between(page.read_text(encoding="utf-8")) if page.is_file() else "\n"
    page.write_text(_page(found, discussion, runs), encoding="utf-8")
    print(page.read_text(encoding="utf-8"))


def _measured(runs: Path, recipe: str) -> list[dict[str, Any]]:
    """What is known of each seed of a recipe."""
    seeds = []
    for folder in (runs / recipe, *sorted(runs.glob(f"{recipe}-seed-[0-9]*"))):
        measures = _json(folder / "measures" / "test.json")
        result, about, settings = (_json(folder / f"{name}.json") for name in ("result", "run", "recipe"))
        if measures and result and about and settings:
            seeds.append(
                {
                    "folder": folder.name,
                    "seed": settings["training"]["seed"],
                    "weights": about["weights"],
                    "made with": about["made with"],
                    "seconds": result["seconds"],
                    "best step": result["best step"],
                    "items": about["items"],
                    "dropped": about["dropped"],
                    "measures": measures,
                }
            )
    return seeds


def _json(path: Path) -> dict[str, Any] | None:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def _between(page: str) -> str:
    return page.partition(BEGIN)[2].partition(END)[0] or "\n"


def _page(found: dict[str, list[dict[str, Any]]], discussion: str, runs: Path) -> str:
    counts = {seed["items"]["test"] for seeds in found.values() for seed in seeds}
    lines = [
        "# Responders on EmpatheticDialogues",
        "",
        "Written by `python bench/responder_figures.py` from runs of the recipes named below, each trained to its own "
        "stopping rule and measured on the whole test split "
        f"({', '.join(f'{count:,}' for count in sorted(counts))} responses). With several seeds, the mean ± the "
        "standard deviation. What each figure is stands under [measuring](../measuring.md).",
        "",
        f"{BEGIN}{discussion}{END}",
        "",
        "## Words: the systems of MIME's and IMAGINE's tables",
        "",
        "Perplexity under the protocol `moel` is what the papers report; per token and per word stand for themselves.",
        "",
        *_likelihoods(found, WORDS),
        "",
        "## Pieces: MEED2's stages",
        "",
        "Perplexity of a piece (the protocol that MEED2's code and MoEL's share), the other figures beside it. What "
        "was published last is weighted precision / recall / F1 of the response's predicted emotion or intent.",
        "",
        *_likelihoods(found, PIECES, intents=True),
        "",
        "## What they say",
        "",
        *_replies(found),
        "",
        "## By polarity of the speaker's emotion",
        "",
        *_polarities(found),
        "",
        "## Samples",
        "",
        *_samples(runs, [recipe for recipe in ("mime", "mime-no-stochasticity", "moel", "best") if recipe in found]),
        "",
        "## Runs",
        "",
        "| run | seed | million weights | responses learned | dropped | best step | device | seconds |",
        "|---|---:|---:|---:|---:|---|---|---:|",
    ]
    for seeds in found.values():
        for seed in seeds:
            steps = ", ".join(f"{part} {step:,}" for part, step in seed["best step"].items())
            lines.append(
                f"| `{seed['folder']}` | {seed['seed']} | {seed['weights'] / 1e6:.2f} | {seed['items']['train']:,} | "
                f"{seed['dropped']:,} | {steps} | {seed['made with']['device']} | {seed['seconds']:,.0f} |"
            )
    return "\n".join(lines) + "\n"


def _likelihoods(found: dict[str, list[dict[str, Any]]], rows: tuple[Row, ...], *, intents: bool = False) -> list[str]:
    labels = (
        ("intent-precision", "intent-recall", "intent-f1") if intents else tuple(f"emotion-top-{k}" for k in (1, 2, 5))
    )
    lines = [
        f"| system | recipe | published | {' | '.join(LIKELIHOOD)} | published | {' / '.join(labels)} |",
        f"|---|---|---:|{'---:|' * len(LIKELIHOOD)}---:|---:|",
    ]
    for row in rows:
        if seeds := found.get(row.recipe):
            figures = " | ".join(_mean(seeds, "likelihood", name) for name in LIKELIHOOD)
            named = " / ".join(_mean(seeds, "likelihood", name) for name in labels)
            lines.append(f"| {row.system} | `{row.recipe}` | {row.perplexity} | {figures} | {row.accuracy} | {named} |")
    return lines


def _replies(found: dict[str, list[dict[str, Any]]]) -> list[str]:
    published = {row.recipe: row for row in (*WORDS, *PIECES)}
    lines = [
        f"| recipe | decoding | published multi-bleu | published distinct | {' | '.join(REPLIES)} |",
        f"|---|---|---:|---:|{'---:|' * len(REPLIES)}",
    ]
    for recipe, seeds in found.items():
        for decoding in sorted(seeds[0]["measures"]["replies"]):
            figures = " | ".join(_mean(seeds, "replies", name, decoding) for name in REPLIES)
            row = published[recipe]
            lines.append(f"| `{recipe}` | {decoding} | {row.bleu} | {row.distinct} | {figures} |")
    return lines


def _polarities(found: dict[str, list[dict[str, Any]]]) -> list[str]:
    lines = ["| recipe | polarity | items | ppl-moel | emotion-top-1 |", "|---|---|---:|---:|---:|"]
    for recipe, seeds in found.items():
        for polarity in ("positive", "negative"):
            if (part := seeds[0]["measures"]["likelihood"].get(polarity)) is not None:
                figures = (_mean(seeds, "likelihood", name, of=polarity) for name in ("ppl-moel", "emotion-top-1"))
                lines.append(f"| `{recipe}` | {polarity} | {part['count']:,} | {' | '.join(figures)} |")
    return lines


def _mean(seeds: list[dict[str, Any]], kind: str, name: str, decoding: str | None = None, *, of: str = "all") -> str:
    """A figure: with its interval where there is one seed, and over several their mean and deviation."""
    values = []
    for seed in seeds:
        table = seed["measures"].get(kind, {})
        table = table.get(decoding, {}) if decoding else table
        if (figure := table.get(of, {}).get("figures", {}).get(name)) is not None:
            values.append(figure)
    if not values:
        return ""
    if len(values) > 1:
        numbers = [figure["value"] for figure in values]
        return f"{statistics.mean(numbers):.2f} ± {statistics.stdev(numbers):.2f}"
    (figure,) = values
    interval = f" ({figure['low']:.2f} to {figure['high']:.2f})" if "low" in figure else ""
    return f"{figure['value']:.2f}{interval}"


def _samples(runs: Path, recipes: list[str], count: int = 8) -> list[str]:
    """What they say to the same conversations of the sample corpus, which is the project's own."""
    said = {recipe: _lines(runs / recipe / "replies" / "greedy" / "sample-test.jsonl") for recipe in recipes}
    said = {recipe: lines for recipe, lines in said.items() if lines}
    if not said:
        return ["None: `empathic generate RUN --corpus sample --strategy greedy` writes them."]
    shared = [item for item in next(iter(said.values())) if all(item in lines for lines in said.values())]
    lines = []
    for item in shared[:: max(1, len(shared) // count)][:count]:
        first = next(iter(said.values()))[item]
        lines += [f"**{first['emotion']}**: {first['context'][-1]['text']}", "", "| who | what |", "|---|---|"]
        lines.append(f"| a person | {first['reference']} |")
        lines += [f"| `{recipe}` | {replies[item]['reply']} |" for recipe, replies in said.items()]
        lines.append("")
    return lines


def _lines(path: Path) -> dict[str, dict[str, Any]]:
    if not path.is_file():
        return {}
    read = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {line["id"]: line for line in read}


if __name__ == "__main__":
    main()
