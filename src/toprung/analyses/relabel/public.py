"""What may everyone see of runs under two versions of the labels? Both scores to the grid of the release."""

from __future__ import annotations

import math
from dataclasses import replace

from toprung.analyses.relabel.tables import Relabelled
from toprung.boards.disclosure.disclosure import LEFT_OUT, Disclosure
from toprung.boards.disclosure.rounding import DIGITS
from toprung.errors import InputError
from toprung.stats.ranks.places import places_of
from toprung.words.wording import say_queries


def in_public(found: Relabelled, release: Disclosure) -> Relabelled:
    """Runs under two versions of the labels; places are those of the scores as shown.

    Both are over the queries that the versions share: where these are fewer, figures are coarser.
    """
    if not release.shows_figure_over(found.n_queries):
        raise InputError(f"{LEFT_OUT}: here both scores, over {say_queries(release.count(found.n_queries))}.")
    grid = release.step_over(found.n_queries)
    rows = [
        replace(
            row,
            before=release.score_effect(row.before, grid),
            after=release.score_effect(row.after, grid),
            over_perfect=release.score_effect(row.over_perfect, grid),
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
        perfect_before=release.on_grid(found.perfect_before, grid),
        perfect_after=release.on_grid(found.perfect_after, grid),
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
