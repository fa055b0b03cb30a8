"""Decoding: from a model's scores to words. Knows no model, only scores."""

from empathic.decoding.sampling import Sampling, choose

__all__ = ["Sampling", "choose"]
