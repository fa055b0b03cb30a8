"""The pictures of a report, as SVG that takes its colours and its type from the page around it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from empathic.errors import require
from empathic.experiments.outputs import EmotionVectors
from empathic.taxonomy import SITUATION_EMOTIONS, polarity

__all__ = ["NEGATIVE", "POSITIVE", "draw_curves", "draw_emotions", "draw_shares", "principal_components"]

SERIES = ("#4c8dd6", "#e08a3c", "#3fa37c", "#b07cc6", "#c9695f", "#7f8fa3", "#a08c3a", "#4aa6b5")
"""Of the runs, in turn; each can be read on white and on near black."""
POSITIVE, NEGATIVE, NEITHER = SERIES[1], SERIES[0], SERIES[5]
# Colours that no picture has stand for the page's.
INK, RULE = "#010203", "#040506"
WIDTH = 9.0
MOST_CURVES = 4
PANEL = np.array([250.0, 270.0])
"""What points of emotions spread over, in points of type, by and large."""
LETTER = 7.0
# A run may be called anything: dollars make no formula of its name.
SETTINGS = {"text.parse_math": False, "svg.fonttype": "none", "font.size": 9, "axes.linewidth": 0.6}

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]


def draw_curves(logs: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """How each run learned: its loss, and what was measured on the validation split on the way.

    Args:
        logs: By run: the lines of its log.
    """
    measured = [name for log in logs.values() for line in log for name in line.get("measured", {})]
    shown = [name for name in dict.fromkeys(measured) if not name.endswith("count")][:MOST_CURVES]
    panels: dict[str, dict[str, list[tuple[float, float]]]] = {"loss": {}} | {name: {} for name in shown}
    for run, log in logs.items():
        panels["loss"][run] = [(line["step"], line["loss"]) for line in log if "loss" in line]
        for name in shown:
            panels[name][run] = [(line["step"], at[name]) for line in log if name in (at := line.get("measured", {}))]
    panels = {name: runs for name, runs in panels.items() if any(runs.values())}
    if not panels:
        return ""
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    with _figure(rows * 2.5, "curves") as (figure, saved):
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for axis, (name, runs) in zip(axes, panels.items(), strict=False):
            for number, (run, points) in enumerate(runs.items()):
                if points:
                    style = {"linewidth": 1.4, "color": _colour(number), "label": run}
                    axis.plot(*zip(*points, strict=True), marker="" if len(points) > 20 else ".", **style)
            _quiet(axis, name)
            axis.set_xlabel("step", color=INK)
        for axis in axes[len(panels) :]:
            axis.set_axis_off()
        if len(logs) > 1:
            _legend(figure, axes[0])
        return saved()


def draw_shares(shares: Mapping[str, Mapping[str, float]], title: str) -> str:
    """How often each label comes, run beside run.

    Args:
        shares: By run, and then by label: from 0 to 1.
        title: What the labels are.
    """
    labels = list(next(iter(shares.values())))
    thick = 0.8 / len(shares)
    with _figure(0.7 + len(labels) * (0.16 * len(shares) + 0.1), title) as (figure, saved):
        axis = figure.subplots()
        for number, (run, of) in enumerate(shares.items()):
            places = np.arange(len(labels)) + (number - (len(shares) - 1) / 2) * thick
            values = [100 * of[label] for label in labels]
            colour = INK if number == 0 else _colour(number - 1)
            bars = axis.barh(places, values, thick * 0.86, color=colour, alpha=0.45 if number == 0 else 1, label=run)
            axis.bar_label(
                bars, [f"{value:.0f} %" if value >= 0.5 else "" for value in values], padding=3, color=INK, fontsize=7
            )
        axis.set_yticks(np.arange(len(labels)), [label.replace("_", " ") for label in labels])
        axis.invert_yaxis()
        _quiet(axis, title)
        axis.set_xticks([])
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
        axis.margins(x=0.1, y=0.02)
        _legend(figure, axis)
        return saved()


def draw_emotions(vectors: Mapping[str, EmotionVectors]) -> str:
    """Where runs have the emotions lie, on the plane of their two principal components (MIME, Figure 3)."""
    columns = min(2, len(vectors))
    rows = -(-len(vectors) // columns)
    with _figure(rows * (4.6 if columns == 2 else 6.0), "emotions") as (figure, saved):
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for axis, (run, found) in zip(axes, vectors.items(), strict=False):
            points, explained = principal_components(np.array(found.vectors, np.float64))
            for label, point, (place, side) in zip(found.labels, points, _places(found.labels, points), strict=True):
                colour = NEITHER
                if label in SITUATION_EMOTIONS:
                    colour = POSITIVE if polarity(label) == "positive" else NEGATIVE
                axis.scatter(*point, s=14, color=colour, linewidths=0)
                how = {"textcoords": "offset points", "ha": side, "va": "center", "fontsize": LETTER, "color": INK}
                axis.annotate(label, point, place, **how)
            _quiet(axis, f"{run}: {explained:.0%} of the variance")
            axis.set_xticks([])
            axis.set_yticks([])
            axis.margins(0.12)
        for axis in axes[len(vectors) :]:
            axis.set_axis_off()
        return saved()


def _places(labels: Sequence[str], points: Floats) -> Iterator[tuple[tuple[float, float], str]]:
    """Where each label is written beside its point, as far as there is room without another's; in points of type."""
    spread = np.maximum(np.ptp(points, axis=0), 1e-12)
    dots = (points - points.min(0)) / spread * PANEL
    taken: list[Box] = [(x - 2, y - 2, x + 2, y + 2) for x, y in dots.tolist()]
    for label, (x, y) in zip(labels, dots.tolist(), strict=True):
        wide, high = 0.55 * LETTER * len(label), 1.1 * LETTER
        tried: list[tuple[float, int, tuple[float, float], str, Box]] = []
        for side, begins in (("left", 4.0), ("right", -4.0 - wide), ("center", -wide / 2)):
            for up in (0.0, 7.0, -7.0) if side != "center" else (9.0, -9.0):
                box = (x + begins, y + up - high / 2, x + begins + wide, y + up + high / 2)
                covered = sum(
                    max(0.0, min(box[2], other[2]) - max(box[0], other[0]))
                    * max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
                    for other in taken
                )
                aside = {"left": 4.0, "right": -4.0, "center": 0.0}[side]
                tried.append((covered, len(tried), (aside, up), side, box))
        _, _, place, side, box = min(tried)
        taken.append(box)
        yield place, side


