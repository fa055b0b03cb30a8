"""Measures how quick the program starts and corpora are read, beside a named peer in the same run, and counts corpora.

    EMPATHIC_DATA=... python bench/foundation.py docs/results/foundation

Writes foundation.json and foundation.md. Every timing is the best of several runs, so that what else the machine does
weighs least, and is given as a ratio to the peer's best in the same run.
"""

from __future__ import annotations

import csv
import json
import os
import platform
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from empathic import corpora
from empathic.dialogue import Dialogue

RUNS = 9
ED = ("train.csv", "valid.csv", "test.csv")
READ_ALL = (
    "import sys; from empathic import corpora; sys.exit(sum(1 for _ in corpora.read('empathetic-dialogues')) < 1)"
)
READ_PART = "from empathic import corpora; [0 for _ in corpora.read({name!r}, part={part!r}, report=lambda _: 0)]"
IMPORT_ONLY = "from empathic import corpora"


def main() -> None:
    """Measures everything and writes the two files."""
    target = Path(sys.argv[1])
    found = {
        "protocol": f"best of {RUNS} runs each, peer and subject taking turns",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "versions": {"python": platform.python_version(), **{name: version(name) for name in ("empathic", "pyarrow")}},
        "start": start(),
        "reading": reading(),
        "counts": counts(),
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    target.with_suffix(".md").write_text(page(found), encoding="utf-8")
    print(page(found))


def start() -> dict[str, Any]:
    """`empathic --help` beside an interpreter that does nothing."""
    program = str(Path(sys.executable).with_name("empathic"))
    peer, subject = best(
        lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
        lambda: subprocess.run([program, "--help"], check=True, stdout=subprocess.DEVNULL),
    )
    return {"peer": "python -c pass", "subject": "empathic --help", "ratio": round(subject / peer, 1), "bar": 16}


def reading() -> dict[str, Any]:
    """All of EmpatheticDialogues into records, beside csv.reader iterating over the same files."""
    folder = corpora.find("empathetic-dialogues").folder_path()
    utterances = 0

    def peer() -> None:
        for name in ED:
            with (folder / name).open(encoding="utf-8", newline="") as file:
                for _ in csv.reader(file, quoting=csv.QUOTE_NONE):
                    pass

    def subject() -> None:
        nonlocal utterances
        utterances = sum(len(each.turns) for each in corpora.read_dialogues("empathetic-dialogues"))

    peer_best, subject_best = best(peer, subject)
    return {
        "peer": "csv.reader(QUOTE_NONE), iterating only",
        "subject": 'corpora.read("empathetic-dialogues")',
        "utterances": utterances,
        "ratio": round(subject_best / peer_best, 2),
        "bar": 4,
        "peak_memory_over_interpreter_mb": round(peak(READ_ALL) - peak("pass"), 1),
        "of_which_importing_mb": round(peak(IMPORT_ONLY) - peak("pass"), 1),
        "memory_bar_mb": 60,
    }


def best(peer: Callable[[], object], subject: Callable[[], object]) -> tuple[float, float]:
    """The shortest time of each, in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS):
        for measured, work in zip(times, (peer, subject), strict=True):
            begun = time.perf_counter()
            work()
            measured.append(time.perf_counter() - begun)
    return min(times[0]), min(times[1])


def peak(program: str) -> float:
    """The most memory, in MB, that an interpreter running this program held."""
    watched = "import resource; print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {program!r}], check=True); {watched}"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024  # kilobytes on Linux


def counts() -> list[dict[str, Any]]:
    """How many records, turns and exchanges the readers find in every corpus that is here."""
    rows = []
    for corpus in corpora.known():
        for part in (None, *corpus.parts):
            if not corpus.is_here():
                continue
            defects: list[corpora.Defect] = []
            splits: Counter[str] = Counter()
            turns = exchanges = 0
            for record in corpora.read(corpus.name, part=part, report=defects.append):
                splits[record.split or "-"] += 1
                if isinstance(record, Dialogue):
                    turns += len(record.turns)
                    exchanges += sum(1 for _ in record.exchanges())
            rows.append(
                {
                    "corpus": f"{corpus.name}:{part}" if part else corpus.name,
                    "kind": corpus.kind,
                    "records": dict(splits),
                    "turns": turns,
                    "exchanges": exchanges,
                    "defects": len(defects),
                    "memory_mb": max(
                        0.0, round(peak(READ_PART.format(name=corpus.name, part=part)) - peak(IMPORT_ONLY), 1)
                    ),
                }
            )
    return rows


def page(found: dict[str, Any]) -> str:
    """The same as a page."""
    start, reading = found["start"], found["reading"]
    lines = [
        "# The foundation, measured",
        "",
        f"Written by `python bench/foundation.py`. {found['machine']}; "
        + ", ".join(f"{name} {number}" for name, number in found["versions"].items())
        + f". Protocol: {found['protocol']}.",
        "",
        "| what | beside | ratio | bar |",
        "|---|---|---:|---:|",
        f"| `{start['subject']}` | `{start['peer']}` | {start['ratio']} × | {start['bar']} × |",
        f"| `{reading['subject']}`, {reading['utterances']:,} utterances | `{reading['peer']}` "
        f"| {reading['ratio']} × | {reading['bar']} × |",
        "",
        f"Reading all of it takes {reading['peak_memory_over_interpreter_mb']} MB at the most over a bare interpreter "
        f"(bar: {reading['memory_bar_mb']} MB); {reading['of_which_importing_mb']} MB of that is the import.",
        "",
        "## Counts, as the readers find them",
        "",
        "Memory is the most that reading all of it one by one takes over the bare import.",
        "",
        "| corpus | records by split | turns | exchanges | defects | memory, MB |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for row in found["counts"]:
        splits = ", ".join(f"{name} {number:,}" for name, number in row["records"].items())
        numbers = " | ".join(f"{row[name]:,}" for name in ("turns", "exchanges", "defects", "memory_mb"))
        lines.append(f"| {row['corpus']} | {splits} | {numbers} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
