"""Several trainings, each an `empathic train` of its own with its own log, as many at once as are asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Job", "train_side_by_side"]


@dataclass(frozen=True)
class Job:
    """A training."""

    name: str
    """Of its folder among the runs."""
    recipe: str
    changes: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    """The names of those that it needs."""


def train_side_by_side(
    jobs: Sequence[Job],
    runs: Path,
    *,
    at_once: int,
    device: str | None = None,
    told: Callable[[Job, bool], None] = lambda *_: None,
) -> dict[str, bool]:
    """Runs each as soon as those that it needs are there; by name, whether it came to its end.

    A run that has a result is not trained again, and one that was ended goes on from its last checkpoint.

    Args:
        jobs: The trainings.
        runs: Where their folders and logs go.
        at_once: How many at once.
        device: What they compute on.
        told: Told of each that has ended, and whether it ended well.
    """
    waiting = sorted(jobs, key=lambda job: bool(job.after))
    done: dict[str, bool] = {}
    running: dict[Future[bool], Job] = {}
    with ThreadPoolExecutor(at_once) as pool:
        while waiting or running:
            for job in [job for job in waiting if all(name in done for name in job.after)]:
                waiting.remove(job)
                if all(done[name] for name in job.after):
                    running[pool.submit(_train, job, runs, at_once, device)] = job
                else:
                    done[job.name] = False
                    told(job, False)
            for ended in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                job = running.pop(ended)
                done[job.name] = ended.result()
                told(job, done[job.name])
    return done


def _train(job: Job, runs: Path, at_once: int, device: str | None) -> bool:
    log = runs / f"{job.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    settings = [option for change in job.changes for option in ("--set", change)]
    command = [sys.executable, "-m", "empathic", "train", job.recipe, "--run", str(runs / job.name), *settings]
    if device is not None:
        command += ["--device", device]
    # Threads of several processes on the same cores would mostly wait for each other.
    threads = {"OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) // at_once))}
    with log.open("ab") as file:
        done = subprocess.run(command, stdout=file, stderr=file, env=threads | os.environ, check=False)
    return done.returncode == 0
