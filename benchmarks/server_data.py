"""A server of many boards: one is made and computed by the code that boards use, the others are copies of its rows.

A copy has all that the first has, under other keys: runs, columns, claims, results, standings, the log of what was
done. Its runs are of other teams, each of which has runs on several boards.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.board_data import draw_ranks, make_empty, make_runs

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet

    from toprung.web.core.models.boards import Board
    from toprung.web.core.models.people import Team, User

    type Keys = dict[type[Model], dict[int, int]]

AT_ONCE = 500
"""Rows that are written together."""
TEAMS_BETWEEN = 10
"""By how many teams the runs of a board are shifted against those of the board before."""


@dataclass(kw_only=True)
class ManyBoards:
    """A server as it is filled: boards are added, teams too."""

    first: Board
    organiser: User
    teams: list[Team]
    boards: list[Board] = field(default_factory=list)

    def grow_to(self, n_boards: int, n_teams: int) -> None:
        self.teams += make_teams(len(self.teams), n_teams)
        self.first.refresh_from_db()  # runs may have come meanwhile
        for number in range(len(self.boards), n_boards):
            self.boards.append(self._copy(number))

    def _copy(self, number: int) -> Board:
        keys = _copy_row(self.first, slug=f"board-{number}", title=f"Board {number}", holder=None)
        board = type(self.first).objects.get(slug=f"board-{number}")
        places = {team.pk: place for place, team in enumerate(self.teams)}
        shift = number * TEAMS_BETWEEN
        keys[type(self.teams[0])] = {
            pk: self.teams[(place + shift) % len(self.teams)].pk for pk, place in places.items()
        }
        for rows in _rows_of(self.first):
            _copy_rows(rows, keys)
        board.holder_id = keys[self.first.submissions.model][self.first.holder_id or 0]
        board.save()
        return board


def make_first(n_runs: int, n_queries: int, n_teams: int) -> ManyBoards:
    """The board that the others are copies of, settled and computed as any."""
    from toprung.web.core.models.runs import Charge
    from toprung.web.services.claims.settle import settle_board
    from toprung.web.services.results.compute import compute_results

    board, labels, organiser = make_empty("board-0", n_queries)
    teams = make_teams(0, n_teams)
    make_runs(board, labels, teams, organiser, draw_ranks(n_runs, n_queries))
    Charge.objects.bulk_create(
        Charge(board=board, team=each.team, submission=each, at=each.submitted_at)
        for each in board.submissions.select_related("team")
        if each.team is not None
    )
    settle_board(board.pk)
    compute_results(board.pk)
    board.refresh_from_db()
    return ManyBoards(first=board, organiser=organiser, teams=teams, boards=[board])


def make_teams(start: int, end: int) -> list[Team]:
    """One member each."""
    from toprung.web.core.models.people import Membership, Team, User
    from toprung.web.core.names import look_of

    numbers = range(start, end)
    names = [f"Laboratory {number:05}" for number in numbers]
    made = [Team(name=name, slug=name.lower().replace(" ", "-"), look=look_of(name)) for name in names]
    people = [User(email=f"member{number}@example.org", password="!", name=f"Member {number}") for number in numbers]
    teams, users = Team.objects.bulk_create(made), User.objects.bulk_create(people)
    Membership.objects.bulk_create(
        Membership(team=team, user=user, is_owner=True) for team, user in zip(teams, users, strict=True)
    )
    return teams


def _rows_of(board: Board) -> Iterator[QuerySet[Any]]:
    """All that belongs to it, what others name before what names it."""
    from toprung.web.core.models.audit import AuditHead
    from toprung.web.core.models.following import TopGroupEntry
    from toprung.web.core.models.runs import Charge, FirstRankColumn, ScoreColumn

    runs = board.submissions.all()
    yield from (board.roles.all(), board.label_sets.all(), board.uploads.all(), runs)
    yield from (each.objects.filter(submission__in=runs) for each in (FirstRankColumn, ScoreColumn, Charge))
    yield from (TopGroupEntry.objects.filter(board=board), board.claims.all())
    yield from (board.audit.all(), AuditHead.objects.filter(board=board), board.results.all(), board.standings.all())


def _copy_row(row: Model, **changes: Any) -> Keys:
    made = copy.copy(row)
    made.pk = None
    for name, value in changes.items():
        setattr(made, name, value)
    made.save()
    return {type(row): {row.pk: made.pk}}


def _copy_rows(rows: QuerySet[Any], keys: Keys) -> None:
    model, done = rows.model, list[tuple[int, int]]()
    for some in _chunks(rows.order_by("pk").iterator(AT_ONCE)):
        old = [each.pk for each in some]
        for each in some:
            _point_elsewhere(each, keys)
        made = model.objects.bulk_create(some)
        done += zip(old, (each.pk for each in made), strict=True)
    keys[model] = dict(done)


def _point_elsewhere(row: Any, keys: Keys) -> None:
    row.pk = None
    for each in row._meta.concrete_fields:
        if each.is_relation and each.related_model in keys:
            old = getattr(row, each.attname)
            setattr(row, each.attname, None if old is None else keys[each.related_model][old])


def _chunks(rows: Iterable[Any]) -> Iterator[list[Any]]:
    some: list[Any] = []
    for each in rows:
        some.append(each)
        if len(some) == AT_ONCE:
            yield some
            some = []
    if some:
        yield some
