"""How many runs does the board still take from all teams together? Those of the last days, counted by its window."""

from __future__ import annotations

from datetime import timedelta

from toprung.web.core.models.boards import Board
from toprung.web.services.runs.quota import quota_time


def why_board_is_full(board: Board) -> str:
    """Empty while it takes runs; whatever accounts and teams are made, the hidden labels are asked no more often."""
    if board.board_quota is None:
        return ""
    since = quota_time(board) - timedelta(days=board.quota_days)
    if board.charges.filter(at__gt=since).count() < board.board_quota:
        return ""
    return (
        f"Found no submission left on this board: {board.board_quota:,} of all teams in any {board.quota_days} days; "
        "try again tomorrow."
    )
