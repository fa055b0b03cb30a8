"""`empathic annotate`: rows out are rows in, in order, each with factors or with what is wrong; killed, it goes on."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from empathic import corpora
from empathic.dialogue import Dialogue, Turn
from empathic.taxonomy import EMOTIONS

Run = Callable[..., tuple[int, str, str]]
ANNOTATE = [sys.executable, "-c", "from empathic.cli import main; main()", "annotate"]


@pytest.fixture
def annotate(program: Run, tiny_annotators: Path) -> Run:
    """Runs `empathic annotate` with models that know nothing."""

    def run(*arguments: object) -> tuple[int, str, str]:
        return program("annotate", *arguments, "--models", tiny_annotators, "--device", "cpu")

    return run


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Puts bytes into standard input."""

    def pipe(content: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content)), encoding="utf-8"))  # type: ignore[arg-type]

    return pipe


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_sentence_gives_a_picture(annotate: Run) -> None:
    code, out, _ = annotate("I failed my driving test.", "--response", "Oh no!")
    assert code == 0
    assert "“I failed my driving test.”" in out
    assert "“Oh no!”" in out
    for name in ("emotion", "intent", "feels", "dialog act", "reaction", "exploration"):
        assert name in out


def test_a_sentence_gives_json_with_the_words_that_mattered(annotate: Run) -> None:
    code, out, _ = annotate("I failed my driving test.", "--json")
    (turn,) = json.loads(out)
    assert code == 0
    assert turn["factors"]["emotion"] in EMOTIONS
    assert abs(sum(turn["factors"]["probabilities"]["emotion"].values()) - 1) < 0.01
    assert {word for word, _ in turn["words"]["emotion"]} <= {"I", "failed", "my", "driving", "test."}


@pytest.mark.parametrize("said", ["", " ", "\n"])
def test_a_sentence_may_be_empty(annotate: Run, said: str) -> None:
    code, out, err = annotate(said, "--json")
    (turn,) = json.loads(out)
    assert (code, err) == (0, "")
    assert turn["factors"]["emotion"] in EMOTIONS
    assert annotate(said)[0] == 0


def test_lines_piped_in_come_out_one_for_one(annotate: Run, piped: Callable[[bytes], None]) -> None:
    lines = ["I won!", "", "\x00", "😀 私", "it rains"]
    piped("\n".join(lines).encode() + b"\nnot \xff text\nthe end")
    code, out, err = annotate("--factors", "emotion")
    found = objects(out)
    assert [each["text"] for each in found] == [*lines, "not \ufffd text", "the end"]
    assert all(each["factors"]["emotion"] in EMOTIONS for each in found if "factors" in each)
    assert "factors" not in found[5]
    assert found[5]["error"] == "standard input:6: not UTF-8 text"
    assert (code, err) == (1, "standard input:6: not UTF-8 text\n")


ROWS = [
    {"chat": "a", "who": "Ida", "said": "I won!"},
    {"chat": "a", "who": "Bo", "said": "Wow, what did you win?"},
    {"chat": "b", "who": "Ida", "said": ""},
    {"chat": "b", "who": "Bo", "said": "Hm?"},
]
LAYOUT = ("--text", "said", "--role", "who", "--dialogue", "chat")


def test_a_table_keeps_its_columns_and_gets_more(annotate: Run, tmp_path: Path) -> None:
    with (tmp_path / "in.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, list(ROWS[0]))
        table.writeheader()
        table.writerows(ROWS)
        file.write("too,few\n")
    code, _, err = annotate(tmp_path / "in.csv", *LAYOUT, "--to", tmp_path / "out.csv")
    found = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert code == 1
    assert "in.csv:6: 2 fields where the header has 3" in err
    assert [{name: row[name] for name in ROWS[0]} for row in found[:4]] == ROWS
    assert found[4]["factors.error"].endswith("in.csv:6: 2 fields where the header has 3")
    assert all(row["factors.emotion"] in EMOTIONS for row in found[:4])
    assert found[1]["factors.exploration"] in ("none", "weak", "strong")
    assert found[0]["factors.exploration"] == ""


def test_a_parquet_table_keeps_its_columns_and_types(annotate: Run, tmp_path: Path) -> None:
    table = pa.Table.from_pylist([{**row, "number": number} for number, row in enumerate(ROWS)])
    pq.write_table(table, tmp_path / "in.parquet")
    code, _, _ = annotate(tmp_path / "in.parquet", *LAYOUT, "--to", tmp_path / "out.parquet")
    found = pq.read_table(tmp_path / "out.parquet")
    assert code == 0
    assert found.select(table.column_names).equals(table)
    assert all(factors["emotion"] in EMOTIONS for factors in found["factors"].to_pylist())


def test_dialogues_keep_all_that_they_held(annotate: Run, tmp_path: Path) -> None:
    given = list(corpora.read_dialogues("sample", split="test"))
    for name in ("out.jsonl", "out.parquet"):
        code, _, _ = annotate("sample", "--split", "test", "--to", tmp_path / name)
        found = list(corpora.read_dialogues(tmp_path / name))
        assert code == 0
        assert [(each.id, each.emotion, [turn.text for turn in each.turns]) for each in found] == [
            (each.id, each.emotion, [turn.text for turn in each.turns]) for each in given
        ]
        assert all(turn.factors is not None for each in found for turn in each.turns)


def test_messages_keep_their_form_and_those_that_are_no_turns_stay_as_they_were(annotate: Run, tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "I won!"},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": "What did you win?"},
    ]
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": 7, "messages": messages}) + "\n")
    code, out, _ = annotate(tmp_path / "in.jsonl")
    (found,) = objects(out)
    assert code == 1
    assert [{"role": each["role"], "content": each["content"]} for each in found["messages"]] == messages
    assert ["factors" in each for each in found["messages"]] == [False, True, False, True]
    assert found["id"] == 7


