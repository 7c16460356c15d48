"""Who may see and change a team? Fetched through getters (404 for what is not allowed); joined by single-use links."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.text import slugify

from toprung.errors import InputError
from toprung.web.core.access.boards import boards_for_viewer
from toprung.web.core.access.rights import Person, is_member, may_organise, memberships_of
from toprung.web.core.models.boards import Role
from toprung.web.core.models.people import Invitation, Membership, Team, User, digest_of
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.names import check_team_name, look_of
from toprung.web.services.people.trusting import NOT_CONFIRMED

SLUG_LENGTH = 50
RESERVED_SLUGS = ("new",)


class TeamRefusedError(InputError):
    """Nothing was changed, and why."""


def runs_for_viewer(team: Team, user: Person) -> QuerySet[Submission]:
    """The team's runs that may be shown as its own to this person: an embargoed run appears for nobody else."""
    runs = team.submissions.select_related("board").order_by("-submitted_at", "-pk")
    if is_member(user, team):
        return runs
    shown = Q(anonymous_until=None) | Q(anonymous_until__lte=timezone.now().date())
    if may_organise(user):
        shown |= Q(board__roles__user=user, board__roles__role=Role.ORGANISER)
    return runs.filter(shown, state=RunState.DONE, board__in=boards_for_viewer(user)).distinct()


def get_team_for_viewer(user: Person, slug: str) -> Team:
    """A team without a public run is not there for others: its mere name could tell whose an embargoed run is."""
    team = Team.objects.filter(slug=slug).first()
    if team is None or not (is_member(user, team) or runs_for_viewer(team, user).exists()):
        raise Http404("There is no such team, or nothing of it is public.")
    return team


def get_membership(user: Person, slug: str) -> Membership:
    """The person's own place in the team."""
    membership = memberships_of(user).select_related("team", "user").filter(team__slug=slug).first()
    if membership is None:
        raise Http404("There is no such team, or you are not in it.")
    return membership


def get_team_for_owner(user: Person, slug: str) -> Team:
    membership = get_membership(user, slug)
    if not membership.is_owner:
        raise Http404("There is no such page.")
    return membership.team


def get_member_for_owner(user: Person, slug: str, pk: int) -> Membership:
    """Another member; owners cannot be removed by owners."""
    team = get_team_for_owner(user, slug)
    member = team.membership_set.select_related("team", "user").filter(pk=pk, is_owner=False).first()
    if member is None:
        raise Http404("There is no such member.")
    return member


def create_team(name: str, *, by: User) -> Team:
    """A new team with one owner; a TeamRefusedError if its name is taken or can be taken for another's."""
    name = check_team_name(name)
    try:
        with transaction.atomic():
            team = Team.objects.create(slug=_free_slug(name), name=name)
            Membership.objects.create(team=team, user=by, is_owner=True)
    except IntegrityError:
        if not Team.objects.filter(look=look_of(name)).exists():
            raise
        raise TeamRefusedError(f"Found '{name}', which another team just took; expected another name.") from None
    return team


def found_team(name: str) -> Team:
    """The team of this name, or a new one that nobody is in yet: for runs of the past. Call it in a transaction."""
    name = check_team_name(name)
    return Team.objects.filter(look=look_of(name)).first() or Team.objects.create(slug=_free_slug(name), name=name)


def find_invitation(secret: str) -> Invitation | None:
    """The invitation while it is open."""
    invitation = Invitation.objects.select_related("team", "invited_by").filter(digest=digest_of(secret)).first()
    return invitation if invitation is not None and invitation.is_open else None


def open_invitations(team: Team) -> QuerySet[Invitation]:
    return team.invitations.filter(used_at=None, expires_at__gt=timezone.now()).order_by("expires_at")


def join_team(secret: str, *, user: User) -> Membership | None:
    """The new place in the team, for the one person who comes first; None for all others.

    An account that organisers of a board made, and whose owner did not come yet, joins no team of another board: the
    organisers may be signed in to it, and members see and change all runs. The invitation stays open then.
    """
    invitation = find_invitation(secret)
    return None if invitation is None else accept_invitation(invitation, user=user)


def accept_invitation(invitation: Invitation, *, user: User) -> Membership | None:
    """The same of an invitation at hand; None where it was used, or the team closed, a moment ago."""
    with transaction.atomic():
        team = Team.objects.select_for_update(no_key=True).get(pk=invitation.team_id)
        if team.closed_at is not None or not invitation.is_open:
            return None
        membership = team.membership_set.filter(user=user).first()
        if membership is not None:
            return membership
        if user.waits_for_owner and _is_elsewhere(team, user.made_on_id):
            raise TeamRefusedError(NOT_CONFIRMED)
        if not Invitation.objects.filter(pk=invitation.pk, used_at=None).update(used_at=timezone.now()):
            return None
        is_first = not team.membership_set.exists()  # of a team that was imported with its runs
        return Membership.objects.create(team=team, user=user, is_owner=is_first)


def _is_elsewhere(team: Team, board: int | None) -> bool:
    """Whether the team sent a file to another board than this, or takes part there."""
    return any(rows.exclude(board=board).exists() for rows in (team.submissions, team.uploads, team.board_roles))


def make_owner(member: Membership) -> None:
    member.is_owner = True
    member.save(update_fields=["is_owner"])


def _free_slug(name: str) -> str:
    stem = slugify(name)[:SLUG_LENGTH].strip("-_") or "team"
    taken = {*Team.objects.filter(slug__startswith=stem).values_list("slug", flat=True), *RESERVED_SLUGS}
    return next(slug for slug in _slugs(stem, len(taken)) if slug not in taken)


def _slugs(stem: str, n_taken: int) -> list[str]:
    return [stem, *(f"{stem}-{number}" for number in range(2, n_taken + 3))]
