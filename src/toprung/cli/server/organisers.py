"""Which board does a command work on, and as whom? What commands on the machine of a server share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from toprung.cli.server.web_options import FIRST_ORGANISER
from toprung.errors import InputError

if TYPE_CHECKING:
    from toprung.web.core.models.boards import Board
    from toprung.web.core.models.people import User

organiser_option = click.option(
    "--organiser", metavar="EMAIL", help="Who does it, as the audit log has it; needed where there are several."
)


def open_board(slug: str, organiser: str | None, data: Path | None) -> tuple[Board, User]:
    """The board of this name in the folder, and who of its organisers does it."""
    from toprung.web.ops.start import open_folder

    open_folder(data)
    from toprung.web.core.models.boards import Board

    board = Board.objects.filter(slug=slug).first()
    if board is None:
        known = ", ".join(Board.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise InputError(f"Found no board '{slug}'; expected one of those there: {known}.")
    return board, _find_organiser(board, organiser)


def find_creator(email: str | None) -> User:
    """Who may make boards; the first comes with the name that ``toprung serve`` gives them too."""
    from toprung.web.core.models.people import User
    from toprung.web.ops.organisers import find_organiser

    known = list(User.objects.filter(may_create_boards=True, is_active=True).order_by("pk"))
    if email is not None or not known:
        return find_organiser(email or FIRST_ORGANISER)
    return _only(known)


def _find_organiser(board: Board, email: str | None) -> User:
    from toprung.web.core.models.boards import Role

    roles = board.roles.filter(role=Role.ORGANISER, user__is_active=True).select_related("user").order_by("pk")
    known = [role.user for role in roles if email is None or role.user.email == email.lower()]
    if not known:
        raise InputError(f"Found no organiser {email or ''} of {board.slug}; expected one who organises it.")
    return _only(known)


def _only(known: list[User]) -> User:
    if len(known) > 1:
        raise InputError(f"--organiser: found nobody named; expected one of {', '.join(each.email for each in known)}.")
    return known[0]
