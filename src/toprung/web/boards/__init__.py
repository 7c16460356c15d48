"""Boards: what is ranked, by which labels and rules, who stands where, and what was done to it."""
