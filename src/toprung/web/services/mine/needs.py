"""What is for a person to do? Invitations, what waits on their boards, answers to judge, runs that came to nothing;
then where one lands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.following import Announcement
from toprung.web.core.models.people import Invitation, User
from toprung.web.services.boards.checklist import find_matters
from toprung.web.services.judging.access import boards_to_judge
from toprung.web.services.mine.own_runs import OwnRun, own_files, own_submissions

MOST_ANNOUNCEMENTS = 5


@dataclass(frozen=True, kw_only=True)
class PersonalTask:
    """One thing that waits for the person."""

    says: str
    does: str
    path: str
    is_posted: bool = False
    """Whether it is done by a button, and not by a page that is opened."""


def find_needs(user: User, runs: Sequence[OwnRun]) -> list[PersonalTask]:
    return [*_invitations(user), *_to_organise(user), *_to_judge(user), *_from_runs(runs)]


def open_invitations_of(user: User) -> QuerySet[Invitation]:
    """Those mailed to the person's address; only if it is theirs beyond doubt, for they can be taken up from here."""
    addresses = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    mine = Q(pk__in=[])
    for address in addresses:
        mine |= Q(email__iexact=address)
    found = Invitation.objects.filter(mine, used_at=None, expires_at__gt=timezone.now(), team__closed_at=None)
    return found.exclude(team__membership__user=user).select_related("team", "invited_by").order_by("expires_at")


def _invitations(user: User) -> Iterator[PersonalTask]:
    for each in open_invitations_of(user):
        says = f"{each.invited_by} invites you to the team {each.team}, until {each.expires_at:%Y-%m-%d}."
        yield PersonalTask(says=says, does="Join", path=reverse("join_invited", args=[each.pk]), is_posted=True)


def organised_boards(user: User) -> list[Board]:
    mine = user.board_roles.filter(role=Role.ORGANISER).values("board")
    return list(Board.objects.filter(pk__in=mine).order_by("title"))


def judged_boards(user: User) -> QuerySet[Board]:
    """Where the person is an assessor."""
    mine = user.board_roles.filter(role=Role.ASSESSOR).values("board")
    return Board.objects.filter(pk__in=mine).order_by("title")


def _to_organise(user: User) -> Iterator[PersonalTask]:
    for board, matter in find_matters(organised_boards(user)):
        yield PersonalTask(says=f"{board}: {matter.said}", does="Look", path=reverse(matter.page, args=[board.slug]))


def _to_judge(user: User) -> Iterator[PersonalTask]:
    for board in boards_to_judge(user):
        says = f"Answers on {board} wait to be compared."
        yield PersonalTask(says=says, does="Judge", path=reverse("spare_minutes", args=[board.slug]))


def _from_runs(runs: Sequence[OwnRun]) -> Iterator[PersonalTask]:
    for run in runs:
        if run.act is not None and run.needs_you:
            yield PersonalTask(
                says=f"{run.name} on {run.board}: {run.bold or run.says}", does=run.act.words, path=run.act.path
            )


def announcements_for(user: User, runs: Sequence[OwnRun]) -> list[Announcement]:
    """The latest of boards that the person follows, or has runs on."""
    boards = {*user.follows.values_list("board_id", flat=True), *(run.board.pk for run in runs)}
    found = Announcement.objects.filter(board__in=boards, withdrawn_at=None).select_related("board")
    return list(found[:MOST_ANNOUNCEMENTS])


def find_landing(user: User) -> str:
    """Where someone who signs in has something to do; the front page for who has nothing."""
    if own_submissions(user).exists() or own_files(user).exists() or open_invitations_of(user).exists():
        return reverse("me")
    if user.board_roles.filter(role=Role.ORGANISER).exists():
        return reverse("me")
    awaited = boards_to_judge(user)
    if awaited:
        return reverse("me") if len(awaited) > 1 else reverse("spare_minutes", args=[awaited[0].slug])
    return reverse("create_board") if user.may_create_boards else reverse("home")
