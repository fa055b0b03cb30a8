"""The plot of `empathic data stats`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from empathic.errors import UsageError, require
from empathic.storage import whole_file

if TYPE_CHECKING:
    from empathic.corpora import Statistics

__all__ = ["draw"]

FORMATS = ("svg", "png", "pdf")
MOST_BARS = 41
INK, BAR = "#333333", "#4c78a8"


def draw(counted: Statistics, title: str, path: Path) -> None:
    """Draws how often each label was given, one panel a label set."""
    form = path.suffix.lstrip(".").lower()
    if form not in FORMATS:
        raise UsageError(f"{path}: a plot's name must end with one of: {', '.join('.' + each for each in FORMATS)}")
    figure_module = require("matplotlib.figure", extra="report", purpose="a plot")
    panels = {name: given for name, given in counted.labels.items() if 1 < len(given) <= MOST_BARS}
    panels = panels or {"split": counted.splits}
    heights = [1.2 + 0.22 * len(given) for given in panels.values()]
    figure: Any = figure_module.Figure(figsize=(8, sum(heights)), layout="constrained")
    figure.suptitle(f"{title}: {counted.records:,} records, {counted.turns:,} turns", color=INK)
    axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
    for panel, (name, given) in zip(axes, panels.items(), strict=True):
        labels, numbers = list(given)[::-1], list(given.values())[::-1]
        bars = panel.barh(labels, numbers, color=BAR, height=0.75)
        panel.bar_label(bars, labels=[f"{number:,}" for number in numbers], padding=3, fontsize=7, color=INK)
        panel.set_title(name, loc="left", fontsize=10, color=INK)
        panel.set_ylim(-0.7, len(labels) - 0.3)
        panel.margins(x=0.1)
        panel.tick_params(axis="both", length=0, labelsize=8, colors=INK)
        panel.set_xticks([])
        panel.spines[:].set_visible(False)
    with whole_file(path) as file:
        figure.savefig(file, format=form, dpi=150)
