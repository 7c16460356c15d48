"""How many submissions has a team left? The charges of the last days, counted by the board's window."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Max, Q
from django.utils import timezone

from toprung.web.core.access.boards import role_on
from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.people import Team, User
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
    latest = board.charges.aggregate(latest=Max("at"))["latest"]
    return timezone.now() if latest is None else max(timezone.now(), latest)


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
    rule, today = window(board), quota_time(board).date()
    whose = Q(team=team) if role_on(board, by) is Role.ORGANISER else Q(team=team) | Q(submission__user=by)
    charged = [at.date() for at in board.charges.filter(whose).values_list("at", flat=True)]
    counting = [each for each in charged if rule.count([each], today)]
    return Quota(
        limit=rule.limit,
        days=rule.days,
        left=max(0, rule.limit - len(counting)),
        next_date=rule.next_date(charged, today),
        frees_on=min(counting) + timedelta(days=rule.days) if counting else None,
    )
