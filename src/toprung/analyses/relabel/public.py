"""What may everyone see of runs under two versions of the labels? Both scores to the grid of the release."""

from __future__ import annotations

import math
from dataclasses import replace

from toprung.analyses.relabel.tables import Relabelled
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.rounding import DIGITS
from toprung.stats.ranks.places import places_of


def in_public(found: Relabelled, release: Disclosure) -> Relabelled:
    """Runs under two versions of the labels; places are those of the scores as shown."""
    rows = [
        replace(
            row,
            before=release.score_effect(row.before),
            after=release.score_effect(row.after),
            over_perfect=release.score_effect(row.over_perfect),
            label_doubt=math.nan,
        )
        for row in found.rows
    ]
    before, after = (
        places_of([getattr(row, when).estimate for row in rows], higher_is_better=found.higher_is_better).tolist()
        for when in ("before", "after")
    )
    placed = [
        replace(row, place_before=was, place_after=now) for row, was, now in zip(rows, before, after, strict=True)
    ]
    return replace(
        found,
        rows=tuple(sorted(placed, key=lambda row: (row.place_after, row.run))),
        perfect_before=release.score(found.perfect_before),
        perfect_after=release.score(found.perfect_after),
        tau=round(found.tau, DIGITS),
        tau_top=round(found.tau_top, DIGITS),
        n_without_new=release.count(found.n_without_new),
        n_only_new=release.count(found.n_only_new),
        sample=None,
        digests={},
        doubt=None,
        made_by=None,
        score_decimals=release.decimals,
    )
