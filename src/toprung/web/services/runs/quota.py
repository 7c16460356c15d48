"""How many submissions has a team left? The charges of the last days, counted by the board's window."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Q
from django.utils import timezone

from toprung.web.core.access.boards import role_on
from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.people import Team, User
from toprung.web.core.store.rules import window


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


def quota_of(board: Board, team: Team, *, by: User) -> Quota:
    """For this person in this team: what the person submitted with other teams counts too.

    Else whoever founds one team after another would look at the hidden labels as often as they like. What organisers
    sent are also runs of others that they imported, so of them only the team counts.
    """
    rule, today = window(board), timezone.now().date()
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
