"""Draws docs/images/chat.svg: a real conversation with `empathic chat` at its default settings.

python tools/picture.py
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "images" / "chat.svg"
SAID = ("I feel lonely since I moved to this city.", "I do not know anybody here yet.")


def main() -> None:
    """Talks to the program and draws what was said."""
    program = str(Path(sys.executable).with_name("empathic"))
    done = subprocess.run([program, "chat"], input="\n".join(SAID), capture_output=True, text=True, check=True)
    console = Console(record=True, width=88, file=io.StringIO())
    console.print(Text("$ make chat", style="bold"))
    for said, answered in zip(SAID, done.stdout.splitlines(), strict=True):
        lines = Table.grid(padding=(0, 1))
        lines.add_column(justify="right", width=7)
        lines.add_row(Text("you ▸", style="cyan"), said)
        lines.add_row(Text("◂", style="green"), answered)
        console.print()
        console.print(lines)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    drawn = re.sub(
        r"@font-face \{.*?\}", "", console.export_svg(title="empathic"), flags=re.DOTALL
    )  # no font is fetched
    PICTURE.write_text("\n".join(line.rstrip() for line in drawn.splitlines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
