"""How many submissions has a team left? The charges of the last days, counted by the board's window."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Max, Q
from django.utils import timezone

from toprung.boards.policy import Window
from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import Charge
from toprung.web.core.store.rules import window

WORTH_SAYING = timedelta(minutes=1)
"""By so much clocks of several machines may differ."""
logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Quota:
    """What a team may still submit, and from when on it may again."""

    limit: int
    days: int
    left: int
    next_date: date
    """The first day on which the team may submit."""
    frees_on: date | None
    """When the oldest of those that count stops to count; None where none counts."""

    @property
    def slots(self) -> list[bool]:
        """One for each submission of the window: whether it is used."""
        return [number < self.limit - self.left for number in range(self.limit)]


def quota_time(board: Board) -> datetime:
    """Now, or the latest charge of the board where that is later: time does not run backwards here.

    Were the clock set back, charges would lie in days to come, and count for nothing until those are there.
    """
    return _quota_times([board])[board.pk]


def _quota_times(boards: Sequence[Board]) -> dict[int, datetime]:
    """Of each board by its key."""
    charges = Charge.objects.filter(board__in=boards).order_by().values("board_id").annotate(latest=Max("at"))
    latest, now = dict(charges.values_list("board_id", "latest")), timezone.now()
    return {board.pk: max(now, latest.get(board.pk, now)) for board in boards}


def time_to_charge(board: Board) -> datetime:
    """The same, for a new charge; a clock that was set back is said in the log. Call it while the board is held."""
    now, at = timezone.now(), quota_time(board)
    if at - now > WORTH_SAYING:
        logger.warning(
            "Found the clock at %s, before the latest submission to %s at %s; expected it to go forward. Quota is "
            "counted from the later of the two until the clock has passed it.",
            now.isoformat(timespec="seconds"),
            board.slug,
            at.isoformat(timespec="seconds"),
        )
    return at


def quota_of(board: Board, team: Team, *, by: User) -> Quota:
    """For this person in this team: what the person submitted with other teams counts too.

    Else whoever founds one team after another would look at the hidden labels as often as they like. What organisers
    sent are also runs of others that they imported, so of them only the team counts.
    """
    return quotas_of([board], [team], by=by)[board.pk, team.pk]


def quotas_of(boards: Sequence[Board], teams: Sequence[Team], *, by: User) -> dict[tuple[int, int], Quota]:
    """The same of each board and team, by their keys; asked at once for all of them."""
    times, organised = _quota_times(boards), _organised(boards, by)
    charges = Charge.objects.filter(Q(team__in=teams) | Q(submission__user=by), board__in=boards)
    charged: dict[tuple[int, int], list[date]] = {(board.pk, team.pk): [] for board in boards for team in teams}
    for board_pk, team_pk, user_pk, at in charges.values_list("board_id", "team_id", "submission__user_id", "at"):
        is_own = user_pk == by.pk and board_pk not in organised
        for team in teams:
            if is_own or team.pk == team_pk:
                charged[board_pk, team.pk].append(at.date())
    return {
        (board.pk, team.pk): _to_quota(window(board), charged[board.pk, team.pk], times[board.pk].date())
        for board in boards
        for team in teams
    }


def _organised(boards: Sequence[Board], user: User) -> set[int]:
    """The keys of those that the person organises."""
    roles = BoardRole.objects.filter(board__in=boards, user=user, role=Role.ORGANISER)
    return set(roles.values_list("board_id", flat=True))


def _to_quota(rule: Window, charged: Sequence[date], today: date) -> Quota:
    counting = [each for each in charged if rule.count([each], today)]
    return Quota(
        limit=rule.limit,
        days=rule.days,
        left=max(0, rule.limit - len(counting)),
        next_date=rule.next_date(charged, today),
        frees_on=min(counting) + timedelta(days=rule.days) if counting else None,
    )
