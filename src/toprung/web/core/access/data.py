"""Who may have a data file? Who sees the board, those that are offered; hidden ones its organisers alone (else 404)."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404

from toprung.web.core.access.boards import get_board_for_viewer, is_organiser
from toprung.web.core.access.rights import Person
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import DataFile


def offered_files(board: Board) -> QuerySet[DataFile]:
    """What everyone may have who sees the board."""
    return board.data_files.filter(is_hidden=False).order_by("pk")


def get_data_file(user: Person, slug: str, name: str) -> DataFile:
    """A file that the person may have, whatever its terms are."""
    board = get_board_for_viewer(user, slug)
    found = board.data_files.filter(name=name).first()
    if found is None or (found.is_hidden and not is_organiser(board, user)):
        raise Http404("There is no such file.")
    found.board = board
    return found
