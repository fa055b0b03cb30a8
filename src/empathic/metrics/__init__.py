"""Metrics: what is measured, each with one definition."""
