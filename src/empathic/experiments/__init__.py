"""Experiments: from a recipe to a run folder with all that came of it."""
