"""How does someone get in without a password? By a link that is signed, short-lived and works once.

For the first organiser, for the demo, and for people an organiser helps where no mail is sent. Opening the link shows a
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
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from toprung.errors import InputError
from toprung.web.core.access.boards import is_organiser
from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.people import LoginLink, User, digest_of
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board

VALID_FOR = timedelta(days=1)
METHOD = "link"
NEW_PASSWORD_SECONDS = 15 * 60
"""How long after a login by link a new password may be set without the old one."""
_SIGNER = Signer(salt="toprung.login_link")


class LinkRefusedError(InputError):
    """No link was made, and why."""


def make_login_link(user: User, valid_for: timedelta = VALID_FOR) -> str:
    """The path of a link that logs the user in once; what is stored does not tell it."""
    secret = secrets.token_urlsafe(24)
    LoginLink.objects.create(user=user, digest=digest_of(secret), expires_at=timezone.now() + valid_for)
    return reverse("login_link", args=[_SIGNER.sign(secret)])


def give_login_link(user: User, *, by: User, board: Board) -> str:
    """A link for an organiser to hand to a person of their board: on record, and never into an organiser's account."""
    with lock_board(board.pk) as held:
        if not is_organiser(held, by):
            raise LinkRefusedError("Found someone who does not organise this board; expected an organiser.")
        if not user.is_active or not _is_of(held, user):
            raise LinkRefusedError("Found someone who is not on this board; expected a role or a run on it.")
        if user.may_create_boards or user.board_roles.filter(role=Role.ORGANISER).exists():
            raise LinkRefusedError("Found an organiser; expected someone else: organisers are helped on the server.")
        if _is_elsewhere(held, user):  # or who gives a stranger a role could take over their account
            raise LinkRefusedError("Found someone who is on other boards too; expected someone of this board alone.")
        record(held, by, f"Gave a login link to {user.reference}")
        return make_login_link(user)


def user_of(token: str) -> User | None:
    """Whom the link would let in; None if it is not one of ours, was used, or is too old."""
    link = _open_links(token).select_related("user").first()
    return None if link is None else link.user


def use_login_link(token: str) -> User | None:
    """The user to log in, for the one request that comes first; None for all others."""
    with transaction.atomic():
        link = _open_links(token).select_related("user").first()
        # By its number: of two who come at once, the second looks at the row again once the first is done with it.
        is_first = link is not None and _unused(link).update(used_at=timezone.now()) == 1
    return link.user if link is not None and is_first else None


def _unused(link: LoginLink) -> QuerySet[LoginLink]:
    return LoginLink.objects.filter(pk=link.pk, used_at=None)


def record_login_by_link(request: HttpRequest, user: User) -> None:
    """Note in the session how the person came, before allauth asks for the second factor."""
    record_authentication(request, user, METHOD)


def came_by_link(request: HttpRequest) -> bool:
    """Whether who asks came in by a login link a short while ago."""
    return any(
        entry["method"] == METHOD and time.time() - entry["at"] < NEW_PASSWORD_SECONDS
        for entry in get_authentication_records(request, request.user)
    )


def _open_links(token: str) -> QuerySet[LoginLink]:
    try:
        digest = digest_of(_SIGNER.unsign(token))
    except BadSignature:
        return LoginLink.objects.none()
    return LoginLink.objects.filter(digest=digest, used_at=None, expires_at__gt=timezone.now(), user__is_active=True)


def _is_of(board: Board, user: User) -> bool:
    return (
        board.roles.filter(user=user).exists()
        or board.uploads.filter(Q(user=user) | Q(team__membership__user=user)).exists()
    )


def _is_elsewhere(board: Board, user: User) -> bool:
    """On another board, by a role or by what the person or one of their teams sent."""
    others = Board.objects.exclude(pk=board.pk)
    return others.filter(Q(roles__user=user) | Q(uploads__user=user) | Q(uploads__team__membership__user=user)).exists()
