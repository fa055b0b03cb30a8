"""Runs beside each other: the same items, seeds as one row, paired tests against one; and the tables of it."""

from __future__ import annotations

import statistics
from pathlib import Path

import numpy as np
import pytest

from empathic.errors import DataError, UsageError
from empathic.experiments.comparison import Cell, Comparison, PairedTests, Row, compare_runs, shared_decoding
from empathic.experiments.comparison_tables import as_latex, as_markdown, best_rows, legend, mark
from empathic.experiments.evaluation import gather
from empathic.experiments.outputs import Outputs, write_likelihood, write_replies
from empathic.experiments.run_scores import likelihood_scores
from empathic.metrics.replies import Tools, chosen_measures
from empathic.metrics.significance import compare
from made_up_runs import exchanges, make_run

TOOLS = Tools(samples=200)
WORDS = chosen_measures(["words", "distinct-1"])


def compared(*folders: Path, tools: Tools = TOOLS, against: int = 0) -> Comparison:
    materials = [gather(Outputs(folder), "test") for folder in folders]
    return compare_runs(materials, "test", "greedy", WORDS, tools, against=against)


def test_a_run_is_a_row_with_its_figures_and_paired_tests_against_the_first(tmp_path: Path) -> None:
    moel = make_run(tmp_path / "moel", recipe="moel", nats=3.6)
    mime = make_run(tmp_path / "mime", recipe="mime", nats=3.2)
    found = compared(moel, mime)
    assert [row.name for row in found.rows] == ["moel", "mime"]
    assert (found.count, found.against, found.decoding) == (40, "moel", "greedy")
    assert "intent-f1-at-random" not in found.figures
    first, second = (likelihood_scores(Outputs(each).likelihood("test"), TOOLS)["ppl-moel"] for each in (moel, mime))
    assert first.items is not None
    assert second.items is not None
    expected = compare(second.items, first.items, samples=200)
    cell = found.rows[1].cells["ppl-moel"]
    assert cell.value == second.value
    assert cell.difference == PairedTests(
        expected.mean, *expected.interval, expected.t_test, expected.sign_test, expected.permutation_test
    )
    assert cell.difference.permutation < 0.05
    assert found.rows[0].cells["ppl-moel"].difference is None
    assert found.rows[1].cells["distinct-1"].difference is None  # it is no mean over items


def test_items_are_matched_by_their_ids_and_not_by_their_order(tmp_path: Path) -> None:
    moel = make_run(tmp_path / "moel", recipe="moel")
    mime = make_run(tmp_path / "mime", recipe="mime")
    before = compared(moel, mime)
    outputs = Outputs(mime)
    write_likelihood(mime, "test", outputs.likelihood("test")[::-1])
    write_replies(mime, "greedy", "test", outputs.replies("greedy", "test")[::-1])
    assert compared(moel, mime) == before


def test_runs_that_only_their_seeds_tell_apart_are_one_row(tmp_path: Path) -> None:
    moel = make_run(tmp_path / "moel", recipe="moel")
    seeds = [make_run(tmp_path / f"mime-{seed}", seed=seed) for seed in range(3)]
    found = compared(moel, *seeds)
    row = found.rows[1]
    assert (row.name, row.runs) == ("mime", tuple(map(str, seeds)))
    values = [likelihood_scores(Outputs(each).likelihood("test"), TOOLS)["ppl-word"] for each in seeds]
    cell = row.cells["ppl-word"]
    assert cell.value == pytest.approx(statistics.mean(each.value for each in values))
    assert cell.spread == pytest.approx(statistics.stdev(each.value for each in values))
    assert cell.low is None
    base = likelihood_scores(Outputs(moel).likelihood("test"), TOOLS)["ppl-word"].items
    assert cell.difference is not None
    assert base is not None
    assert cell.difference.mean == pytest.approx((np.mean([each.items for each in values], axis=0) - base).mean())
    assert "± " in as_markdown(found, "t")
    assert "mime (n = 3)" in as_markdown(found, "t")


def test_runs_of_one_recipe_under_other_settings_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / f"mime-{seed}", seed=seed) for seed in (0, 1)]
    other = make_run(tmp_path / "mime", seed=3)
    recipe = other / "recipe.json"
    recipe.write_text(recipe.read_text().replace('"training":', '"smoothing": 0.1, "training":'))
    assert [row.name for row in compared(*runs, other).rows] == ["mime-0", "mime"]


def test_a_run_copied_is_not_a_second_seed(tmp_path: Path) -> None:
    found = compared(make_run(tmp_path / "one" / "mime"), make_run(tmp_path / "two" / "mime"))
    assert [row.name for row in found.rows] == [str(tmp_path / "one" / "mime"), str(tmp_path / "two" / "mime")]


