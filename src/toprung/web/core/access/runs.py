"""Who may see a file, a run that is not scored yet, or the form? What is not allowed is not there (404)."""

from __future__ import annotations

from django.http import Http404

from toprung.web.core.access.boards import (
    get_board_for_viewer,
    get_submission_for_viewer,
    is_organiser,
    is_own,
    role_on,
)
from toprung.web.core.access.rights import Person, is_member, teams_of
from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import RunState, Submission, Upload

LOOK_ON = (Role.VIEWER, Role.ASSESSOR)
"""Roles that are not for submitting: who judges answers does not send any."""


def may_submit(board: Board, user: Person) -> bool:
    """With a team; whoever sees the board and is not there to look on or to judge."""
    return user.is_authenticated and role_on(board, user) not in LOOK_ON


def get_team_to_submit_for(board: Board, user: Person, slug: str) -> Team:
    """One of the person's own, on a board where they may submit."""
    team = next((team for team in teams_of(user) if team.slug == slug), None)
    if team is None or not may_submit(board, user):
        raise Http404("There is no such team, or you cannot submit for it here.")
    return team


def get_upload_for_team(user: Person, slug: str, pk: int) -> Upload:
    """For the team that sent it, and for organisers."""
    board = get_board_for_viewer(user, slug)
    upload = board.uploads.select_related("team").filter(pk=pk).first()
    if upload is None or not (is_organiser(board, user) or is_member(user, upload.team)):
        raise Http404("There is no such file.")
    upload.board = board
    return upload


def sees_inside(submission: Submission, user: Person) -> bool:
    """Its own team and organisers: the check of its file, earlier files, how far it is."""
    return is_own(submission, user) or is_organiser(submission.board, user)


def get_run_for_viewer(user: Person, slug: str, label: str) -> Submission:
    """For others a run is there once it is on the board."""
    submission = get_submission_for_viewer(user, slug, label)
    if submission.state != RunState.DONE and not sees_inside(submission, user):
        raise Http404("There is no such run.")
    return submission


def get_run_for_insider(user: Person, slug: str, label: str) -> Submission:
    submission = get_submission_for_viewer(user, slug, label)
    if not sees_inside(submission, user):
        raise Http404("There is no such page.")
    return submission
