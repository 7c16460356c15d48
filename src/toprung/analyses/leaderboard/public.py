"""What may everyone see of a leaderboard? Scores as they are released, and shares that tell no single label."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.board_release import BoardRelease
from toprung.boards.public import shares_in_public
from toprung.boards.rounding import widen_to_grid
from toprung.boards.row import BoardRow, RowColumn, row_columns


def in_public(found: Leaderboard, release: BoardRelease) -> Leaderboard:
    """The board as everyone sees it; every run in it is one that the release policy shows."""
    rows = tuple(_row_in_public(row, release.shown_scores[row.run], release) for row in found.rows)
    return replace(found, rows=rows, digest="")


def _row_in_public(row: BoardRow, shown_score: float, release: BoardRelease) -> BoardRow:
    low, high = widen_to_grid(row.score_low, row.score_high, release.grid)
    released = {"score": round(shown_score, release.decimals), "score_low": low, "score_high": high}
    outcomes = None if row.outcomes is None else shares_in_public(row.outcomes)
    figures = {each.name: _figure_in_public(each, getattr(row, each.name)) for each in row_columns()}
    return replace(row, outcomes=outcomes, **figures | released)


def _figure_in_public(column: RowColumn, value: float | date | None) -> Any:
    """What is not declared for everyone is for nobody but organisers; yes or no and days are told as they are."""
    if value is None or column.public_digits is None:
        return None
    return value if isinstance(value, bool | date) else round(value, column.public_digits)
