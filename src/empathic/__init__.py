"""empathic: perceive what a person feels and why, plan how to respond, respond, and measure how well that went.

>>> from empathic import corpora
>>> dialogue = next(corpora.read_dialogues("sample"))
>>> dialogue.emotion
'afraid'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from empathic.annotators import Annotator, annotate
    from empathic.dialogue import Dialogue, Exchange, Factors, Inference, Perception, Plan, Reply, Request, Turn

__all__ = [
    "Annotator",
    "Dialogue",
    "Exchange",
    "Factors",
    "Inference",
    "Perception",
    "Plan",
    "Reply",
    "Request",
    "Turn",
    "annotate",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Loads what is asked for when it is first asked for, so that the program starts without it."""
    if name in __all__:
        home = "empathic.annotators" if name in ("Annotator", "annotate") else "empathic.dialogue"
        return getattr(import_module(home), name)
    raise AttributeError(f"module 'empathic' has no attribute {name!r}")
