"""Measures how quickly utterances are annotated, beside transformers' pipeline over the same encoder in the same run.

    EMPATHIC_DATA=... python bench/annotators.py docs/results/annotator-speed [--models FOLDER] [--device cuda]

Writes annotator-speed-DEVICE.json and .md. The peer gives one factor, the subject all that are read off an utterance.
Every speed is the best of several runs, peer and subject taking turns. On a CPU, the most memory that annotating a file
takes is measured too, for a file and for one eight times as long.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from empathic import corpora
from empathic.annotators import FACTORS, Annotator
from empathic.artifacts import find_base
from timing import best, machine

UTTERANCE = tuple(name for name, reading in FACTORS.items() if reading == "utterance")
ENCODER = "all-minilm-l6-v2"
RUNS = 3
PEER_BATCH = 32
COUNTS = {"cpu": 2_048, "cuda": 107_244}
PEER_COUNTS = {"cpu": 2_048, "cuda": 16_384}
BARS = {"cpu": "at least 3 times the peer's", "cuda": "at least 30,000 a second"}
LINES, TIMES_AS_LONG = 5_000, 8
ANNOTATE = "import sys; from empathic.cli import main; main(sys.argv[1:])"


def main() -> None:
    """Measures and writes the two files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("--models", type=Path, default=None)
    parser.add_argument("--device", default="cpu", choices=COUNTS)
    given = parser.parse_args()
    texts = [turn.text for dialogue in corpora.read_dialogues("empathetic-dialogues") for turn in dialogue.turns]
    found = {
        "machine": machine(torch.device(given.device)),
        "versions": {name: version(name) for name in ("torch", "transformers", "tokenizers")},
        "protocol": f"best of {RUNS} runs each, peer and subject taking turns; utterances of EmpatheticDialogues as "
        "they come; tokenising included",
        "speed": speed(texts, given.models, given.device),
    }
    if given.device == "cpu":
        found["memory"] = memory(texts, given.models)
    target = given.target.with_name(f"{given.target.name}-{given.device}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    target.with_suffix(".md").write_text(page(found), encoding="utf-8")
    print(page(found))


def speed(texts: Sequence[str], models: Path | None, device: str) -> dict[str, Any]:
    """Utterances a second, and the ratio to the peer's."""
    annotator = Annotator(UTTERANCE, models=models, device=device)
    read, peer_read = texts[: COUNTS[device]], list(texts[: PEER_COUNTS[device]])
    with tempfile.TemporaryDirectory() as folder:
        pipeline = _pipeline(folder, device)
        seconds = best(
            lambda: [0 for _ in pipeline(peer_read, batch_size=PEER_BATCH, truncation=True)],
            lambda: [0 for _ in annotator.annotate(read)],
            runs=RUNS,
        )
    peer, subject = (count / taken for count, taken in zip((len(peer_read), len(read)), seconds, strict=True))
    return {
        "peer": f'transformers.pipeline("text-classification", batch_size={PEER_BATCH}), one factor',
        "subject": f"Annotator.annotate, {', '.join(UTTERANCE)}",
        "encoder": ENCODER,
        "utterances": len(read),
        "peer_utterances": len(peer_read),
        "a_second": round(subject),
        "ratio": round(subject / peer, 2),
        "bar": BARS[device],
    }


def _pipeline(folder: str, device: str) -> Callable[..., Any]:
    """The peer: a classifier of one factor, with labels as many as our largest set, over the same encoder."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer, pipeline

    place = str(find_base(ENCODER).folder)
    model = AutoModelForSequenceClassification.from_pretrained(place, num_labels=41)
    model.save_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(place)
    tokenizer.save_pretrained(folder)
    return pipeline("text-classification", model=folder, tokenizer=tokenizer, device=device)


def memory(texts: Sequence[str], models: Path | None) -> dict[str, Any]:
    """The most memory, in MB, that annotating a file takes, and one several times as long."""
    peaks = []
    with tempfile.TemporaryDirectory() as folder:
        for lines in (LINES, LINES * TIMES_AS_LONG):
            source = Path(folder, f"{lines}.txt")
            source.write_text("\n".join(" ".join(text.split()) for text in texts[:lines]) + "\n", encoding="utf-8")
            command = ["annotate", str(source), "--to", f"{folder}/{lines}.jsonl", "--device", "cpu"]
            command += ["--factors", ",".join(UTTERANCE), *(["--models", str(models)] if models else [])]
            peaks.append(_peak([sys.executable, "-c", ANNOTATE, *command]))
    return {"lines": [LINES, LINES * TIMES_AS_LONG], "peak_mb": peaks, "ratio": round(peaks[1] / peaks[0], 3)}


def _peak(command: list[str]) -> int:
    watched = "import resource; print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    script = f"import subprocess; subprocess.run({command!r}, check=True, stdout=subprocess.DEVNULL); {watched}"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return round(int(done.stdout) / 1024)  # kilobytes on Linux


def page(found: dict[str, Any]) -> str:
    """The same as a page."""
    speed = found["speed"]
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    on_gpu = f"; {speed['a_second']:,} a second" if speed["bar"] == BARS["cuda"] else ""
    lines = [
        f"# Annotating utterances on {found['machine']}",
        "",
        f"Written by `python bench/annotators.py`. {versions}. Protocol: {found['protocol']}.",
        "",
        "| what | beside | utterances a second | bar |",
        "|---|---|---:|---|",
        f"| {speed['subject']}; {speed['encoder']}, {speed['utterances']:,} utterances | {speed['peer']}; "
        f"{speed['peer_utterances']:,} utterances | {speed['ratio']} × the peer's{on_gpu} | {speed['bar']} |",
    ]
    if "memory" in found:
        (few, many), (small, large) = found["memory"]["lines"], found["memory"]["peak_mb"]
        lines += ["", f"A file of {few:,} lines takes {small:,} MB at the most, one of {many:,} lines {large:,} MB."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
