"""By which name does a run appear? Its team's, unless it is anonymous still; asked at the moment it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from toprung.web.core.access.boards import is_organiser
from toprung.web.core.access.rights import Person, memberships_of
from toprung.web.core.asked import today
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.listed import ListedRun

ORGANISERS = "Organisers"


@dataclass(frozen=True, kw_only=True)
class Identity:
    """What may be said of who made a run."""

    name: str
    team: str
    team_slug: str
    """Empty where there is no page to link to."""
    is_hidden: bool


@dataclass(frozen=True, kw_only=True)
class Namer:
    """Names the runs of a board for one person: who that is, is asked once, however many runs there are."""

    team_ids: frozenset[int]
    """The person's own teams."""
    sees_all: bool
    today: date

    @classmethod
    def of(cls, board: Board, user: Person) -> Namer:
        own = memberships_of(user).values_list("team_id", flat=True)
        return cls(team_ids=frozenset(own), sees_all=is_organiser(board, user), today=today())

    def name(self, submission: Submission | ListedRun) -> Identity:
        """An embargo lifts by itself: nothing is stored that would have to be changed on the day."""
        team = submission.team
        if team is None:
            return Identity(name=submission.name, team=ORGANISERS, team_slug="", is_hidden=False)
        if submission.is_anonymous(self.today) and not self.sees_all and team.pk not in self.team_ids:
            until = f"Anonymous until {submission.anonymous_until:%Y-%m-%d}"
            return Identity(name=submission.run_id, team=until, team_slug="", is_hidden=True)
        return Identity(name=submission.name, team=team.name, team_slug=team.slug, is_hidden=False)

    def named(self, prefix: str = "") -> Q:
        """Which submissions appear by name; ``prefix`` is how a query reaches them, such as ``submission__``."""
        if self.sees_all:
            return Q()
        return (
            Q(**{f"{prefix}anonymous_until": None})
            | Q(**{f"{prefix}anonymous_until__lte": self.today})
            | Q(**{f"{prefix}team__in": self.team_ids})
        )
