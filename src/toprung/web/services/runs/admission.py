"""Who may submit to this board? Anyone, whom its organisers approved, or whom they invited."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.conf import settings

from toprung.errors import InputError
from toprung.web.core.access.boards import role_on
from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.people import User
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board

ADMITTED = (Role.PARTICIPANT, Role.ORGANISER)


class NotAskedError(InputError):
    """The person cannot ask to take part here, and why."""


def why_not_admitted(board: Board, user: User) -> str:
    """Empty for who may submit."""
    role = role_on(board, user)
    if role in ADMITTED:
        return ""
    if board.who_may_submit == Admission.INVITED:
        return "Found a person who was not invited; expected one whom the organisers of this board made a participant."
    if board.who_may_submit == Admission.APPROVED:
        waits = "; you asked, and they have not decided yet" if role is Role.APPLICANT else ""
        return (
            f"Found a person whom the organisers of this board have not approved{waits}; ask them to take part first."
        )
    return "" if _is_address_trusted(user) else "Found an address that is not verified; expected a verified one."


def ask_to_take_part(board: Board, user: User) -> None:
    """The organisers see it among the people of the board, and make the person a participant, or do not."""
    if board.who_may_submit != Admission.APPROVED:
        raise NotAskedError("Found a board that approves nobody; expected one where you can ask to take part.")
    with lock_board(board.pk) as held:
        if held.roles.filter(user=user).exists():
            return
        BoardRole.objects.create(board=held, user=user, role=Role.APPLICANT)
        record(held, user, f"{user.reference} asks to take part", user=user.pk)


def _is_address_trusted(user: User) -> bool:
    """Where there is mail, an address that was given at sign-up must have been verified."""
    given = EmailAddress.objects.filter(user=user)
    return settings.ENVIRONMENT.mail is None or not given.exists() or given.filter(verified=True).exists()
