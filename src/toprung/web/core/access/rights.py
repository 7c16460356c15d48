"""With which of their rights does a person act? With all of them on the pages; with a token, as far as it reaches.

Who is in a team and who organises a board is asked here and in `boards.access`, and nowhere else: so a token that is
bound to one team finds nothing of the person's other teams, on whichever way it looks.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from toprung.web.core.models.people import Membership, Scope, Team, User

type Person = User | AnonymousUser


@dataclass(frozen=True, kw_only=True)
class TokenRights:
    """What of a person's rights a token gives."""

    scopes: frozenset[Scope]
    team_id: int | None
    """The only team that it acts for; None for all of the person's."""


def memberships_of(person: Person) -> QuerySet[Membership]:
    """In the teams that the person acts for."""
    if not person.is_authenticated:
        return Membership.objects.none()
    memberships = Membership.objects.filter(user=person)
    if person.token_rights is None or person.token_rights.team_id is None:
        return memberships
    return memberships.filter(team=person.token_rights.team_id)


def is_member(person: Person, team: Team | None) -> bool:
    return team is not None and memberships_of(person).filter(team=team).exists()


def teams_of(person: Person) -> list[Team]:
    return list(Team.objects.filter(membership__in=memberships_of(person)).order_by("name"))


def may_organise(person: Person) -> bool:
    """Whether the person may act as the organiser that they are: with a token only where it says so."""
    if not person.is_authenticated:
        return False
    return person.token_rights is None or Scope.ORGANISE in person.token_rights.scopes
