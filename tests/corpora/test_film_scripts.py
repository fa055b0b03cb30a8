from __future__ import annotations

import gzip
import json
from pathlib import Path

from empathic import corpora
from empathic.corpora import Defect
from empathic.dialogue import Dialogue, Turn


def test_roles_change_with_the_character() -> None:
    assert list(corpora.read("film-scripts", strict=True)) == [
        Dialogue(
            "film-1",
            (
                Turn("speaker", "Is it late?", name="ANNA"),
                Turn("speaker", "It is late.", name="ANNA"),
                Turn("listener", "It is foggy.", name="PILOT"),
                Turn("speaker", "Then we wait.", name="ANNA"),
            ),
            "film-scripts",
            labels={"title": "The Ferry"},
        ),
        Dialogue("film-2", (Turn("speaker", "Hello?", name="BO"),), "film-scripts", labels={"title": "The Pier"}),
    ]


def test_damaged_lines_are_located_and_passed_over(tmp_path: Path) -> None:
    films = [
        json.dumps({"title": "Whole", "turns": [["A", "Yes."]]}),
        json.dumps({"title": "Mute", "turns": []}),
        json.dumps({"title": "Gap", "turns": [["A", " "], ["B", "No."]]}),
        json.dumps({"title": "Odd", "turns": [["A"]]}),
        "not a film",
        json.dumps({"title": "Also whole", "turns": [["A", "Yes."]]}),
    ]
    file = tmp_path / "turns.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(films).encode()))
    defects: list[Defect] = []
    dialogues = list(corpora.read_dialogues("film-scripts", path=file, report=defects.append))
    assert [dialogue.labels["title"] for dialogue in dialogues] == ["Whole", "Gap", "Also whole"]
    assert [(defect.line, defect.what) for defect in defects] == [
        (2, "[Mute] holds no turns"),
        (3, "[Gap] an empty turn of A"),
        (4, "Expected `array` of length 2 - at `$.turns[0]`"),
        (5, "JSON is malformed: invalid character (byte 4)"),
    ]
