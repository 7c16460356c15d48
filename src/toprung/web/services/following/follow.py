"""Who follows a board? Whoever sees it, with one button; mails are stopped by a link that needs no login."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.utils import timezone

from toprung.web.core.models.boards import Board
from toprung.web.core.models.following import Follow
from toprung.web.core.models.people import User

SALT = "toprung.follow.stop"


def can_be_mailed(user: User) -> bool:
    """Only at an address that was verified: else anyone could have mails sent to anyone."""
    return settings.ENVIRONMENT.mail is not None and has_sure_address(user)


def has_sure_address(user: User) -> bool:
    return user.is_active and bool(
        EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()
    )


def follow(board: Board, user: User, *, by_mail: bool) -> Follow:
    """From now on; asked again it only changes whether mails are sent."""
    followed, _ = Follow.objects.get_or_create(board=board, user=user)
    if by_mail and not followed.by_mail:
        followed.mail_since = timezone.now()
    followed.by_mail = by_mail
    followed.save(update_fields=["by_mail", "mail_since"])
    return followed


def unfollow(board: Board, user: User) -> None:
    Follow.objects.filter(board=board, user=user).delete()


def make_stop_token(followed: Follow) -> str:
    """For the link in a mail: signed, so that nobody stops the mails of others; it does not expire."""
    return signing.dumps(followed.pk, salt=SALT)


def read_stop_token(token: str) -> int | None:
    """Which mails it stops; None where it is not from here."""
    try:
        found = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return found if isinstance(found, int) else None


def stop_mails(pk: int) -> None:
    """Twice is the same as once; the board stays followed, without mails."""
    Follow.objects.filter(pk=pk).update(by_mail=False)
