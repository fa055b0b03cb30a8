"""Models: one module each."""