def test_every_row_of_a_damaged_file_comes_out(annotate: Run, tmp_path: Path) -> None:
    lines = ['{"text": "One."}', '{"text": 2}', "{", '{"text": null}', '{"other": "x"}', '{"text": "Six."}']
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    code, out, _ = annotate(tmp_path / "in.jsonl")
    found = objects(out)
    assert code == 1
    assert len(found) == len(lines)
    assert ["factors" in each for each in found] == [True, False, False, False, False, True]
    assert ["error" in each for each in found] == [False, True, True, True, True, False]


def test_a_table_annotated_again_has_the_factors_of_the_last_time_alone(annotate: Run, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("text,id\nOne,1\nTwo\n")
    _, once, _ = annotate(tmp_path / "in.csv", "--factors", "emotion,intent")
    (tmp_path / "once.csv").write_text(once)
    code, again, _ = annotate(tmp_path / "once.csv", "--factors", "emotion")
    columns = ["text", "id", "factors.emotion", "factors.emotion.probability", "factors.error"]
    assert code == 0
    assert again.splitlines()[0].split(",") == columns
    assert [row["factors.error"] for row in table_of(again)] == ["", ""]
    annotate(tmp_path / "once.csv", "--factors", "emotion", "--to", tmp_path / "again.jsonl")
    assert [list(each) for each in objects((tmp_path / "again.jsonl").read_text())] == [["text", "id", "factors"]] * 2


def table_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_that_cannot_be_read_keeps_its_cells(annotate: Run, tmp_path: Path) -> None:
    rows = [b"id,text", b"1,One", b"2,Well, no", b"3", b"4,\xff", b'5,"a" b', b'6,"open', b"7,Seven", b""]
    (tmp_path / "in.csv").write_bytes(b"\n".join(rows))
    code, out, _ = annotate(tmp_path / "in.csv", "--factors", "emotion")
    found = table_of(out)
    assert code == 1
    assert [(row["id"], row["text"]) for row in found] == [
        ("1", "One"),
        ("2", "Well, no"),
        ("3", ""),
        ("4", "\ufffd"),
        ("", '5,"a" b'),
        ("", '6,"open\n7,Seven'),
    ]
    assert [bool(row["factors.error"]) for row in found] == [False, True, True, True, True, True]
    assert found[1]["factors.error"].endswith("in.csv:3: 3 fields where the header has 2")


def test_a_line_of_json_that_cannot_be_read_comes_out_beside_what_is_wrong(annotate: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b'{"text": "One."}\n{"text": oops}\n[1]\n{"text": "\xff"}\n')
    _, out, _ = annotate(tmp_path / "in.jsonl", "--factors", "emotion")
    assert [each.get("line") for each in objects(out)] == [None, '{"text": oops}', "[1]", '{"text": "\ufffd"}']


def test_a_line_of_json_that_cannot_be_read_stands_in_a_table_of_dialogues(annotate: Run, tmp_path: Path) -> None:
    corpora.write(corpora.read("sample", split="test"), tmp_path / "in.jsonl")
    with (tmp_path / "in.jsonl").open("a") as file:
        file.write("oops\n")
    annotate(tmp_path / "in.jsonl", "--factors", "emotion", "--to", tmp_path / "out.parquet")
    last = list(corpora.read_dialogues(tmp_path / "out.parquet"))[-1]
    assert json.loads(last.labels["row"]) == {"line": "oops"}
    assert "in.jsonl:" in last.labels["error"]


@pytest.mark.parametrize(
    ("content", "texts"), [(b"text\n\xff\xfe\n", ["\ufffd\ufffd"]), (b'text,x\n"open,1\nfoo,2\n', [""])]
)
def test_a_table_without_a_row_that_can_be_read_comes_out(
    annotate: Run, tmp_path: Path, content: bytes, texts: list[str]
) -> None:
    (tmp_path / "in.csv").write_bytes(content)
    code, out, err = annotate(tmp_path / "in.csv", "--factors", "emotion")
    assert code == 1
    assert [row["text"] for row in table_of(out)] == texts
    assert all(row["factors.error"] for row in table_of(out))
    assert err.count("\n") == 1


@pytest.mark.parametrize("content", [b"\x7fELF\x02\xff\xfe,\n\x00\n", b'"text\nOne\n'])
def test_what_has_no_header_is_no_table(annotate: Run, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "in.csv").write_bytes(content)
    code, out, err = annotate(tmp_path / "in.csv", "--factors", "emotion")
    assert (code, out) == (1, "")
    assert "in.csv:1: no header that can be read" in err


def test_of_many_defects_the_first_are_told_and_all_are_counted(annotate: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes(b"\xff\n" * 1234 + b"One.\n")
    code, _, err = annotate(tmp_path / "in.txt", "--factors", "emotion", "--to", tmp_path / "out.jsonl")
    told = err.splitlines()
    assert code == 1
    assert [line.endswith(f"in.txt:{number}: not UTF-8 text") for number, line in enumerate(told[:20], 1)] == [
        True
    ] * 20
    assert told[20] == "... and 1,214 more"
    assert told[21].endswith("out.jsonl, 1,234 defects")
    assert len(told) == 22
    assert len(objects((tmp_path / "out.jsonl").read_text())) == 1235


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["nowhere.csv"], "there is no file and no corpus 'nowhere.csv'"),
        (["sampel"], "did you mean 'sample'?"),
        (["in.csv", "--text", "words"], "there is no column 'words'; the columns are: said"),
        (["in.csv"], "no column holds text; the columns are: said (name it with --text)"),
        (["in.csv", "--text", "said", "--to", "out.docx"], "must be called .jsonl, .csv, .tsv or .parquet, not .docx"),
        (["in.csv", "--text", "said", "--to", "out.parquet"], "rows of .csv are written as .jsonl, .csv or .tsv"),
        (["in.csv", "--text", "said", "--factors", "mood"], "there is no factor 'mood'"),
        (["I won!", "--to", "out.csv"], "a sentence gives a picture"),
        (["in.csv", "--text", "said", "--to", "in.csv"], "--to in.csv: that is the file that is read"),
        (["in.csv", "--text", "said", "--to", "link.csv"], "--to link.csv: that is the file that is read"),
        (["sample", "--from", "in.csv", "--to", "in.csv"], "--to in.csv: that is the file that is read"),
        (["in.csv", "--text", "said", "--to", "none/of/them/out.csv"], "there is no folder none/of/them"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(annotate: Run, arguments: list[str], error: str) -> None:
    Path("in.csv").write_text("said\nI won!\n")
    Path("link.csv").symlink_to("in.csv")
    code, _, err = annotate(*arguments)
    assert code in (1, 2)
    assert error in err
    assert err.count("\n") == 1
    assert sorted(map(str, Path().rglob("*"))) == ["in.csv", "link.csv"]
    assert Path("in.csv").read_text() == "said\nI won!\n"


def test_what_is_piped_in_from_a_file_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    file.write_text('{"text": "One."}\n')
    with file.open("rb") as given:
        done = subprocess.run([*ANNOTATE, "--to", file], stdin=given, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "that is the file that is read" in done.stderr
    assert file.read_text() == '{"text": "One."}\n'


def test_a_file_whose_annotation_was_killed_is_taken_up(tmp_path: Path, tiny_annotators: Path) -> None:
    source = tmp_path / "many.jsonl"
    corpora.write((Dialogue(str(n), (Turn("speaker", f"This is number {n}."),)) for n in range(30_000)), source)
    command = [*ANNOTATE, str(source), "--models", str(tiny_annotators), "--device", "cpu", "--factors", "emotion"]
    environment = os.environ | {"EMPATHIC_CACHE": str(tmp_path / "cache")}
    part = tmp_path / ".killed.jsonl.part"
    with subprocess.Popen([*command, "--to", str(tmp_path / "killed.jsonl")], env=environment) as process:
        deadline = time.monotonic() + 120
        while not part.is_file() or not part.stat().st_size:
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.005)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "killed.jsonl").exists()
    begun = part.read_bytes()
    for name in ("killed.jsonl", "whole.jsonl"):
        subprocess.run([*command, "--to", str(tmp_path / name)], check=True, capture_output=True, env=environment)
    taken_up = (tmp_path / "killed.jsonl").read_bytes()
    assert taken_up == (tmp_path / "whole.jsonl").read_bytes()
    assert taken_up.startswith(begun[: begun.rfind(b"\n")])
    assert taken_up.count(b"\n") == 30_000
    assert not part.exists()
