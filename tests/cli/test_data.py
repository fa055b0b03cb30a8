"""`empathic data`: corpora listed, shown, counted, checked, converted and downloaded."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from empathic import corpora
from empathic.dialogue import Cause, Dialogue, Factors, Mechanism, Mechanisms, Turn

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A file of one's own with a damaged second line."""
    file = tmp_path / "mine.jsonl"
    file.write_text('{"text": "One."}\n{"text": 2}\n{"text": "Three."}\n')
    return file


DEFECT = "mine.jsonl:2: the column 'text' holds no text"


def test_list_names_every_corpus_and_whether_it_is_here(run: Run, published: Path) -> None:
    code, out, _ = run("list")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line}
    assert code == 0
    assert {corpus.name for corpus in corpora.known()} <= set(rows)
    assert rows["goemotions"][1] == "yes"
    assert str(published) in out


def test_list_marks_what_is_not_here(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPATHIC_DATA", str(tmp_path))
    lines = run("list")[1].splitlines()
    assert any(line.split()[:2] == ["goemotions", "-"] for line in lines)
    assert any(line.split()[:2] == ["sample", "yes"] for line in lines)


def test_list_of_one_tells_its_licence_parts_and_downloads(run: Run) -> None:
    code, out, _ = run("list", "edos")
    assert code == 0
    for told in ("CC BY 4.0", "Welivita", "workers: 10,245 dialogues", "splits  none", "9K.csv, https://"):
        assert told in out


def test_list_as_json_is_the_same_facts(run: Run) -> None:
    facts = json.loads(run("list", "goemotions", "--json")[1])
    assert [(each["name"], each["licence"], each["splits"]) for each in facts] == [
        ("goemotions", "Apache-2.0", ["train", "valid", "test"])
    ]
    assert len(json.loads(run("list", "--json")[1])) == len(corpora.known())


def test_show_prints_dialogues_as_a_person_would_read_them(run: Run) -> None:
    code, out, _ = run("show", "empathetic-dialogues", "--count", 1)
    assert code == 0
    assert out.splitlines() == [
        "hit:1_conv:2 · proud · train",
        "  (My nephew fixed the old clock, all alone.)",
        "   speaker  My nephew fixed the old clock, all alone!",
        "  listener  A whole clock? How old is he?",
        '   speaker  Eleven. He said "it only wanted oil", and it did.',
        '  listener  "Only oil" sounds like a watchmaker.',
        "",
    ]


def test_show_names_personas_labels_and_factors(run: Run, tmp_path: Path) -> None:
    factors = Factors(
        Mechanisms(exploration=Mechanism(2), interpretation=Mechanism(0)),
        act="questioning",
        fine_emotions=("curiosity",),
        causes=(Cause(0, "a goat"),),
    )
    turns = (Turn("speaker", "I won a goat."), Turn("listener", "Why?", name="Bo", factors=factors, labels={"k": "v"}))
    dialogue = Dialogue("d", turns, persona=("I farm.",), speaker_persona=("I win.",), labels={"topic": "goats"})
    corpora.write([dialogue], tmp_path / "mine.jsonl")
    assert run("show", tmp_path / "mine.jsonl")[1].splitlines() == [
        "d",
        "  about the speaker: I win.",
        "  about the listener: I farm.",
        "  topic: goats",
        "   speaker  I won a goat.",
        "        Bo  Why?  [k: v; strong exploration; act: questioning; curiosity; caused by turn 1 “a goat”]",
        "",
    ]


def test_show_prints_inferences_on_a_line_each(run: Run) -> None:
    assert run("show", "conceptnet", "-n", 2)[1] == "cat  CapableOf ▸ purr  2.3219\ncat  xReason ▸ be warm  1\n"


def test_show_as_json_prints_canonical_lines(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("show", "goemotions", "--split", "train", "--skip", 1, "--count", 5, "--json")
    (tmp_path / "shown.jsonl").write_text(out)
    assert code == 0
    assert list(corpora.read(tmp_path / "shown.jsonl")) == list(corpora.read("goemotions", split="train"))[1:]


def test_show_of_nothing_exits_with_one(run: Run) -> None:
    assert run("show", "goemotions", "--skip", 100) == (1, "", "goemotions holds nothing beyond the first 100\n")


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["goemotions", "--split", "test"], ["gc1"]),
        (["pec", "--part", "offmychest", "--split", "valid"], ["offmychest-valid-1"]),
    ],
)
def test_split_and_part_choose_what_is_shown(run: Run, options: list[str], shown: list[str]) -> None:
    assert [json.loads(line)["id"] for line in run("show", *options, "--json")[1].splitlines()] == shown


