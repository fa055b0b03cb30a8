"""`empathic data list`."""

from __future__ import annotations

from typing import Any

from empathic.cli._terminal import console, say

__all__ = ["list_corpora"]


def list_corpora(name: str | None = None, /, *, json: bool = False) -> int:
    """List the corpora that are known by name, or all that is known of one.

    Args:
        name: A corpus; all of them by default.
        json: Print it as JSON.
    """
    from empathic import corpora

    chosen = corpora.known() if name is None else (corpora.find(name),)
    if json:
        import msgspec

        say(msgspec.json.format(msgspec.json.encode([_facts(corpus) for corpus in chosen]), indent=2).decode())
    elif name is None:
        from rich.table import Table

        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("name", no_wrap=True)
        for column in ("here", "licence", "what it holds"):
            table.add_column(column)
        for corpus in chosen:
            table.add_row(corpus.name, "yes" if corpus.is_here() else "-", corpus.licence, corpus.holds)
        console().print(table)
        say(f"\nLooked for in {corpora.data_folder()}; `empathic data list NAME` tells more of one.")
    else:
        for key, value in _facts(chosen[0]).items():
            if isinstance(value, dict):
                for part, holds in value.items():
                    say(f"{'part':>9}  {part}: {holds}")
            elif isinstance(value, list):
                say(f"{key:>9}  {', '.join(value) or 'none'}")
            else:
                say(f"{key:>9}  {value}")
    return 0


def _facts(corpus: Any) -> dict[str, Any]:
    return {
        "name": corpus.name,
        "title": corpus.title,
        "holds": corpus.holds,
        "kind": corpus.kind,
        "licence": corpus.licence,
        "citation": corpus.citation,
        "home": corpus.home,
        "folder": str(corpus.folder_path()),
        "splits": list(corpus.splits),
        "parts": dict(corpus.parts),
        "download": [download.url for download in corpus.downloads],
    }
