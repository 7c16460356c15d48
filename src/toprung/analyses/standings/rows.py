"""What is known of a run in the standings? Its place, the ranks it may have, and what it is to every other run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class StandingRow:
    """One run's row; names stand in order of score. Answers are known of first ranks alone."""

    place: int
    """By score; equal scores share the better place."""
    rank_low: int
    rank_high: int
    """The ranks that it may have, for all runs at once."""
    top_group: bool
    """Whether it may be best: no run is better."""
    run: str
    score: float
    answered: float | None
    """The share of queries."""
    mean_esl: float | None
    """The mean rank over its answered queries; None without any."""
    better_than: tuple[str, ...]
    worse_than: tuple[str, ...]
    cannot_be_told_apart_from: tuple[str, ...]