def test_runs_of_other_items_are_refused_with_how_many_are_missing(tmp_path: Path) -> None:
    all_of_them = exchanges()
    moel = make_run(tmp_path / "moel", recipe="moel", among=all_of_them[:30])
    mime = make_run(tmp_path / "mime", among=all_of_them[3:35])
    with pytest.raises(DataError, match=r"mime was not measured on the items of .*moel: 3 of those 30 are missing"):
        compared(moel, mime)
    with pytest.raises(DataError, match="0 of those 27 are missing, and 3 are others"):
        compared(make_run(tmp_path / "few", recipe="few", among=all_of_them[3:30]), moel)


def test_a_run_without_replies_stands_in_the_table_without_their_figures(tmp_path: Path) -> None:
    silent = make_run(tmp_path / "silent", recipe="silent", decodings=(), perceives=False)
    found = compared(silent, make_run(tmp_path / "mime"))
    assert found.rows[0].cells.keys() == {"ppl-moel", "ppl-token", "ppl-word", "ppl-character"}
    assert found.rows[1].cells["words"].difference is None
    assert "| - |" in as_markdown(found, "t")


def test_without_samples_nothing_is_tested(tmp_path: Path) -> None:
    found = compared(make_run(tmp_path / "moel", recipe="moel"), make_run(tmp_path / "mime"), tools=Tools(samples=0))
    assert all(cell.difference is None for row in found.rows for cell in row.cells.values())


def test_the_decoding_is_the_one_that_the_runs_share(tmp_path: Path) -> None:
    both = Outputs(make_run(tmp_path / "both", decodings=("greedy", "beam-5")))
    beam = Outputs(make_run(tmp_path / "beam", decodings=("beam-5",)))
    top = Outputs(make_run(tmp_path / "top", decodings=("top-p", "beam-5")))
    none = Outputs(make_run(tmp_path / "none", decodings=()))
    assert shared_decoding([both], "test") == "greedy"
    assert shared_decoding([both, beam, none], "test") == "beam-5"
    assert shared_decoding([both], "test", "beam-5") == "beam-5"
    assert shared_decoding([none], "test") is None
    with pytest.raises(UsageError, match="no run has replies of test"):
        shared_decoding([none], "test", "greedy")
    with pytest.raises(UsageError, match=r"which replies are meant\? the runs share beam-5, top-p"):
        shared_decoding([top], "test")
    with pytest.raises(UsageError, match=r"the runs share no decoding: .*greedy has greedy; .*beam has beam-5"):
        shared_decoding([Outputs(make_run(tmp_path / "greedy")), beam], "test")


TABLE = Comparison(
    split="test",
    decoding="greedy",
    count=5255,
    against="mo_el",
    figures=("ppl-moel", "words"),
    rows=(
        Row("mo_el", ("runs/mo_el",), {"ppl-moel": Cell(36.934, 35, 38), "words": Cell(9)}),
        Row(
            "mime",
            ("a", "b"),
            {"ppl-moel": Cell(36.1, spread=0.25, difference=PairedTests(-0.02, -0.03, -0.01, 0.2, 0.04, 0.001))},
        ),
    ),
    samples=1000,
    seed=0,
)


def test_marks_say_how_hardly_a_difference_is_chance() -> None:
    cell = TABLE.rows[1].cells["ppl-moel"]
    assert [mark(cell, test) for test in ("t", "sign", "permutation")] == ["", "†", "‡"]
    assert mark(Cell(1.0), "t") == ""


def test_the_best_of_a_column_depends_on_which_way_is_better() -> None:
    assert best_rows(TABLE, "ppl-moel") == {"mime"}
    assert best_rows(TABLE, "words") == set()


def test_the_table_in_markdown() -> None:
    assert as_markdown(TABLE, "permutation") == (
        "|  | ppl-moel | words |\n"
        "| --- | ---: | ---: |\n"
        "| mo_el | 36.93 | 9.00 |\n"
        "| mime (n = 2) | **36.10 ± 0.25**‡ | - |\n"
        "\n"
        "5,255 items of test, replies by greedy; ± standard deviation over n seeds; "
        "† p < 0.05, ‡ p < 0.01 beside mo_el (paired permutation test, two-sided).\n"
    )


def test_the_table_in_latex() -> None:
    text = as_latex(TABLE, "sign")
    assert text.splitlines()[0] == f"% {legend(TABLE, 'sign')}"
    assert text.splitlines()[1:] == [
        r"\begin{tabular}{lrr}",
        r"  \toprule",
        r"   & ppl-moel & words \\",
        r"  \midrule",
        r"  mo\_el & 36.93 & 9.00 \\",
        r"  mime (n = 2) & \textbf{36.10 $\pm$ 0.25}$^{\dagger}$ & - \\",
        r"  \bottomrule",
        r"\end{tabular}",
    ]
