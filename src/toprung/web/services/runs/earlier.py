"""Which runs of a team came before? Those that a file is compared with."""

from __future__ import annotations

from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import RunState, Submission

MOST_COMPARED = 20
"""Earlier runs, the latest: each is read and compared query by query."""


def earlier_runs(board: Board, team: Team | None) -> list[Submission]:
    """Withdrawn ones among them: a run is not new because the one before it was taken back. Baselines have none."""
    if team is None:
        return []
    runs = board.submissions.filter(team=team).exclude(state=RunState.FAILED).select_related("upload")
    return list(runs.order_by("-number")[:MOST_COMPARED])
