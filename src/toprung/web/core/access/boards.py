"""Who may see and do what? Every view fetches through one of these; what is not allowed is not there (404)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404

from toprung.web.core.access.rights import Person, is_member, may_organise, memberships_of
from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.people import Team
from toprung.web.core.store.behind import COUNTS

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from toprung.web.core.models.runs import Submission


def role_on(board: Board, user: Person) -> Role | None:
    if not user.is_authenticated:
        return None
    role = board.roles.filter(user=user).values_list("role", flat=True).first()
    return None if role is None else Role(role)


def is_organiser(board: Board, user: Person) -> bool:
    """Whether the person organises the board, and acts as who does: a token may leave that out."""
    return may_organise(user) and role_on(board, user) is Role.ORGANISER


def public_boards() -> QuerySet[Board]:
    return Board.objects.filter(is_public=True).defer(*COUNTS)


def boards_for_viewer(user: Person) -> QuerySet[Board]:
    public = public_boards()
    if not user.is_authenticated:
        return public
    with_role = Board.objects.filter(pk__in=user.board_roles.exclude(role=Role.APPLICANT).values("board"))
    return (public | with_role).distinct()


def get_board_for_viewer(user: Person, slug: str) -> Board:
    board = boards_for_viewer(user).filter(slug=slug).first()
    if board is None:
        raise Http404("There is no such board, or you may not see it.")
    return board


def get_team_for_member(user: Person, slug: str) -> Team:
    team = Team.objects.filter(slug=slug, membership__in=memberships_of(user)).first()
    if team is None:
        raise Http404("There is no such team, or you are not in it.")
    return team


def get_submission_for_viewer(user: Person, slug: str, label: str) -> Submission:
    board = get_board_for_viewer(user, slug)
    submission = board.submissions.select_related("team", "upload").filter(run_id=label).first()
    if submission is None:
        raise Http404("There is no such run.")
    submission.board = board
    return submission


def get_submission_for_team(user: Person, slug: str, label: str) -> Submission:
    """For its own team only: what others may not see or change."""
    submission = get_submission_for_viewer(user, slug, label)
    if not is_own(submission, user):
        raise Http404("There is no such page.")
    return submission


def is_own(submission: Submission, user: Person) -> bool:
    return is_member(user, submission.team)
