"""How does someone leave? Their runs and what they did stay on record; nobody is left without an owner or organiser."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.core.models.people import Membership, Team, User
from toprung.web.core.store.audit import record
from toprung.web.services.judging.privacy import delete_data_of_user
from toprung.web.services.people.teams import TeamRefusedError


@dataclass(frozen=True, kw_only=True)
class Duties:
    """What a person must hand over before they can delete their account."""

    boards: list[Board]
    """Of which they are the only organiser."""
    teams: list[Team]
    """Of which they are the only owner, with others in it."""

    def __bool__(self) -> bool:
        return bool(self.boards or self.teams)


def others_to_own(membership: Membership) -> list[Membership]:
    """The other members, where this one is the last owner; empty where the person is free to go."""
    others = membership.team.membership_set.exclude(pk=membership.pk)
    if not membership.is_owner or others.filter(is_owner=True).exists():
        return []
    return list(others.select_related("user"))


def leave_team(membership: Membership, *, heir: Membership | None = None, closes: bool = False) -> None:
    """End the membership. The last owner names an heir or closes the team; alone, leaving closes it."""
    with transaction.atomic():
        team = Team.objects.select_for_update(no_key=True).get(pk=membership.team_id)
        others = others_to_own(membership)
        if (closes and others) or not team.membership_set.exclude(pk=membership.pk).exists():
            _close(team)
        elif not others:
            membership.delete()
        elif heir is not None and heir.pk in {other.pk for other in others}:
            Membership.objects.filter(pk=heir.pk).update(is_owner=True)
            membership.delete()
        else:
            raise TeamRefusedError("Found a team that would have no owner; expected a member to own it next.")


def remove_member(member: Membership) -> None:
    """What the person submitted with the team stays the team's; an owner cannot be removed."""
    Membership.objects.filter(pk=member.pk, is_owner=False).delete()


def duties_of(user: User) -> Duties:
    return Duties(
        boards=[board for board in _organised_by(user) if not _has_other_organiser(board, user)],
        teams=[
            membership.team
            for membership in user.membership_set.select_related("team").filter(is_owner=True)
            if others_to_own(membership)
        ],
    )


def delete_account(user: User) -> Duties:
    """Forget the person, unless something must be handed over first: that is returned, and nothing is changed."""
    with transaction.atomic():
        boards = list(_organised_by(user).select_for_update(no_key=True).order_by("pk"))
        list(Team.objects.select_for_update(no_key=True).filter(membership__user=user).order_by("pk"))
        duties = duties_of(user)
        if duties:
            return duties
        for board in boards:
            record(board, user, "Left as organiser and deleted the account")
        for membership in user.membership_set.select_related("team"):
            leave_team(membership)
        delete_data_of_user(user)
        user.forget()
    return duties


def _close(team: Team) -> None:
    team.membership_set.all().delete()
    team.invitations.filter(used_at=None).delete()
    team.closed_at = timezone.now()
    team.save(update_fields=["closed_at"])


def _organised_by(user: User) -> QuerySet[Board]:
    return Board.objects.filter(
        pk__in=BoardRole.objects.filter(user=user, role=Role.ORGANISER).values("board_id")
    ).order_by("title")


def _has_other_organiser(board: Board, user: User) -> bool:
    return board.roles.filter(role=Role.ORGANISER, user__is_active=True).exclude(user=user).exists()
