"""Boards made, filled, changed and given roles."""
