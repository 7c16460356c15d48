"""Scores query by query."""