def principal_components(vectors: Floats) -> tuple[Floats, float]:
    """Every vector on the plane that keeps most of the variance, and the share that it keeps.

    The first of the vectors lies on the upper right, so that the same vectors are always drawn alike.
    """
    centred = vectors - vectors.mean(0)
    _, scales, axes = np.linalg.svd(centred, full_matrices=False)
    points: Floats = np.zeros((len(vectors), 2))
    plane = centred @ axes[:2].T
    points[:, : plane.shape[1]] = plane * np.where(plane[0] < 0, -1, 1)
    whole = float((scales**2).sum())
    return points, float((scales[:2] ** 2).sum()) / whole if whole else 1.0


@contextmanager
def _figure(height: float, name: str) -> Iterator[tuple[Any, Callable[[], str]]]:
    """A figure of a height in inches, and what writes it as SVG for the page."""
    matplotlib = require("matplotlib", extra="report", purpose="a report")
    figure_module = require("matplotlib.figure", extra="report", purpose="a report")
    with matplotlib.rc_context({**SETTINGS, "svg.hashsalt": name}):
        figure: Any = figure_module.Figure(figsize=(WIDTH, height), layout="constrained")
        figure.patch.set_alpha(0)
        yield figure, lambda: _written(figure, name)


def _colour(number: int) -> str:
    return SERIES[number % len(SERIES)]


def _quiet(axis: Any, title: str) -> None:
    axis.set_title(title, loc="left", fontsize=9, color=INK)
    axis.patch.set_alpha(0)
    axis.spines[["top", "right"]].set_visible(False)
    axis.spines[:].set_color(RULE)
    axis.tick_params(colors=INK, color=RULE, labelsize=8, length=3, width=0.6)


def _legend(figure: Any, axis: Any) -> None:
    handles, labels = axis.get_legend_handles_labels()
    place = {"loc": "outside lower center", "ncols": 6, "frameon": False, "labelcolor": INK, "fontsize": 8}
    figure.legend(handles, labels, **place)


def _written(figure: Any, name: str) -> str:
    """The picture as an element of a page: no colours but those of the runs, no type, no size, no ids but its own."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = buffer.getvalue().decode()
    text = text[text.index("<svg ") :].strip()
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r' (?:width|height)="[\d.]+pt"', "", text, count=2)
    text = re.sub(r"font-family: [^;\"]*;? ?", "", text)
    text = text.replace(INK, "currentColor").replace(RULE, "var(--rule)")
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(name)}" ', 1)
