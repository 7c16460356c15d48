"""What do the standings say? The sentence on who stands first, its notes, and how it was found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from toprung.analyses.standings.tier_rows import BETTER, IN_CONFLICT, TierRow
from toprung.boards.lin2021.words import assume_of_facets, say_facets
from toprung.result import Explanation
from toprung.words.wording import list_names, say_count, show_number

if TYPE_CHECKING:
    from toprung.analyses.standings.tiers import TierStandings

MOST_SAID = 3


def say_tiers(found: TierStandings) -> str:
    """Who stands first, by the verdicts of Lin et al. 2021 and by score."""
    return f"By Lin et al. 2021: {_say_order(found)}"


def _say_order(found: TierStandings) -> str:
    first = found.rows[0]
    if first.is_cyclic:
        names = [row.run for row in found.rows if row.place == 1]
        return f"{list_names(names)} share the first place: each does better than another of them, in a circle."
    if not (found.relations == BETTER).any():
        highest = [row.run for row in found.rows if row.score_place == 1]
        said = f"{list_names(highest)} {'has' if len(highest) == 1 else 'share'} the highest {found.measure}"
        return f"no run does better than another beyond chance; {said}."
    if first.score_place == 1:
        return f"{first.run} stands first by evidence and by {found.measure}: {_say_relations(found, first)}."
    leader = min(found.rows, key=lambda row: (row.score_place, row.run))
    lead = show_number(leader.score - first.score, 4)
    return (
        f"{first.run} stands first by evidence, though {leader.run}'s {found.measure} is {lead} higher: "
        f"{_say_relations(found, first, leader.run)}."
    )


def _say_relations(found: TierStandings, row: TierRow, leader: str = "") -> str:
    """What a run is to the others; the leader by score is named where the run does better than it."""
    others, better = len(found.runs) - 1, len(row.better_than)
    said = []
    if better == others:
        said.append(f"does better than {'the other run' if others == 1 else f'all {others:,} others'}")
    elif better:
        named = f", {leader} among them" if leader in row.better_than else ""
        said.append(f"does better than {better:,} of {others:,} others{named}")
    if row.cannot_be_told_apart_from:
        said.append(f"cannot be told apart from {list_names(list(row.cannot_be_told_apart_from))}")
    if row.in_conflict_with:
        said.append(f"is in conflict with {list_names(list(row.in_conflict_with))}")
    return f"it {'; '.join(said)}"


def say_notes(found: TierStandings) -> Iterator[str]:
    """How places came about, and what to be careful about."""
    dates = ", date" if found.has_dates else ""
    yield (
        "Place: nobody stands above a run that does better; where that leaves a choice, by "
        f"{found.measure}, answers{dates}, name."
    )
    test = "paired t-test" if found.facet_test == "t" else "signed-rank test"
    yield (
        f"Better: answers more of the {found.n_queries:,} queries (exact binomial test), or ranks higher where both "
        f"answer ({test} on {found.facet.upper()}), without harm in the other."
    )
    full, half = f"{found.alpha:g}", f"{found.alpha / 2:g}"
    yield f"Levels: {full} where both show it, {half} where one does; harm is seen at {full}."
    if found.n_pairs > 1:
        yield f"Each of the {found.n_pairs:,} pairs is judged by itself; among so many some verdicts may be chance."
    for tier in [tier for tier in found.tiers if tier.is_cyclic][:MOST_SAID]:
        names = [found.runs[run] for run in tier.items]
        yield f"Circle: {list_names(names)} share a place, for each does better than another of them."
    if conflicts := int(np.count_nonzero(found.relations == IN_CONFLICT)) // 2:
        pairs = say_count(conflicts, "pair")
        yield f"Conflict: in {pairs} one run answers more and the other ranks higher; the cost of a miss decides."
    if found.alignment_warning:
        yield found.alignment_warning


def explain_tiers(found: TierStandings) -> Explanation:
    """How pairs were judged, in plain words."""
    pairs = f"Each verdict is read by itself: among {found.n_pairs:,} pairs some may be chance."
    return Explanation(
        how=(
            f"Every pair is judged by its outcomes (Lin et al. 2021): {say_facets(found.facet, found.facet_test)}. "
            "A run stands above every run that it does better than, runs that do so in a circle share a place, "
            f"and where that leaves a choice the higher {found.measure} goes first."
        ),
        assumptions=(*assume_of_facets(found.facet_test), *((pairs,) if found.n_pairs > 1 else ())),
    )
