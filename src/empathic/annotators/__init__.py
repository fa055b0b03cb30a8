"""Annotators: what a conversation shows, read off it by trained models and lexicons."""
