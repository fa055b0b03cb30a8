"""Trains all annotators: the stronger encoder first, several seeds of it, then from these what is shipped.

    EMPATHIC_DATA=... python tools/train_annotators.py --seeds 3 --side-by-side 6

Every training is an `empathic train` of its own with its own log beside its folder, several at once on one device, each
begun as soon as its teachers are there. Given again, the command goes on where it was ended. The run of the first seed
has the recipe's name, further ones the seed's number behind it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from empathic.experiments.side_by_side import Job, train_side_by_side

READINGS = ("utterance", "context", "exchange", "cause")
"""Those that take longest first."""
TEACHER = "all-mpnet-base-v2"


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
    begun = time.monotonic()

    def told(job: Job, well: bool) -> None:
        how = "done" if well else f"FAILED, see {given.runs / job.name}.log"
        print(f"{time.monotonic() - begun:6.0f} s  {job.name}: {how}", flush=True)

    wanted = [
        job
        for reading in given.readings
        for job in jobs(reading, given.seeds, given.runs, given.teacher, tuple(given.set))
    ]
    ended = train_side_by_side(wanted, given.runs, at_once=given.side_by_side, told=told)
    return 0 if all(ended.values()) else 1


def jobs(reading: str, seeds: int, runs: Path, encoder: str, changes: tuple[str, ...]) -> list[Job]:
    """The trainings of a reading."""
    teachers = [f"{reading}-mpnet{f'-{seed}' if seed else ''}" for seed in range(seeds)]
    models = ", ".join(f'"{runs / teacher / "model"}"' for teacher in teachers)
    return [
        *(
            Job(teacher, f"annotators/{reading}-mpnet", (f"training.seed={seed}", f"encoder={encoder}", *changes))
            for seed, teacher in enumerate(teachers)
        ),
        Job(f"{reading}-minilm", f"annotators/{reading}-minilm", changes),
        Job(reading, f"annotators/{reading}", (f"teacher.models=[{models}]", *changes), tuple(teachers)),
    ]


if __name__ == "__main__":
    sys.exit(main())
