"""Trains all annotators: the stronger encoder first, several seeds of it, then from these what is shipped.

    EMPATHIC_DATA=... python tools/train_annotators.py --seeds 3 --side-by-side 6

Every training is an `empathic train` of its own with its own log beside its folder, several at once on one device, each
begun as soon as its teachers are there. Given again, the command goes on where it was ended. The run of the first seed
has the recipe's name, further ones the seed's number behind it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

READINGS = ("utterance", "context", "exchange", "cause")
"""Those that take longest first."""
TEACHER = "all-mpnet-base-v2"


@dataclass(frozen=True)
class Job:
    """A training."""

    name: str
    recipe: str
    changes: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    """The names of those that it needs."""


def main() -> int:
    """Runs what is asked for; 1 if any training failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, default=Path("runs/annotators"), help="where the runs go")
    parser.add_argument("--readings", nargs="+", choices=READINGS, default=READINGS)
    parser.add_argument("--teacher", default=TEACHER, help="the stronger encoder: base weights, or a folder")
    parser.add_argument("--seeds", type=int, default=1, help="how many teachers a reading has")
    parser.add_argument("--side-by-side", type=int, default=4, help="how many trainings at once")
    parser.add_argument(
        "--set", action="append", default=[], help="a setting for all of them, such as training.epochs=1"
    )
    given = parser.parse_args()
    waiting = [job for reading in given.readings for job in jobs(reading, given.seeds, given.runs, given.teacher)]
    waiting.sort(key=lambda job: bool(job.after))
    done: dict[str, bool] = {}
    running: dict[Future[bool], Job] = {}
    begun = time.monotonic()
    with ThreadPoolExecutor(given.side_by_side) as pool:
        while waiting or running:
            for job in [job for job in waiting if all(name in done for name in job.after)]:
                waiting.remove(job)
                if all(done[name] for name in job.after):
                    running[pool.submit(train, job, given.runs, given.set, given.side_by_side)] = job
                else:
                    done[job.name] = False
            for ended in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                job = running.pop(ended)
                done[job.name] = ended.result()
                how = "done" if done[job.name] else f"FAILED, see {given.runs / job.name}.log"
                print(f"{time.monotonic() - begun:6.0f} s  {job.name}: {how}", flush=True)
    return 0 if all(done.values()) else 1


def jobs(reading: str, seeds: int, runs: Path, encoder: str) -> list[Job]:
    """The trainings of a reading."""
    teachers = [f"{reading}-mpnet{f'-{seed}' if seed else ''}" for seed in range(seeds)]
    models = ", ".join(f'"{runs / teacher / "model"}"' for teacher in teachers)
    return [
        *(
            Job(teacher, f"annotators/{reading}-mpnet", (f"training.seed={seed}", f"encoder={encoder}"))
            for seed, teacher in enumerate(teachers)
        ),
        Job(f"{reading}-minilm", f"annotators/{reading}-minilm"),
        Job(reading, f"annotators/{reading}", (f"teacher.models=[{models}]",), tuple(teachers)),
    ]


def train(job: Job, runs: Path, changes: list[str], side_by_side: int) -> bool:
    """Runs one training to its end."""
    runs.mkdir(parents=True, exist_ok=True)
    settings = [option for change in (*job.changes, *changes) for option in ("--set", change)]
    command = [sys.executable, "-m", "empathic", "train", job.recipe, "--run", str(runs / job.name), *settings]
    # Threads of several processes on the same cores would mostly wait for each other.
    threads = {"OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) // side_by_side))}
    with (runs / f"{job.name}.log").open("ab") as log:
        done = subprocess.run(command, stdout=log, stderr=log, env=threads | os.environ, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
