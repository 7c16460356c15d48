"""Who may see a file that comes in pieces, and who may go on with it? What is not allowed is not there (404)."""

from __future__ import annotations

from django.http import Http404

from toprung.web.core.access.boards import get_board_for_viewer, is_organiser
from toprung.web.core.access.rights import Person, is_member
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import PartialUpload

LONGEST_NUMBER = 18


def get_file_for_team(person: Person, slug: str, name: str) -> PartialUpload:
    """For the team that sends it, and for organisers: the same as for a file that was sent on the page."""
    board = get_board_for_viewer(person, slug)
    if not (name.isascii() and name.isdecimal() and len(name) <= LONGEST_NUMBER):
        raise Http404("There is no such file.")
    found = board.partial_uploads.select_related("team", "user", "upload").filter(pk=int(name)).first()
    if found is None or not (is_organiser(board, person) or is_member(person, found.team)):
        raise Http404("There is no such file.")
    found.board = board
    return found


def get_file_for_sender(user: User, slug: str, name: str) -> PartialUpload:
    """For the person who began it, while they are in the team."""
    found = get_file_for_team(user, slug, name)
    if found.user_id != user.pk or not is_member(user, found.team):
        raise Http404("There is no such file.")
    return found
