"""What others did with an account: written down for its owner, shown on the account page, and mailed where mail is set.

Every role that is given, changed or taken is told, every login link that is made, and every use of one.
"""

from __future__ import annotations

import smtplib

from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone

from toprung.web.core.addresses import address_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import AccountNotice, User
from toprung.web.core.queue import tell_owner as tell_owner_by_mail
from toprung.web.services.runs.mail import MailNotSentError

MOST_SHOWN = 200
SOMEONE = "Someone"
LONGEST = 300


def tell_owner(user: User, board: Board, what: str, *, by: User | None) -> None:
    """``what`` follows the name of who did it; what people do with their own account needs no notice."""
    if by == user:
        return
    notice = AccountNotice.objects.create(user=user, board=board, by=by, what=what[:LONGEST])
    if settings.ENVIRONMENT.mail is not None:
        tell_owner_by_mail.enqueue(notice.pk)


def find_notices(user: User) -> list[AccountNotice]:
    """The latest first."""
    return list(user.notices.select_related("board", "by")[:MOST_SHOWN])


def mail_notice(pk: int) -> None:
    """Once, to the address of the account, confirmed or not: the owner of the address is who must know."""
    notice = AccountNotice.objects.select_related("user", "board", "by").filter(pk=pk, mailed_at=None).first()
    if notice is None or settings.ENVIRONMENT.mail is None or not notice.user.is_active:
        return  # nobody to tell, or the person deleted the account meanwhile
    if not AccountNotice.objects.filter(pk=pk, mailed_at=None).update(mailed_at=timezone.now()):
        return
    try:
        send_mail(_subject_of(notice), _body_of(notice), None, [notice.user.email])
    except (smtplib.SMTPException, OSError) as error:
        AccountNotice.objects.filter(pk=pk).update(mailed_at=None)
        raise MailNotSentError(type(error).__name__) from None  # no address, no content


def _subject_of(notice: AccountNotice) -> str:
    return " ".join(f"Toprung: your account on the board {notice.board}".split())


def _body_of(notice: AccountNotice) -> str:
    said = [f"{notice.by or SOMEONE} {notice.what}, on the board {notice.board}."]
    if notice.user.waits_for_owner:
        said.append(
            "The organisers of a board made an account for this address. To make it yours, set a password by mail. "
            f"Then everything ends that others set up in it:\n{address_of('account_reset_password')}"
        )
    said.append(f"Your account page lists all that others did with your account:\n{address_of('account')}")
    return "\n\n".join(said) + "\n"
