"""What must be so for an answer to hold? The assumptions that several analyses share, in the same words."""

from __future__ import annotations

FAIR_SAMPLE = "The queries are a fair sample of those that the board is about, drawn one by one."
SAME_QUERIES = "Each row holds the same query for all runs."
COMPLETE_LABELS = "The labels name the right answers: a good one that nobody labelled counts as wrong."
NEARLY_NORMAL = "Mean differences are nearly normal, as they are over many queries."
CAREFUL_VOTES = "Assessors judged with care, and did not know which run an answer came from."


def say_equal_steps(measure: str) -> str:
    """What averaging an ordinal measure takes for granted."""
    return f"A step of {measure} is worth the same wherever it is taken, which an ordinal scale does not grant."
