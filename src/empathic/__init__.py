"""empathic: perceive what a person feels and why, plan how to respond, respond, and measure how well that went.

>>> from empathic import corpora
>>> dialogue = next(corpora.read_dialogues("sample"))
>>> dialogue.emotion
'afraid'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from empathic.dialogue import Dialogue, Exchange, Factors, Inference, Perception, Plan, Reply, Request, Turn

__all__ = ["Dialogue", "Exchange", "Factors", "Inference", "Perception", "Plan", "Reply", "Request", "Turn"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Loads the records when they are first asked for, so that the program starts without them."""
    if name in __all__:
        return getattr(import_module("empathic.dialogue"), name)
    raise AttributeError(f"module 'empathic' has no attribute {name!r}")
