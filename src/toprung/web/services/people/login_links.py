"""Login links, which let someone in without a password: signed, short-lived, and they work once.

The operator of the server makes them for anybody; organisers only for accounts that they made and that nobody has
entered yet. Opening the link shows a
button and changes nothing, so that a preview of the link does not use it up.
"""

from __future__ import annotations

import secrets
import time
from datetime import timedelta

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from toprung.errors import InputError
from toprung.web.core.access.boards import is_organiser
from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.people import LoginLink, User, digest_of
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.services.people.notices import tell_owner
from toprung.web.services.people.trusting import note_owner, was_entered

VALID_FOR = timedelta(days=1)
METHOD = "link"
NEW_PASSWORD_SECONDS = 15 * 60
"""How long after a login by link a new password may be set without the old one."""
HELP = (
    "Its owner sets a new password by mail, where this server sends mail, or asks whoever runs the server for "
    "“toprung login-link”."
)
_SIGNER = Signer(salt="toprung.login_link")


class LinkRefusedError(InputError):
    """No link was made, and why."""


def make_login_link(user: User, valid_for: timedelta = VALID_FOR, *, board: Board | None = None) -> str:
    """The path of a link that logs the user in once; what is stored does not tell it.

    ``board`` is the one whose organiser makes the link; None for the operator of the server.
    """
    secret = secrets.token_urlsafe(24)
    LoginLink.objects.create(user=user, board=board, digest=digest_of(secret), expires_at=timezone.now() + valid_for)
    return reverse("login_link", args=[_SIGNER.sign(secret)])


def give_login_link(user: User, *, by: User, board: Board) -> str:
    """A link for an organiser to hand to a person for whom this board's organisers made an account; on record."""
    with lock_board(board.pk) as held:
        if not is_organiser(held, by):
            raise LinkRefusedError("Found someone who does not organise this board; expected an organiser.")
        if why := _why_no_link(held, user):
            raise LinkRefusedError(why)
        record(held, by, f"Gave a login link to {user.reference}")
        tell_owner(user, held, "made a login link that opens your account", by=by)
        return make_login_link(user, board=held)


def _why_no_link(board: Board, user: User) -> str:
    """Empty where an organiser of the board may make a link, and where one they made still works.

    Else whoever gives a stranger a role could take over their account. A link that was made earlier must not work
    either once the owner came, or another board trusts the account.
    """
    if not user.is_active or not board.roles.filter(user=user).exists():
        return "Found someone who is not on this board; expected a role on it."
    if user.may_create_boards or user.board_roles.filter(role=Role.ORGANISER).exists():
        return "Found an organiser; expected someone else: organisers are helped on the server."
    if _is_elsewhere(board, user):
        return "Found someone who is on other boards too; expected someone of this board alone."
    if user.made_on_id != board.pk:
        return f"Found an account that the organisers of this board did not make; expected one that they made. {HELP}"
    if was_entered(user):
        return f"Found an account that somebody entered already; expected one that nobody has entered. {HELP}"
    return ""


def user_of(token: str) -> User | None:
    """Whom the link would let in; None if it is not one of ours, was used, or is too old."""
    link = _find_open(token)
    return None if link is None else link.user


def use_login_link(token: str) -> LoginLink | None:
    """The link with the user to log in, for the one request that comes first; None for all others.

    A link of the operator goes to the owner of the account, so what others set up before ends.
    """
    with transaction.atomic():
        found = _find_open(token)
        if found is None:
            return None
        User.objects.select_for_update(no_key=True).get(pk=found.user_id)
        link = _find_open(token)  # again, alone: of two links of organisers only the first lets in
        # By its number: of two who come at once, the second looks at the row again once the first is done with it.
        if link is None or LoginLink.objects.filter(pk=link.pk, used_at=None).update(used_at=timezone.now()) != 1:
            return None
        if link.board is None:
            note_owner(link.user)
        else:
            tell_owner(link.user, link.board, "signed in by the login link that an organiser made", by=None)
    return link


def record_login_by_link(request: HttpRequest, link: LoginLink) -> None:
    """Note in the session how the person came, before allauth asks for the second factor."""
    record_authentication(request, link.user, METHOD, board=link.board_id)


def came_by_organiser(request: HttpRequest) -> bool:
    """Whether the session began with a link of an organiser."""
    return any(entry.get("board") is not None for entry in get_authentication_records(request, request.user))


def came_by_link(request: HttpRequest) -> bool:
    """Whether who asks came in by a login link a short while ago."""
    return any(
        entry["method"] == METHOD and time.time() - entry["at"] < NEW_PASSWORD_SECONDS
        for entry in get_authentication_records(request, request.user)
    )


def _find_open(token: str) -> LoginLink | None:
    try:
        digest = digest_of(_SIGNER.unsign(token))
    except BadSignature:
        return None
    links = LoginLink.objects.filter(digest=digest, used_at=None, expires_at__gt=timezone.now(), user__is_active=True)
    link = links.select_related("user", "board").first()
    if link is not None and link.board is not None and _why_no_link(link.board, link.user):
        return None
    return link


def _is_elsewhere(board: Board, user: User) -> bool:
    """On another board, by a role or by what the person or one of their teams sent."""
    others = Board.objects.exclude(pk=board.pk)
    return others.filter(Q(roles__user=user) | Q(uploads__user=user) | Q(uploads__team__membership__user=user)).exists()