def test_from_reads_another_folder_or_file(run: Run, published: Path) -> None:
    code, out, _ = run("show", "goemotions", "--from", published / "goemotions" / "dev.tsv", "--json")
    assert (code, json.loads(out)["id"]) == (0, "gb1")


def test_columns_of_a_table_of_one_s_own_can_be_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "chat.csv").write_text("chat,who,said,mood\n1,Ida,I won!,joyful\n1,Bo,What?,joyful\n")
    options = "--text said --role who --dialogue chat --emotion mood --speaker Bo".split()
    assert json.loads(run("show", tmp_path / "chat.csv", *options, "--json")[1]) == {
        "id": "1",
        "emotion": "joyful",
        "turns": [{"role": "listener", "text": "I won!"}, {"role": "speaker", "text": "What?"}],
    }


def test_stats_counts_records_turns_and_labels(run: Run) -> None:
    code, out, _ = run("stats", "empathetic-dialogues")
    assert code == 0
    assert "records    7 (train 5, valid 1, test 1)" in out
    assert "turns      16 (speaker 8, listener 8)" in out
    assert "exchanges  8 listener turns with something before them" in out
    assert "emotion: 5 labels, 7 given" in out


def test_stats_as_json_are_the_same_figures(run: Run) -> None:
    figures = json.loads(run("stats", "empathetic-dialogues", "--json")[1])
    assert (figures["records"], figures["turns"], figures["exchanges"]) == (7, 16, 8)
    assert figures["labels"]["emotion"]["lonely"] == 3


@pytest.mark.parametrize(
    ("name", "begins"), [("plot.svg", b"<?xml"), ("plot.png", b"\x89PNG"), ("below/plot.pdf", b"%PDF")]
)
def test_stats_draws_a_plot_of_the_kind_that_the_file_s_ending_names(
    run: Run, tmp_path: Path, name: str, begins: bytes
) -> None:
    code, _, err = run("stats", "goemotions", "--plot", tmp_path / name)
    assert (code, err) == (0, f"Drawn into {tmp_path / name}.\n")
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_stats_refuses_to_draw_a_plot_of_another_kind(run: Run, tmp_path: Path) -> None:
    code, _, err = run("stats", "--plot", tmp_path / "plot.gif")
    assert code == 2
    assert "must end with one of: .svg, .png, .pdf" in err
    assert not (tmp_path / "plot.gif").exists()


def test_check_of_a_sound_corpus_exits_with_zero(run: Run) -> None:
    assert run("check", "goemotions") == (0, "", "5 records read, 0 defects found\n")


def test_check_prints_every_defect_with_its_place_and_exits_with_one(run: Run, damaged: Path) -> None:
    code, out, err = run("check", damaged)
    assert (code, err) == (1, "2 records read, 1 defect found\n")
    assert out == f"{damaged.parent}/{DEFECT}\n"


def test_check_as_json_prints_one_defect_a_line(run: Run, damaged: Path) -> None:
    code, out, err = run("check", damaged, "--json")
    assert (code, err) == (1, "")
    assert [json.loads(line) for line in out.splitlines()] == [
        {"path": str(damaged), "what": "the column 'text' holds no text", "line": 2}
    ]


def test_convert_keeps_every_record(run: Run, tmp_path: Path) -> None:
    for name in ("out.parquet", "out.jsonl"):
        code, _, err = run("convert", "reccon", tmp_path / name)
        assert (code, err) == (0, f"3 records in {tmp_path / name}\n")
        assert list(corpora.read(tmp_path / name)) == list(corpora.read("reccon"))


def test_convert_passes_over_defects_and_exits_with_one(run: Run, damaged: Path, tmp_path: Path) -> None:
    code, _, err = run("convert", damaged, tmp_path / "out.csv")
    assert code == 1
    assert err.splitlines() == [
        f"{damaged.parent}/{DEFECT}",
        f"2 records in {tmp_path / 'out.csv'}, 1 defect passed over",
    ]
    assert [record.turns[0].text for record in corpora.read_dialogues(tmp_path / "out.csv")] == ["One.", "Three."]


def test_convert_refuses_to_write_a_file_over_itself(run: Run, damaged: Path) -> None:
    before = damaged.read_bytes()
    code, _, err = run("convert", damaged, damaged.parent / "here" / ".." / damaged.name)
    assert code == 2
    assert "would be written over itself" in err
    assert damaged.read_bytes() == before


def test_convert_that_fails_leaves_no_file(run: Run, tmp_path: Path) -> None:
    code, _, err = run("convert", "event2mind", tmp_path / "out.csv")
    assert code == 1
    assert err.endswith("inferences have no utterances to make a CSV of (write .jsonl or .parquet)\n")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("command", [["show"], ["stats"], ["check"], ["convert", "out.jsonl"]])
