"""`empathic data`: corpora listed, shown, counted, checked, converted and downloaded."""

from __future__ import annotations

from cyclopts import App

__all__ = ["app"]

app = App(name="data", help="Read, look at, check, convert and download corpora.", help_format="plaintext")
app.command("empathic.cli.data.list:list_corpora", name="list", help="List the corpora that are known by name.")
app.command("empathic.cli.data.show:show", help="Show dialogues as a person would read them.")
app.command("empathic.cli.data.stats:stats", help="Count what a corpus holds.")
app.command("empathic.cli.data.check:check", help="Find every defect, with its file and line.")
app.command("empathic.cli.data.convert:convert", help="Convert any corpus to JSONL, Parquet or CSV.")
app.command("empathic.cli.data.get:get", help="Download a corpus.")
