"""Pictures of an analysis of factors: heat maps of conditional distributions, bars of plain ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from empathic.errors import require
from empathic.experiments.factor_analysis import ALL, FactorAnalysis, Meeting, Selection
from empathic.storage import whole_file

__all__ = ["BARS", "HEAT_MAPS", "draw_bars", "draw_heat_maps"]

# CoMAE, Figure 2, in its colours; and what each factor has to do with what the speaker feels.
HEAT_MAPS = {
    "factors": (("mechanisms", "act", "Oranges"), ("mechanisms", "emotion", "Reds"), ("act", "emotion", "Blues")),
    "feelings": (
        ("feeling", "mechanisms", "Greens"),
        ("feeling", "act", "Purples"),
        ("feeling", "emotion", "BuPu"),
    ),
}
BARS = ("mechanisms", "act", "emotion", "polarity")
FORMS = ("svg", "png")
INK = "#333333"
COLOURS = ("#4c78a8", "#e4894b", "#54a24b", "#b279a2", "#9d755d", "#72b7b2")
DARK = 0.6
"""Of the darkest colour; from there on figures are white."""


def draw_heat_maps(analysis: FactorAnalysis, selection: Selection, name: str, folder: Path) -> list[Path]:
    """How each label of x spreads over the labels of y, for the pairs of that picture; nothing where one is missing."""
    pairs = [(x, y, colours) for x, y, colours in HEAT_MAPS[name] if x in analysis.labels and y in analysis.labels]
    if not pairs:
        return []
    figure_module = require("matplotlib.figure", extra="report", purpose="a plot")
    rows = max(len(analysis.labels[x]) for x, _, _ in pairs)
    widths = [len(analysis.labels[y]) + 4 for _, y, _ in pairs]
    figure: Any = figure_module.Figure(figsize=(0.5 * sum(widths), 0.32 * rows + 2.2), layout="constrained")
    figure.suptitle(_title(analysis, selection), color=INK, fontsize=10)
    panels = figure.subplots(1, len(pairs), squeeze=False, width_ratios=widths)[0]
    for panel, (x, y, colours) in zip(panels, pairs, strict=True):
        met = next(each for each in selection.meetings if (each.x, each.y) == (x, y))
        _heat_map(panel, analysis, selection, met, colours)
    return _save(figure, folder, f"{name}{_ending(selection)}")


def _heat_map(panel: Any, analysis: FactorAnalysis, selection: Selection, met: Meeting, colours: str) -> None:
    of = np.maximum(1, np.array(selection.counts[met.x]))
    shares = np.array(met.counts) / of[:, None]
    most = shares.max() or 1.0
    panel.pcolormesh(shares, cmap=colours, vmin=0, vmax=most, edgecolors="white", linewidth=0.5)
    for (row, column), share in np.ndenumerate(shares):
        if share >= 0.005:
            colour = "white" if share > DARK * most else INK
            figures = f"{share:.2f}".removeprefix("0")
            panel.text(column + 0.5, row + 0.5, figures, ha="center", va="center", fontsize=6, color=colour)
    panel.set_title(f"{met.y}, given {met.x}", fontsize=9, color=INK)
    panel.set_xticks(np.arange(shares.shape[1]) + 0.5, _written(analysis.labels[met.y]), rotation=60, ha="right")
    panel.set_yticks(np.arange(shares.shape[0]) + 0.5, _written(analysis.labels[met.x]))
    panel.tick_params(length=0, labelsize=7, colors=INK)
    panel.invert_yaxis()
    panel.spines[:].set_visible(False)


def draw_bars(analysis: FactorAnalysis, responses: str, folder: Path) -> list[Path]:
    """How often each label was given, domain beside domain (CoMAE, Figure 5)."""
    figure_module = require("matplotlib.figure", extra="report", purpose="a plot")
    names = [name for name in BARS if name in analysis.labels]
    shown = [analysis.selection(responses, domain) for domain in analysis.domains or [ALL]]
    heights = [1.0 + 0.12 * len(analysis.labels[name]) * (len(shown) + 1) for name in names]
    figure: Any = figure_module.Figure(figsize=(8, sum(heights) + 0.6), layout="constrained")
    figure.suptitle(_title(analysis, analysis.selection(responses)), color=INK, fontsize=10)
    panels = figure.subplots(len(names), 1, squeeze=False, height_ratios=heights)[:, 0]
    for panel, name in zip(panels, names, strict=True):
        labels = analysis.labels[name]
        places, thick = np.arange(len(labels)), 0.8 / len(shown)
        for number, selection in enumerate(shown):
            shares = [selection.share(name, label) for label in labels]
            colour = COLOURS[number % len(COLOURS)]
            label = f"{selection.domain} ({selection.count:,})"
            beside = (number - (len(shown) - 1) / 2) * thick
            bars = panel.barh(places + beside, shares, thick, color=colour, label=label)
            panel.bar_label(bars, labels=[f"{share:.1%}" for share in shares], padding=3, fontsize=6, color=INK)
        panel.set_yticks(places, _written(labels))
        panel.set_title(name, loc="left", fontsize=9, color=INK)
        panel.set_xticks([])
        panel.margins(x=0.12, y=0.02)
        panel.tick_params(length=0, labelsize=7, colors=INK)
        panel.invert_yaxis()
        panel.spines[:].set_visible(False)
        if name == names[0] and len(shown) > 1:
            panel.legend(fontsize=7, frameon=False, loc="lower right")
    return _save(figure, folder, f"distributions{_ending(analysis.selection(responses))}")


def _title(analysis: FactorAnalysis, selection: Selection) -> str:
    where = "" if selection.domain == ALL else f", {selection.domain}"
    which = "responses" if selection.responses == ALL else f"responses {selection.responses}"
    return f"{analysis.corpus}{where}: {selection.count:,} {which}"


def _ending(selection: Selection) -> str:
    """What tells a picture of this selection from that of all responses."""
    parts = [part for part in (selection.responses, selection.domain) if part != ALL]
    return "".join(f"-{part.replace(' ', '-').replace('/', '-')}" for part in parts)


def _written(labels: tuple[str, ...]) -> list[str]:
    return [label.replace("_", " ") for label in labels]


def _save(figure: Any, folder: Path, name: str) -> list[Path]:
    require("matplotlib", extra="report", purpose="a plot").rcParams["svg.hashsalt"] = name  # the same ids every time
    saved = []
    for form in FORMS:
        path = folder / f"{name}.{form}"
        with whole_file(path) as file:
            figure.savefig(file, format=form, dpi=130, metadata={"Date": None} if form == "svg" else {})
        saved.append(path)
    return saved
