"""empathic: perceive what a person feels and why, plan how to respond, respond, and measure how well that went."""

from importlib.metadata import version

__version__ = version("empathic")