def test_strict_ends_at_the_first_defect_in_one_line(run: Run, damaged: Path, command: list[str]) -> None:
    name, *rest = command
    code, _, err = run(name, damaged, *rest, "--strict")
    assert (code, err) == (1, f"empathic: {damaged.parent}/{DEFECT}\n")
    assert not Path("out.jsonl").exists()


@pytest.mark.parametrize("command", ["show", "stats"])
def test_defects_are_notes_beside_the_result(run: Run, damaged: Path, command: str) -> None:
    code, out, err = run(command, damaged)
    assert code == 0
    assert out
    assert err == f"{damaged.parent}/{DEFECT}\n"


@pytest.fixture
def offered(published: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server that offers GoEmotions' files, as the corpus now says."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    handler: Any = functools.partial(SimpleHTTPRequestHandler, directory=str(published / "goemotions"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        corpus = corpora.find("goemotions")
        downloads = tuple(replace(each, url=f"{address}/{each.to}") for each in corpus.downloads)
        monkeypatch.setattr(corpora, "find", lambda name: replace(corpus, downloads=downloads))
        yield address
        server.shutdown()


@pytest.mark.usefixtures("offered")
def test_get_downloads_a_corpus_and_says_what_it_is_and_where(run: Run, tmp_path: Path) -> None:
    code, out, err = run("get", "goemotions", "--to", tmp_path / "new")
    assert code == 0
    assert out.splitlines() == [str(tmp_path / "new" / name) for name in ("train.tsv", "dev.tsv", "test.tsv")]
    assert "GoEmotions: Apache-2.0. Demszky" in err
    assert [record.split for record in corpora.read("goemotions", path=tmp_path / "new")][-1] == "test"


def test_get_of_what_the_server_has_not_says_where_to_put_it(
    run: Run, tmp_path: Path, offered: str, published: Path
) -> None:
    hidden = (published / "goemotions" / "dev.tsv").rename(published / "goemotions" / "hidden")
    code, _, err = run("get", "goemotions", "--to", tmp_path / "new")
    hidden.rename(published / "goemotions" / "dev.tsv")
    assert code == 1
    assert f"empathic: {offered}/dev.tsv: the server answers 404 File not found (or get by other means" in err
    assert f"put there: {offered}/dev.tsv as {tmp_path / 'new' / 'dev.tsv'}; " in err


def test_get_of_what_is_not_published_for_download_says_where_it_is(run: Run) -> None:
    code, out, err = run("get", "conceptnet")
    assert (code, out) == (2, "")
    assert "conceptnet has no files that can be fetched from here (it is to be had at https://" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["show", "goemotion"], "no corpus is called 'goemotion'; did you mean 'goemotions'?"),
        (["list", "edso"], "no corpus is called 'edso'; did you mean 'edos'?"),
        (["get", "pecc"], "no corpus is called 'pecc'; did you mean 'pec'?"),
        (["stats", "goemotions", "--split", "tset"], "goemotions has no split 'tset'; did you mean 'test'?"),
        (["check", "edos", "--part", "worker"], "edos has no part 'worker'; did you mean 'workers'?"),
        (["show", "goemotions", "--text", "said"], "goemotions has a layout of its own"),
        (["show", "--count", "0"], "Must be >= 1"),
        (["show", "--count", "many"], "many"),
        (["show", "--spilt", "test"], "--split"),
        (["convert", "sample"], "parameter TO requires an argument"),
        (["convert", "sample", "out.txt"], "out.txt: the file's name must end with one of: .jsonl, .parquet, .csv"),
    ],
)
def test_wrong_usage_exits_with_two_and_one_line_that_names_what_is_right(
    run: Run, arguments: list[str], complaint: str
) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("empathic: ")
    assert complaint in err
    assert err.count("\n") == 1


def test_data_that_is_not_here_is_one_line_that_says_how_to_get_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMPATHIC_DATA", str(tmp_path))
    file = tmp_path / "goemotions" / "train.tsv"
    assert run("show", "goemotions") == (
        1,
        "",
        f"empathic: goemotions: there is no {file} (empathic data get goemotions, or name its folder with --from)\n",
    )


def test_what_would_steer_the_terminal_is_shown_and_not_obeyed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    corpora.write([Dialogue("a", (Turn("speaker", "\x1b]0;title\x07red\x9b31m"),))], file)
    _, out, _ = run("show", file)
    assert "␛]0;title␇red�31m" in out


def test_a_data_folder_that_is_set_to_nothing_is_not_set(program: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPATHIC_DATA", "")
    _, out, _ = program("data", "list", "goemotions", "--json")
    assert Path(json.loads(out)[0]["folder"]).is_absolute()
