"""Files of the user's own are read in every form, and damage in them is located."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from empathic import corpora
from empathic.corpora import Defect, OwnLayout
from empathic.dialogue import Dialogue, Inference, Turn, to_json
from empathic.errors import DataError, UsageError

TEXT_FORMS = {".jsonl", ".ndjson", ".csv", ".tsv"}
ROWS = [
    {"chat": "a", "who": "Ida", "said": "I won!", "mood": "joyful"},
    {"chat": "a", "who": "Bo", "said": 'Say "goat", twice', "mood": "joyful"},
    {"chat": "b", "who": "Bo", "said": "It rains.", "mood": None},
    {"chat": "b", "who": "Ida", "said": "Still?", "mood": None},
]


def write_rows(file: Path, rows: list[dict[str, Any]]) -> Path:
    """The rows as a table of the form that the file's ending names."""
    if file.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), file)
        return file
    if file.suffix in (".jsonl", ".ndjson"):
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return file
    delimiter = "\t" if file.suffix == ".tsv" else ","
    quoted = [
        ['"' + str(each).replace('"', '""') + '"' if each is not None else "" for each in row.values()] for row in rows
    ]
    file.write_text("\n".join(delimiter.join(cells) for cells in [list(rows[0]), *quoted]))
    return file


def read(file: Path, **layout: Any) -> tuple[list[Any], list[tuple[int | None, str]]]:
    defects: list[Defect] = []
    records = list(corpora.read(file, report=defects.append, layout=OwnLayout(**layout)))
    return records, [(defect.line, defect.what) for defect in defects]


@pytest.mark.parametrize("suffix", [*sorted(TEXT_FORMS), ".parquet"])
def test_a_table_of_any_form_is_read_by_the_columns_named(tmp_path: Path, suffix: str) -> None:
    file = write_rows(tmp_path / f"chats{suffix}", ROWS)
    records, defects = read(file, text="said", role="who", dialogue="chat", emotion="mood", speakers=("Ida",))
    assert defects == []
    assert records == [
        Dialogue("a", (Turn("speaker", "I won!"), Turn("listener", 'Say "goat", twice')), emotion="joyful"),
        Dialogue("b", (Turn("listener", "It rains."), Turn("speaker", "Still?"))),
    ]


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        (("user", "assistant"), ["speaker", "listener"]),
        (("Therapist", "Client"), ["listener", "speaker"]),
        (("Ida", "Bo"), ["speaker", "listener"]),
        (("0", "1"), ["speaker", "listener"]),
    ],
)
def test_roles_follow_the_usual_names_or_else_who_speaks_first(
    tmp_path: Path, names: tuple[str, str], roles: list[str]
) -> None:
    rows = [{"dialogue": 1, "role": name, "text": "Hm."} for name in names]
    records, _ = read(write_rows(tmp_path / "chat.csv", rows))
    assert [turn.role for turn in records[0].turns] == roles


def test_without_a_role_column_turns_alternate(tmp_path: Path) -> None:
    records, _ = read(write_rows(tmp_path / "chat.csv", [{"conv_id": "a", "utterance": text} for text in "xyz"]))
    assert [turn.role for turn in records[0].turns] == ["speaker", "listener", "speaker"]


def test_without_a_dialogue_column_every_row_is_a_dialogue(tmp_path: Path) -> None:
    records, _ = read(write_rows(tmp_path / "lines.tsv", [{"text": "One."}, {"text": "Two."}]))
    assert [(record.id, len(record.turns)) for record in records] == [("lines-2", 1), ("lines-3", 1)]


def test_a_turn_numbered_0_begins_a_dialogue_even_under_the_same_name(tmp_path: Path) -> None:
    rows = [{"dialogue": "a", "turn": turn, "text": "Hm."} for turn in (0, 1, 0)]
    records, _ = read(write_rows(tmp_path / "chat.csv", rows))
    assert [len(record.turns) for record in records] == [2, 1]


def test_an_emotion_missing_from_some_rows_is_no_damage(tmp_path: Path) -> None:
    rows = [{"text": "A", "mood": "sad"}, {"text": "B", "mood": None}, {"text": "C"}, {"text": "D", "mood": "proud"}]
    records, defects = read(write_rows(tmp_path / "lines.jsonl", rows), emotion="mood")
    assert [record.emotion for record in records] == ["sad", None, None, "proud"]
    assert defects == []


def test_canonical_lines_are_read_whole_and_damaged_ones_located(tmp_path: Path) -> None:
    whole = [Dialogue("a", (Turn("speaker", "Oh"),), split="test"), Dialogue("b", ()), Inference("h", "xReact", "t")]
    lines = [to_json(record).decode() for record in whole]
    lines[1:1] = ['{"id": "cut', '{"id": "turnless"}', '{"id": "c", "turns": null}', "", '{"id": 1, "turns": []}', "[]"]
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(lines))
    records, defects = read(file)
    assert records == whole
    assert [line for line, _ in defects] == [2, 3, 4, 6, 7]
    assert defects[1] == (3, "holds no turns, no messages and no inference, as the rows before it do")
    assert defects[3] == (6, "Expected `str`, got `int` - at `$.id`")


