"""`empathic data`: corpora listed, shown, counted, checked, converted and downloaded."""

from __future__ import annotations

from cyclopts import App

from empathic.cli.data.check import check
from empathic.cli.data.convert import convert
from empathic.cli.data.get import get
from empathic.cli.data.list import list_corpora
from empathic.cli.data.show import show
from empathic.cli.data.stats import stats

__all__ = ["app"]

app = App(name="data", help="Read, look at, check, convert and download corpora.", help_format="markdown")
app.command(list_corpora, name="list")
for command in (show, stats, check, convert, get):
    app.command(command)
