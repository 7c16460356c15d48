"""What may everyone see of a leaderboard? Scores as they are released, and shares that tell no single label."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.row import BoardRow, RowColumn, row_columns


def in_public(found: Leaderboard, release: Disclosure) -> Leaderboard:
    """The board as everyone sees it; every run in it is one that the release policy shows."""
    rows = tuple(_row_in_public(row, release.shown_scores[row.run], release) for row in found.rows)
    return replace(found, rows=rows, digest="")


def _row_in_public(row: BoardRow, shown_score: float, release: Disclosure) -> BoardRow:
    low, high = release.widened(row.score_low, row.score_high)
    released = {"score": round(shown_score, release.decimals), "score_low": low, "score_high": high}
    outcomes = None if row.outcomes is None else release.shares(row.outcomes)
    figures = {each.name: _figure_in_public(each, getattr(row, each.name), release) for each in row_columns()}
    if not release.shows_figure_over(round((row.answered or 0.0) * release.n_hidden)):
        figures["mean_esl"] = None
    return replace(row, outcomes=outcomes, **figures | released)


def _figure_in_public(column: RowColumn, value: float | date | None, release: Disclosure) -> Any:
    """What is not declared for everyone is for nobody but organisers; yes or no and days are told as they are."""
    if value is None or column.shown_as is None:
        return None
    return value if isinstance(value, bool | date) else release.figure(value, column.shown_as)
