"""What may everyone see of runs under two versions of the labels? Both scores to the grid of the release."""

from __future__ import annotations

import math
from dataclasses import replace

from toprung.analyses.relabel.tables import Relabelled
from toprung.boards.board_release import BoardRelease
from toprung.boards.public import score_effect_in_public
from toprung.boards.rounding import DIGITS, about, round_to_grid
from toprung.stats.ranks.places import places_of


def in_public(found: Relabelled, release: BoardRelease) -> Relabelled:
    """Runs under two versions of the labels; places are those of the scores as shown."""
    grid = release.grid
    rows = [
        replace(
            row,
            before=score_effect_in_public(row.before, release),
            after=score_effect_in_public(row.after, release),
            over_perfect=score_effect_in_public(row.over_perfect, release),
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
        perfect_before=round_to_grid(found.perfect_before, grid),
        perfect_after=round_to_grid(found.perfect_after, grid),
        tau=round(found.tau, DIGITS),
        tau_top=round(found.tau_top, DIGITS),
        n_without_new=about(found.n_without_new),
        n_only_new=about(found.n_only_new),
        sample=None,
        digests={},
        doubt=None,
        made_by=None,
    )
