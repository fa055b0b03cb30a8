"""Annotators: what a conversation shows, read off it by trained models and lexicons."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from empathic.annotators.annotator import Annotator, annotate
    from empathic.annotators.factors import FACTORS, READINGS

__all__ = ["FACTORS", "READINGS", "Annotator", "annotate"]

_HOMES = {"FACTORS": "factors", "READINGS": "factors", "Annotator": "annotator", "annotate": "annotator"}


def __getattr__(name: str) -> object:
    """Loads what is asked for when it is first asked for: an annotator brings torch with it."""
    if name in _HOMES:
        return getattr(import_module(f"empathic.annotators.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'empathic.annotators' has no attribute {name!r}")
