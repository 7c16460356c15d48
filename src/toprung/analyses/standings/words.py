"""What do the standings say? Their notes, and how they were found; who may be best is said by the engine's words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.result import Explanation
from toprung.words.assumptions import FAIR_SAMPLE, SAME_QUERIES
from toprung.words.wording import say_count, say_queries, show_confidence

if TYPE_CHECKING:
    from toprung.analyses.standings.find import Standings


def say_notes(found: Standings) -> Iterator[str]:
    """How places and relations came about."""
    sure = show_confidence(1 - found.top.alpha)
    yield f"Place: by {found.measure}; equal scores share one. Rank: the ranks these queries cannot rule out."
    yield (
        f"Better, worse: {found.measure} over {say_queries(found.top.n_queries)}, all "
        f"{say_count(found.top.intervals.n_pairs, 'pair')} at once with {sure} confidence (Mogstad et al. 2024)."
    )


def explain_standings(found: Standings) -> Explanation:
    """How runs were compared, in plain words."""
    return Explanation(
        how=(
            f"All runs are compared at once on {found.measure}, query by query, so that no two are told apart wrongly "
            f"with {show_confidence(1 - found.top.alpha)} confidence (resampled largest t, step-down; Mogstad et al. "
            "2024). The ranks a run may have follow from that, and so does who may be best; rows stand in order of "
            "score."
        ),
        assumptions=(FAIR_SAMPLE, SAME_QUERIES, f"The mean of {found.measure} is what counts."),
    )