def test_openai_s_messages_are_read_with_the_system_s_words_as_a_label(tmp_path: Path) -> None:
    said = [("system", "Be kind."), ("user", "I lost."), ("assistant", "Oh no."), ("tool", "42"), ("user", "Yes.")]
    messages = [{"role": role, "content": content} for role, content in said]
    file = tmp_path / "chats.jsonl"
    file.write_text(
        f"{json.dumps({'messages': messages})}\n"
        f"{json.dumps({'id': 'own', 'messages': messages[1:3]})}\n"
        f"{json.dumps({'messages': [{'role': 'user', 'content': None}]})}\n"
    )
    records, defects = read(file)
    assert records == [
        Dialogue(
            "chats-1",
            (Turn("speaker", "I lost."), Turn("listener", "Oh no."), Turn("speaker", "Yes.")),
            labels={"system": "Be kind."},
        ),
        Dialogue("own", (Turn("speaker", "I lost."), Turn("listener", "Oh no."))),
    ]
    assert [line for line, _ in defects] == [1, 3]
    assert defects[0][1] == "a message of role 'tool' is left out"


def test_a_first_line_that_holds_nothing_is_a_defect_like_any_other(tmp_path: Path) -> None:
    dialogue = Dialogue("a", (Turn("speaker", "Oh"),))
    file = tmp_path / "mine.jsonl"
    file.write_text('{"id": "x"}\n{}\n' + to_json(dialogue).decode() + "\n")
    records, defects = read(file)
    assert records == [dialogue]
    assert [line for line, _ in defects] == [1, 2]
    assert defects[0][1] == "no column holds text; the columns are: id (name it with --text)"


def test_lines_of_which_none_holds_text_are_given_up_with_the_way_to_name_the_column(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "mine.jsonl", [{"said": "One"}] * 50)
    with pytest.raises(DataError, match=r"no column holds text; the columns are: said \(name it with --text\)"):
        read(file)


def test_the_split_of_a_row_is_kept_and_can_be_asked_for(tmp_path: Path) -> None:
    table = write_rows(tmp_path / "t.csv", [{"text": "One", "split": "train"}, {"text": "Two", "split": "test"}])
    chats = tmp_path / "c.jsonl"
    messages = [{"role": "user", "content": "Two"}]
    chats.write_text(json.dumps({"messages": messages, "split": "test", "emotion": "sad"}) + "\n")
    for file in (table, chats):
        (found,) = corpora.read_dialogues(file, split="test")
        assert found.turns[0].text == "Two"
    assert found.emotion == "sad"


