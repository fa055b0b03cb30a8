"""Writes docs/reference/cli.md from the program itself, so that the page cannot drift.

    python tools/cli_reference.py            write it
    python tools/cli_reference.py --check    exit with 1 if it is stale

The help is printed in process, 100 columns wide and without colour, so that the page is the same wherever it is made.
"""

from __future__ import annotations

import argparse
import difflib
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from cyclopts import App
from rich.console import Console

from empathic.cli import app, let_speak

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "cli.md"
COLUMNS = 100
TOP = """\
# Commands

Every command with its options, as `--help` prints them. The shared options stand with the first command and hold for
all of them. [Configuration](../configuration.md) tells how an option gets its value.

This page is written by `tools/cli_reference.py`; `make check` fails when it is stale.
"""
SHARED_OPTIONS = re.compile(r"╭─ Shared options.*?╰─*╯\n?", re.DOTALL)


def main() -> int:
    """Writes the page, or compares it with the program."""
    parser = argparse.ArgumentParser(description="Write docs/reference/cli.md from the program.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page is stale")
    checking = parser.parse_args().check
    page = "\n".join([TOP, *(section(path) for path in commands(app))])
    written = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    if not checking:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page, encoding="utf-8")
        return 0
    if written == page:
        return 0
    sys.stdout.writelines(difflib.unified_diff(written.splitlines(True), page.splitlines(True), "written", "program"))
    print(f"{PAGE.relative_to(ROOT)} is stale; write it anew: .venv/bin/python tools/cli_reference.py", file=sys.stderr)
    return 1


def commands(parent: App, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The program, then every command and what is below it, in the order in which they were registered."""
    yield path
    for name in parent:
        if not name.startswith("-"):
            yield from commands(parent[name], (*path, name))


def section(path: tuple[str, ...]) -> str:
    """A command's heading and what `--help` says of it."""
    output = io.StringIO()
    console = Console(file=output, width=COLUMNS, color_system=None, force_terminal=False, legacy_windows=False)
    let_speak(path)
    app.meta([*path, "--help"], console=console)
    text = output.getvalue()
    if path:
        text = SHARED_OPTIONS.sub("", text)
    lines = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return f"## {' '.join(('empathic', *path))}\n\n```text\n{lines}\n```\n"


if __name__ == "__main__":
    sys.exit(main())
