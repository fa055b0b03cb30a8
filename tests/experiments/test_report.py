"""The page about runs holds what was compared and drawn, and nothing that others wrote can act in it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import numpy as np
import pytest

from empathic.dialogue import Factors
from empathic.experiments.comparison import compare_runs
from empathic.experiments.evaluation import Reader, gather
from empathic.experiments.outputs import EmotionVectors, Outputs, SaidReply, write_replies
from empathic.experiments.report import sampled, shares, write_report
from empathic.experiments.report_plots import draw_curves, draw_emotions, principal_components
from empathic.metrics.replies import Tools, chosen_measures
from made_up_runs import exchanges, make_run

CLOSED_BY_THEMSELVES = {"meta", "path", "use", "br", "circle", "rect", "link"}
CONCLUDING = "I am so sorry to hear that."


def read(said: Sequence[SaidReply]) -> list[Factors]:
    return [Factors(act="consoling" if each.reply == CONCLUDING else "questioning", intent="wishing") for each in said]


def page(folders: Sequence[Path], to: Path, *, reader: Reader | None = None, samples_shown: int = 3) -> str:
    materials = [gather(Outputs(folder), "test") for folder in folders]
    tools = Tools(samples=50)
    found = compare_runs(materials, "test", "greedy", chosen_measures(["words", "unique"]), tools)
    write_report(
        to, found, materials, test="sign", samples_shown=samples_shown, read=reader, made_with={"empathic": "0.1"}
    )
    return to.read_text(encoding="utf-8")


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    return [
        make_run(tmp_path / "trs", recipe="trs", perceives=False),
        make_run(tmp_path / "moel", recipe="moel"),
        make_run(tmp_path / "mime"),
    ]


class Elements(HTMLParser):
    """What opens and closes on a page, and what it would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.named: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in CLOSED_BY_THEMSELVES:
            self.open.append(tag)
        given = {name: value or "" for name, value in attrs}
        self.named |= {given["id"]} if "id" in given else set()
        self.fetched += [given[name] for name in ("src", "href", "xlink:href") if name in given]
        assert tag not in ("script", "link", "iframe", "img")
        assert not any(name.startswith("on") for name in given)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in CLOSED_BY_THEMSELVES:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in CLOSED_BY_THEMSELVES:
            assert self.open.pop() == tag


def test_the_page_asks_for_nothing_from_elsewhere_and_every_place_it_points_to_is_in_it(
    runs: list[Path], tmp_path: Path
) -> None:
    text = page(runs, tmp_path / "report.html", reader=read)
    elements = Elements()
    elements.feed(text)
    assert elements.open == []
    assert all(each.startswith("#") and each[1:] in elements.named for each in elements.fetched)
    assert not re.search(r"url\((?!#)|@import", text)


def test_the_page_holds_the_figures_the_curves_the_emotions_the_shares_and_the_samples(
    runs: list[Path], tmp_path: Path
) -> None:
    text = page(runs, tmp_path / "report.html", reader=read)
    for part in ("figures", "training", "emotions", "replies", "samples", "runs"):
        assert f'<section id="{part}">' in text
    assert text.count("<article>") == 3
    assert text.count("<svg ") == 4  # curves, emotions, acts, intents
    assert "prefers-color-scheme: dark" in text
    assert "40 items of test, replies by greedy" in text
    assert ">16.95 M<" in text
    assert re.search(r"<dt>mime, ppl-word</dt><dd>[\d.]+; 95 %: [\d.]+ to [\d.]+; difference .*; p: t 0", text)


def test_what_is_not_there_is_left_out_of_the_page(tmp_path: Path) -> None:
    run = make_run(tmp_path / "trs", perceives=False, decodings=())
    (run / "log.jsonl").unlink()
    text = page([run], tmp_path / "report.html")
    for part in ("training", "emotions", "replies", "samples"):
        assert f'<section id="{part}">' not in text
        assert f'href="#{part}"' not in text


def test_the_same_runs_make_the_same_page(runs: list[Path], tmp_path: Path) -> None:
    assert page(runs, tmp_path / "one.html", reader=read) == page(runs, tmp_path / "two.html", reader=read)