@pytest.mark.parametrize("name", ["chat.CSV", "chat.csv.gz"])
def test_a_name_in_capitals_or_packed_is_read_by_its_form(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    text = b"text,role\nHello?,user\n"
    file.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    records, _ = read(file)
    assert [turn.text for turn in records[0].turns] == ["Hello?"]


def test_a_file_of_another_form_is_no_unknown_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chat.json").write_text("[]")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"chat\.json: a file's name must end with one of"):
        list(corpora.read("chat.json"))


def test_a_very_long_turn_survives_csv(tmp_path: Path) -> None:
    dialogue = Dialogue("long", (Turn("speaker", "and then " * 40_000),))
    corpora.write([dialogue], tmp_path / "long.csv")
    assert read(tmp_path / "long.csv") == ([dialogue], [])


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_damaged_rows_of_a_table_are_located_and_passed_over(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"chat{suffix}"
    lines = [b"text,role,dialogue", b"One,user,a", b"too,few", b"latin \xe9,user,a", b"Two,assistant,a"]
    file.write_bytes(b"\n".join(lines).replace(b",", b"\t" if suffix == ".tsv" else b","))
    records, defects = read(file)
    assert [[turn.text for turn in record.turns] for record in records] == [["One", "Two"]]
    assert defects == [(3, "2 fields where the header has 3"), (4, "not UTF-8 text")]


@pytest.mark.parametrize(
    ("header", "error"),
    [
        (b"text,\xe9motion", "chat.csv:1: no header that can be read: not UTF-8 text"),
        (b'text,"emotion" x', "chat.csv:1: no header that can be read: ',' expected after '\"'"),
        (b"text,emotion,text", "chat.csv:1: two columns are called 'text'"),
    ],
)
def test_a_header_that_names_no_columns_ends_the_reading(tmp_path: Path, header: bytes, error: str) -> None:
    file = tmp_path / "chat.csv"
    file.write_bytes(header + b"\nOne,sad,two\n")
    with pytest.raises(DataError, match=error):
        read(file)


def test_a_row_whose_text_is_none_is_located_and_passed_over(tmp_path: Path) -> None:
    rows = [{"text": "One"}, {"text": None}, {"text": 3}, {"words": "Two"}, {"text": "Three"}]
    records, defects = read(write_rows(tmp_path / "lines.jsonl", rows))
    assert [record.turns[0].text for record in records] == ["One", "Three"]
    assert defects == [(line, "the column 'text' holds no text") for line in (2, 3, 4)]


@pytest.mark.parametrize("depth", [600, 990, 100_000])
def test_a_row_nested_too_deeply_is_located_and_passed_over(tmp_path: Path, depth: int) -> None:
    file = tmp_path / "lines.jsonl"
    nested = '{"text": "Two", "dialogue": ' + "[" * depth + "]" * depth + "}"
    file.write_text(f'{{"text": "One"}}\n{nested}\n{{"text": "Three"}}\n')
    records, defects = read(file)
    assert [record.turns[0].text for record in records if record.turns[0].text != "Two"] == ["One", "Three"]
    assert defects == ([(2, "nested too deeply")] if len(records) == 2 else [])


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_a_column_named_but_not_there_is_refused_with_those_that_are(tmp_path: Path, suffix: str) -> None:
    file = write_rows(tmp_path / f"chats{suffix}", ROWS)
    with pytest.raises(UsageError, match="there is no column 'feeling'; the columns are: chat, who, said, mood"):
        read(file, text="said", emotion="feeling")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_without_text_says_how_to_name_its_column(tmp_path: Path, suffix: str) -> None:
    file = write_rows(tmp_path / f"chats{suffix}", ROWS)
    with pytest.raises(DataError, match=r"no column holds text; the columns are: chat, who, said, mood.*--text"):
        read(file)


@pytest.mark.parametrize("suffix", [*sorted(TEXT_FORMS), ".parquet"])
def test_a_file_that_is_not_there_is_named(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(DataError, match=rf"mine\{suffix}: there is no such file"):
        read(tmp_path / f"mine{suffix}")


def test_a_file_of_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"mine\.txt: a file's name must end with one of \.csv, \.jsonl"):
        read(tmp_path / "mine.txt")


@pytest.mark.parametrize("damage", [lambda whole: whole[:-9], lambda whole: b"no parquet"], ids=["cut off", "other"])
def test_a_damaged_parquet_file_is_named(tmp_path: Path, damage: Any) -> None:
    file = write_rows(tmp_path / "chats.parquet", ROWS)
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(DataError, match=r"chats\.parquet: not a readable Parquet file, after row 0"):
        read(file)


def test_a_split_of_a_file_is_what_its_records_say(tmp_path: Path) -> None:
    dialogues = [Dialogue(split, (Turn("speaker", "Oh"),), split=split) for split in ("train", "test")]
    corpora.write(dialogues, tmp_path / "mine.jsonl")
    assert list(corpora.read(tmp_path / "mine.jsonl", split="test")) == dialogues[1:]


@pytest.mark.parametrize("asked", [{"part": "lexical"}, {"path": Path("elsewhere")}])
def test_a_part_or_another_path_cannot_be_asked_of_a_file(tmp_path: Path, asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="is a file of your own"):
        corpora.read(tmp_path / "mine.jsonl", **asked)


def test_a_column_called_turns_or_messages_does_not_make_a_table_something_else(tmp_path: Path) -> None:
    for name in ("mine.csv", "mine.jsonl", "mine.parquet"):
        file = write_rows(
            tmp_path / name, [{"text": "Hello.", "turns": 3, "messages": 4, "head": "x", "relation": "y"}]
        )
        assert [dialogue.turns[0].text for dialogue in corpora.read_dialogues(file)] == ["Hello."]


def test_of_messages_in_parts_the_text_is_read_and_what_has_none_is_left_out(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "I won!"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "assistant", "content": "What did you win?"},
    ]
    (tmp_path / "mine.jsonl").write_text(json.dumps({"messages": messages}) + "\n")
    defects: list[Defect] = []
    (dialogue,) = corpora.read_dialogues(tmp_path / "mine.jsonl", report=defects.append)
    assert [turn.text for turn in dialogue.turns] == ["I won!", "What did you win?"]
    assert [(defect.line, defect.what) for defect in defects] == [
        (1, "a message of the assistant without text is left out")
    ]


def test_a_number_that_json_has_no_word_for_is_a_defect(tmp_path: Path) -> None:
    rows = [{"head": "a", "relation": "xWant", "tail": "b", "weight": weight} for weight in (1.0, float("inf"))]
    defects: list[Defect] = []
    records = list(corpora.read(write_rows(tmp_path / "mine.parquet", rows), report=defects.append))
    assert [record.weight for record in records if isinstance(record, Inference)] == [1.0]
    assert [defect.line for defect in defects] == [2]


def test_a_time_beyond_all_calendars_is_an_error_with_its_file(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"when": pa.array([2**53], pa.timestamp("ms")), "text": ["Hi."]}), tmp_path / "mine.parquet"
    )
    with pytest.raises(DataError, match=r"mine.parquet: not a readable Parquet file, after row 0"):
        list(corpora.read(tmp_path / "mine.parquet"))
