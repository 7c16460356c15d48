"""What may everyone see of a leaderboard? Scores as they are released, and shares that tell no single label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.row import BoardRow, RowColumn, ShownAs, row_columns


def in_public(found: Leaderboard, release: Disclosure) -> Leaderboard:
    """The board as everyone sees it; every run in it is one that the release policy shows."""
    changed = [each for each in row_columns() if each.shown_as is not ShownAs.AS_IT_IS]
    rows = tuple(_row_in_public(row, changed, release) for row in found.rows)
    return replace(found, rows=rows, digest="")


def _row_in_public(row: BoardRow, changed: Sequence[RowColumn], release: Disclosure) -> BoardRow:
    low, high = release.widened(row.score_low, row.score_high)
    shown_score = round(release.shown_scores[row.run], release.decimals)
    released: dict[str, Any] = {"score": shown_score, "score_low": low, "score_high": high}
    for each in changed:
        if each.name not in released:
            released[each.name] = _figure_in_public(each, getattr(row, each.name), release)
    if not release.shows_figure_over(round((row.answered or 0.0) * release.n_hidden)):
        released["mean_esl"] = None
    outcomes = None if row.outcomes is None else release.shares(row.outcomes)
    return replace(row, outcomes=outcomes, **released)


def _figure_in_public(column: RowColumn, value: float | date | None, release: Disclosure) -> Any:
    """What is not declared for everyone is for nobody but organisers; yes or no and days are told as they are."""
    if value is None or column.shown_as is None:
        return None
    return value if isinstance(value, bool | date) else release.figure(value, column.shown_as)
