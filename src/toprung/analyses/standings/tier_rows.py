"""What is known of a run in the order by tiers? Its places, and what it is to every other run."""

from __future__ import annotations

from dataclasses import dataclass

# What a run is to another one.
BETTER, WORSE, NOT_TOLD_APART, IN_CONFLICT = 1, -1, 0, 2


@dataclass(frozen=True, kw_only=True)
class TierRow:
    """One run's row; names stand in the order of the board."""

    place: int
    """By evidence; runs in a circle share one."""
    score_place: int
    run: str
    score: float
    answered: float
    """The share of queries."""
    mean_esl: float
    """The mean rank over its answered queries; NaN without any."""
    tier: int
    is_cyclic: bool
    better_than: tuple[str, ...]
    worse_than: tuple[str, ...]
    cannot_be_told_apart_from: tuple[str, ...]
    in_conflict_with: tuple[str, ...]
    """One of the two answers more queries, the other ranks them higher."""
