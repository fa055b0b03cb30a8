"""`empathic evaluate`, `compare` and `report`: runs of responders measured, beside each other, and on a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from made_up_runs import exchanges, make_run

Run = Callable[..., tuple[int, str, str]]
QUICK = ("--samples", "20", "--device", "cpu")


@pytest.fixture
def runs(program: Run) -> Path:
    """Two systems, one of them with two seeds."""
    folder = Path("runs").resolve()
    make_run(folder / "moel", recipe="moel", nats=3.6, decodings=("beam-5", "greedy"))
    make_run(folder / "mime", plans=True)
    make_run(folder / "mime-1", seed=1)
    return folder


def test_a_run_is_measured_by_decoding_and_polarity_and_the_figures_are_kept(program: Run, runs: Path) -> None:
    code, out, err = program("evaluate", runs / "moel", "--by", "polarity", *QUICK)
    assert code == 0
    assert "people's responses" in out
    assert "replies, beam-5" in out
    assert "replies, greedy" in out
    assert all(f"{group} (" in out for group in ("all", "positive", "negative"))
    assert "greedy is left out: it needs vectors" in err
    written = json.loads((runs / "moel" / "measures" / "test.json").read_text())
    assert set(written["replies"]) == {"beam-5", "greedy"}
    assert written["samples"] == 20
    assert written["made with"]["device"] == "cpu"
    assert f"written to {runs / 'moel' / 'measures' / 'test.json'}" in err
    _, out, _ = program("evaluate", runs / "moel", "--by", "polarity", "--json", *QUICK)
    assert json.loads(out) == [written]


def test_one_decoding_alone_is_measured_where_it_is_named(program: Run, runs: Path) -> None:
    _, out, _ = program("evaluate", runs / "moel", "--replies", "beam-5", "--json", *QUICK)
    assert list(json.loads(out)[0]["replies"]) == ["beam-5"]


def test_plans_are_held_against_replies_where_there_are_annotators(
    program: Run, runs: Path, tiny_annotators: Path
) -> None:
    _, out, err = program("evaluate", runs / "mime", "--json", *QUICK)
    assert "what replies do is not read: there are no trained annotators here" in err
    assert "realized-act" not in json.loads(out)[0]["replies"]["greedy"]["all"]["figures"]
    _, out, err = program("evaluate", runs / "mime", "--models", tiny_annotators, "--json", *QUICK)
    found = json.loads(out)[0]
    figures = found["replies"]["greedy"]["all"]["figures"]
    assert {"realized-act", "realized-intent", "realized-mechanisms", "realized-exploration"} <= figures.keys()
    assert {"utterance", "exchange"} == found["annotators"].keys()


def test_runs_stand_beside_each_other_and_seeds_are_one_row(program: Run, runs: Path) -> None:
    command = ("compare", runs / "moel", runs / "mime", runs / "mime-1", "--metrics", "ppl-moel,words", *QUICK)
    code, out, _ = program(*command)
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["ppl-moel", "words"]
    assert lines[1].startswith("moel ")
    assert lines[2].startswith("mime (n = 2) ")
    assert "beside moel (paired permutation test, two-sided)" in out
    _, out, _ = program(*command, "--format", "json")
    found = json.loads(out)
    assert [row["name"] for row in found["rows"]] == ["moel", "mime"]
    assert found["figures"] == ["ppl-moel", "words"]
    assert set(found["rows"][1]["cells"]["words"]["difference"]) == {"mean", "low", "high", "t", "sign", "permutation"}


def test_a_run_to_be_held_against_need_not_be_named_twice(program: Run, runs: Path) -> None:
    options = ("--metrics", "ppl-moel", "--format", "json", *QUICK)
    _, out, _ = program("compare", runs / "mime", "--against", runs / "moel", *options)
    assert [row["name"] for row in json.loads(out)["rows"]] == ["moel", "mime"]
    _, out, _ = program("compare", runs / "mime", runs / "moel", "--against", runs / "moel", *options)
    found = json.loads(out)
    assert ([row["name"] for row in found["rows"]], found["against"]) == (["mime", "moel"], "moel")


@pytest.mark.parametrize(("name", "begin"), [("t.md", "|  | ppl-moel |"), ("t.tex", "% 40 items"), ("t.json", "{")])
def test_the_form_of_a_table_follows_from_its_file(program: Run, runs: Path, name: str, begin: str) -> None:
    code, out, err = program("compare", runs / "moel", runs / "mime", "--metrics", "ppl-moel", "--to", name, *QUICK)
    assert (code, out) == (0, "")
    assert f"written to {name}" in err
    assert Path(name).read_text().startswith(begin)


def test_a_page_is_written_about_runs(program: Run, runs: Path, tiny_annotators: Path) -> None:
    command = ("report", runs / "moel", runs / "mime", "--to", "page.html", "--samples-shown", "2", *QUICK)
    code, _, err = program(*command, "--metrics", "ppl-moel,words", "--models", tiny_annotators)
    assert code == 0
    assert "written to page.html" in err
    text = Path("page.html").read_text()
    assert text.count("<article>") == 2
    assert '<section id="replies">' in text
    assert "<title>moel, mime on test</title>" in text


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["evaluate"], 2, "no run is named (empathic evaluate runs/mime)"),
        (["compare"], 2, "no run is named"),
        (["evaluate", "nowhere"], 2, "nowhere is no run's folder: it holds no recipe.json"),
        (["evaluate", "runs/mime", "--split", "valid"], 2, "has nothing of valid that could be measured"),
        (["evaluate", "runs/mime", "--replies", "gredy"], 2, "did you mean 'greedy'?"),
        (["compare", "runs/mime", "--metrics", "ppl"], 2, "there is no figure 'ppl'"),
        (["compare", "runs/mime", "--metrics", "words", "--replies", "beam-5"], 2, "has no replies 'beam-5' of test"),
        (["compare", "runs/mime", "--to", "table.txt"], 2, "ends in none of .md, .tex, .json"),
        (["compare", "runs/mime", "runs/few", "--metrics", "ppl-moel"], 1, "4 of those 40 are missing"),
        (["evaluate", "runs/damaged"], 1, "likelihood/test.jsonl:41: "),
    ],
)
def test_what_cannot_be_measured_or_compared_is_said_in_one_line(
    program: Run, runs: Path, arguments: list[str], code: int, error: str
) -> None:
    make_run(runs / "few", recipe="few", among=exchanges()[:36])
    damaged = make_run(runs / "damaged") / "likelihood" / "test.jsonl"
    damaged.write_text(damaged.read_text() + "{}\n")
    found, _, err = program(*arguments, "--samples", "0", "--device", "cpu")
    assert found == code
    assert error in err.splitlines()[-1]
