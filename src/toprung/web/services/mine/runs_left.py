"""How many runs have I left, and when does the next free up? For each open board that one of my teams is on.

Who is in several teams reads of those that sent something to a board; where none did, of the first, for all may.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from toprung.web.core.access.boards import boards_for_viewer
from toprung.web.core.access.rights import teams_of
from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import Submission, Upload
from toprung.web.services.runs.quota import quotas_of


@dataclass(frozen=True, kw_only=True)
class RunsLeft:
    """On one board, for one team."""

    board: Board
    team: str
    """Empty where the person has only one, or none of them has sent anything there."""
    left: int
    limit: int
    frees_on: date | None


def find_runs_left(user: User) -> list[RunsLeft]:
    teams = list(teams_of(user))
    boards = [each for each in _boards_of(user, teams) if each.is_open]
    quotas = quotas_of(boards, teams, by=user)
    sent = _who_sent(boards, teams)
    found = []
    for board in boards:
        there = [team for team in teams if (board.pk, team.pk) in sent]
        for team in there or teams[:1]:
            quota = quotas[board.pk, team.pk]
            name = str(team) if there and len(teams) > 1 else ""
            found.append(RunsLeft(board=board, team=name, left=quota.left, limit=quota.limit, frees_on=quota.frees_on))
    return found


def _who_sent(boards: Iterable[Board], teams: Sequence[Team]) -> set[tuple[int, int]]:
    """Board and team, where the team has a run or a file."""
    places = [
        rows.objects.filter(board__in=boards, team__in=teams).order_by().values_list("board", "team").distinct()
        for rows in (Submission, Upload)
    ]
    return {pair for found in places for pair in found}


def _boards_of(user: User, teams: Sequence[Team]) -> QuerySet[Board]:
    """Found by runs, by files and by roles apart: joined to each other they are as many rows as runs times files."""
    runs, files = (rows.objects.filter(team__in=teams).order_by().values("board") for rows in (Submission, Upload))
    roles = user.board_roles.filter(role=Role.PARTICIPANT).values("board")
    mine = Q(pk__in=runs) | Q(pk__in=files) | Q(pk__in=roles)
    return Board.objects.filter(mine, pk__in=boards_for_viewer(user).values("pk")).order_by("title")
