"""Which teams ask to take part in a board, and who is in them? Approved with the people in them, and with no others."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from toprung.web.core.access.texts import has_inside_knowledge
from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.core.models.people import Team, User
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.services.people.notices import tell_owner
from toprung.web.services.people.trusting import make_sure_for
from toprung.words.wording import say_count


@dataclass(frozen=True, kw_only=True)
class AskingTeam:
    """A team with a member who asks; approving it lets these people in."""

    team: Team
    people: list[User]
    """Who would be approved: its members without another role or team on the board."""
    n_approved: int
    """Of its people who take part already: a team that is approved takes in nobody by itself."""
    n_others: int
    """Members who keep their role: they organise, judge, look on, know hidden texts, or take part with another team."""


def teams_that_ask(board: Board) -> list[AskingTeam]:
    """By name."""
    asking = board.roles.filter(role=Role.APPLICANT).exclude(team=None)
    teams = Team.objects.filter(pk__in=asking.values("team"), closed_at=None).order_by("name")
    return [_look_at(board, team) for team in teams]


def approve_team(board: Board, team: Team, people: Collection[int], *, by: User) -> list[User]:
    """Make participants of these, with this team; returns who they are.

    Who joined it since the organiser looked is not among them, and asks anew.
    """
    with lock_board(board.pk) as held:
        approved = [user for user in _look_at(held, team).people if user.pk in people]
        for user in approved:
            make_sure_for(held, user, Role.PARTICIPANT)
            BoardRole.objects.update_or_create(board=held, user=user, defaults={"role": Role.PARTICIPANT, "team": team})
            tell_owner(user, held, f"approved you as participant with the team {team}", by=by)
        if approved:
            said = f"Approved team {team.pk} with {say_count(len(approved), 'person', 'people')}"
            record(held, by, said, team=team.pk, users=[user.pk for user in approved])
    return approved


def _look_at(board: Board, team: Team) -> AskingTeam:
    members = [each.user for each in team.membership_set.select_related("user") if each.user.is_active]
    roles = {role.user_id: role for role in board.roles.filter(user__in=members)}
    people = [
        user for user in members if _can_be_approved(roles.get(user.pk), team) and not has_inside_knowledge(board, user)
    ]
    n_approved = sum(role.role == Role.PARTICIPANT and role.team_id == team.pk for role in roles.values())
    return AskingTeam(team=team, people=people, n_approved=n_approved, n_others=len(members) - len(people) - n_approved)


def _can_be_approved(role: BoardRole | None, team: Team) -> bool:
    if role is None:
        return True
    asks_with_it = role.role == Role.APPLICANT and role.team_id in (None, team.pk)
    return asks_with_it or (role.role == Role.PARTICIPANT and role.team_id is None)
