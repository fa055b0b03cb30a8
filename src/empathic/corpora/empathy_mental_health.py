"""Empathy-Mental-Health (Sharma et al. 2020), the Reddit part: a file a mechanism, the same rows in each.

The authors publish no split. Here a post's side follows from a hash of its text alone, so that no post stands on two
sides whatever its number: about 75 % train, 5 % valid, 20 % test.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import Literal, cast

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Factors, Level, Mechanism, Mechanisms, Turn
from empathic.text import fold

__all__ = ["side_of"]

COLUMNS = ("sp_id", "rp_id", "seeker_post", "response_post", "level", "rationales")
FILES = {
    "emotional_reaction": "emotional-reactions-reddit.csv",
    "interpretation": "interpretations-reddit.csv",
    "exploration": "explorations-reddit.csv",
}
Row = tuple[int, tuple[str, ...]]
Key = tuple[str, str, str]
HOME = "https://github.com/behavioral-data/Empathy-Mental-Health"
RAW = "https://raw.githubusercontent.com/behavioral-data/Empathy-Mental-Health/master/dataset/"


@corpus(
    name="empathy-mental-health",
    title="Empathy-Mental-Health (EPITOME)",
    holds="3,084 posts of people who seek support, each with a response and how strongly it shows three mechanisms",
    licence="academic use with attribution",
    citation="Sharma, Miner, Atkins & Althoff. A Computational Approach to Understanding Empathy. EMNLP 2020.",
    home=HOME,
    folder="empathy_mental_health",
    layout={"train valid test": FILES["emotional_reaction"]},
    downloads=tuple(Download(RAW + name, to=name) for name in FILES.values()),
)
def read(source: Source) -> Iterator[Dialogue]:
    """Joins the three files; where a row of one is damaged, the response is left out and the rest goes on."""
    files = {mechanism: source.companion(name) for mechanism, name in FILES.items()}
    files["emotional_reaction"] = source
    tables = {mechanism: _table(file) for mechanism, file in files.items()}
    for key, (number, row) in tables["emotional_reaction"].items():
        found = {}
        for mechanism, table in tables.items():
            if key not in table:
                files[mechanism].defect(None, f"there is no row for post {row[0]!r} and response {row[1]!r}")
            elif (level := table[key][1][4]) not in ("0", "1", "2"):
                files[mechanism].defect(table[key][0], f"{level[:20]!r} is no level; it is 0, 1 or 2")
            else:
                rationale = tuple(span.strip() for span in table[key][1][5].split("|") if span.strip())
                found[mechanism] = Mechanism(cast("Level", int(level)), rationale)
        post, response = row[2].strip(), row[3].strip()
        if len(found) < len(files) or not post or not response:
            source.defect(number, "not all of a post, a response and three levels")
            continue
        turns = (Turn("speaker", post), Turn("listener", response, factors=Factors(Mechanisms(**found))))
        yield Dialogue("-".join(part for part in key if part), turns, "empathy-mental-health", side_of(post))


def _table(file: Source) -> dict[Key, Row]:
    """The rows by post, response and, where a pair was annotated again, which time it is."""
    table: dict[Key, Row] = {}
    times: Counter[tuple[str, str]] = Counter()
    for number, row in file.rows(COLUMNS):
        times[row[0], row[1]] += 1
        time = times[row[0], row[1]]
        table[row[0], row[1], str(time) if time > 1 else ""] = number, row
    return table


def side_of(post: str) -> Literal["train", "valid", "test"]:
    """The split of everything that answers this post."""
    percentile = int.from_bytes(hashlib.sha256(fold(post).encode()).digest()[:8]) % 100
    return "train" if percentile < 75 else "valid" if percentile < 80 else "test"
