"""Corpora: readers of the layouts that their authors publish, under one roof.

>>> from empathic import corpora
>>> for dialogue in corpora.read("sample", split="test"):
...     print(dialogue.emotion, dialogue.turns[0].text)
"""

from empathic.corpora._checking import check
from empathic.corpora._downloading import download
from empathic.corpora._reading import is_own_file, read, read_dialogues, read_inferences
from empathic.corpora._registry import Corpus, Download, find, is_known, known
from empathic.corpora._rows import LINES, Passage, Row, read_rows
from empathic.corpora._source import Defect, Report, Source, StandardInput, form_of, raise_defect
from empathic.corpora._statistics import Lengths, Statistics, count
from empathic.corpora._writing import write
from empathic.corpora.empathetic_dialogues import moel_examples
from empathic.corpora.own import OwnLayout
from empathic.storage import data_folder

__all__ = [
    "LINES",
    "Corpus",
    "Defect",
    "Download",
    "Lengths",
    "OwnLayout",
    "Passage",
    "Report",
    "Row",
    "Source",
    "StandardInput",
    "Statistics",
    "check",
    "count",
    "data_folder",
    "download",
    "find",
    "form_of",
    "is_known",
    "is_own_file",
    "known",
    "moel_examples",
    "raise_defect",
    "read",
    "read_dialogues",
    "read_inferences",
    "read_rows",
    "write",
]
