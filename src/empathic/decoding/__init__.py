"""Decoding: from a model's scores to words, in one way for every model; knows models by an interface only."""

from empathic.decoding.decode import decode, stream
from empathic.decoding.interface import Said, State, Talker
from empathic.decoding.settings import Decoding

__all__ = ["Decoding", "Said", "State", "Talker", "decode", "stream"]