def test_text_of_others_is_shown_and_does_nothing(tmp_path: Path) -> None:
    bad = '<script>alert("$x$")</script>&amp;'
    folder = make_run(tmp_path / "<i>$a$", recipe=bad)
    lines = [msgspec.structs.replace(each, reply=bad) for each in Outputs(folder).replies("greedy", "test")]
    write_replies(folder, "greedy", "test", lines)
    text = page([folder, make_run(tmp_path / "mime")], tmp_path / "report.html", samples_shown=1)
    Elements().feed(text)
    assert "<script" not in text
    assert "<i>" not in text
    assert "<dd>&lt;script&gt;alert(&#34;$x$&#34;)&lt;/script&gt;&amp;amp;</dd>" in text


def test_samples_follow_from_the_seed_and_show_every_run(runs: list[Path]) -> None:
    said = {name: Outputs(runs[number]).replies("greedy", "test") for number, name in enumerate(("trs", "moel"))}
    found = sampled(said, 5, seed=1)
    assert found == sampled(said, 5, seed=1)
    assert found != sampled(said, 5, seed=2)
    by_reference = {each.reference: each for each in said["moel"]}
    for sample in found:
        assert dict(sample.replies)["moel"] == by_reference[sample.reference].reply
        assert [text for _, text in sample.context] == [turn.text for turn in by_reference[sample.reference].context]
    assert len(sampled(said, 1_000, seed=0)) == 40
    assert sampled({}, 5, seed=0) == []


def test_shares_of_what_replies_do_stand_beside_those_of_people(runs: list[Path]) -> None:
    said = {"trs": Outputs(runs[0]).replies("greedy", "test")}
    found = shares(said, read)
    consoling = sum(each.reply == CONCLUDING for each in said["trs"]) / 40
    assert found["dialog act"]["people"] == {"questioning": 1.0, "consoling": 0.0}
    assert found["dialog act"]["trs"] == pytest.approx({"questioning": 1 - consoling, "consoling": consoling})
    assert found["emotion or intent"]["trs"] == {"wishing": 1.0}
    assert "emotion" not in found  # nobody read any


def test_what_is_rare_with_everybody_is_taken_together() -> None:
    said = [
        SaidReply(id=str(number), context=(), reply=f"{number}", reference=exchange.response.text)
        for number, exchange in enumerate(exchanges(100))
    ]

    def rarely(said: Sequence[SaidReply]) -> list[Factors]:
        acts = {"0": "wishing", "1": "agreeing"}
        return [Factors(act=acts.get(each.reply, "others")) for each in said]

    assert shares({"run": said}, rarely)["dialog act"]["run"] == pytest.approx({"others": 0.98, "(all others)": 0.02})


def test_principal_components_keep_the_distances_of_what_lies_in_a_plane() -> None:
    chance = np.random.default_rng(0)
    flat = chance.normal(size=(12, 2))
    turned, _ = np.linalg.qr(chance.normal(size=(6, 6)))
    points, kept = principal_components(flat @ turned[:2] + 3)
    assert kept == pytest.approx(1)
    for one, other in ((flat, points),):
        apart = [np.linalg.norm(each[:, None] - each[None], axis=2) for each in (one, other)]
        assert np.allclose(*apart)
    assert (points[0] > 0).all()
    assert points.var(0)[0] > points.var(0)[1]


def test_emotions_are_coloured_by_their_polarity_and_named() -> None:
    found = EmotionVectors(("joyful", "sad", "puzzled"), ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0)))
    picture = ET.fromstring(draw_emotions({"mime": found}))
    texts = {"".join(each.itertext()) for each in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert texts == {"joyful", "sad", "puzzled", "mime: 100% of the variance"}


def test_pictures_take_their_ink_from_the_page() -> None:
    picture = draw_curves({"mime": [{"step": 1, "loss": 2.0}, {"step": 2, "loss": 1.0, "measured": {"accuracy": 0.5}}]})
    assert 'aria-label="curves"' in picture
    assert "currentColor" in picture
    assert "var(--rule)" in picture
    assert "font-family" not in picture
    assert "#ffffff" not in picture
    assert draw_curves({"mime": []}) == ""
