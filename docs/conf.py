"""Sphinx's configuration: Markdown pages, and a broken link is an error."""

project = "empathic"
author = "The empathic authors"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "empathic"
html_copy_source = False
myst_heading_anchors = 3
nitpicky = True
