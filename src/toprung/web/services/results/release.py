"""Which scores of runs does everyone see? Those that the release policy shows, to its digits."""

from __future__ import annotations

from collections.abc import Sequence

from toprung.boards.board_release import BoardRelease
from toprung.boards.rounding import round_to_grid
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.rules import release_of


def release_to_everyone(board: Board, submissions: Sequence[Submission]) -> BoardRelease:
    """With the scores that are released; none has more digits than the policy shows, whatever was stored before it."""
    way = release_of(board)
    shown = {
        each.run_id: round_to_grid(each.shown_score, way.grid) for each in submissions if each.shown_score is not None
    }
    return BoardRelease(way=way, shown_scores=shown)
