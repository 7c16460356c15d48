"""What are followers mailed? Claims that passed, runs that may be best, announcements: each once."""

from __future__ import annotations

import smtplib
from collections.abc import Sequence

from django.conf import settings
from django.core.mail import EmailMessage

from toprung.web.core.access.boards import boards_for_viewer
from toprung.web.core.access.shared import as_everyone
from toprung.web.core.addresses import address_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.following import Follow, FollowMail
from toprung.web.services.following.events import BoardEvent, find_events
from toprung.web.services.following.follow import can_be_mailed, make_stop_token
from toprung.web.services.runs.mail import MailNotSentError
from toprung.words.wording import say_count

ONE_CLICK = "List-Unsubscribe=One-Click"
"""RFC 8058: a mail program may stop the mails with one press, without a page."""


def tell_followers(board_pk: int) -> None:
    """One mail to each for all that is new to them; a second call finds nothing to tell."""
    board = Board.objects.get(pk=board_pk)
    if settings.ENVIRONMENT.mail is None:
        return
    events = [each for each in find_events(as_everyone(board)) if each.is_mailed]
    for followed in board.follows.filter(by_mail=True).select_related("user").order_by("pk"):
        new = _find_new(followed, events)
        if new and _may_be_told(followed):
            _tell(followed, new)


def _may_be_told(followed: Follow) -> bool:
    """While they may see the board, and only at an address that is theirs."""
    sees = boards_for_viewer(followed.user).filter(pk=followed.board_id).exists()
    return sees and can_be_mailed(followed.user)


def _find_new(followed: Follow, events: Sequence[BoardEvent]) -> list[BoardEvent]:
    since = followed.mail_since or followed.since
    told = set(followed.mails.values_list("event", flat=True))
    return [each for each in events if each.at > since and each.key not in told]


def _tell(followed: Follow, events: Sequence[BoardEvent]) -> None:
    """Noted before it is sent: of two workers one sends it, and what could not be sent is tried again."""
    noted = [each for each in events if _note(followed, each)]
    if not noted:
        return
    try:
        make_mail(followed, noted).send()
    except (smtplib.SMTPException, OSError) as error:
        followed.mails.filter(event__in=[each.key for each in noted]).delete()
        raise MailNotSentError(type(error).__name__) from None  # no address, no content


def _note(followed: Follow, event: BoardEvent) -> bool:
    return FollowMail.objects.get_or_create(follow=followed, event=event.key)[1]


def make_mail(followed: Follow, events: Sequence[BoardEvent]) -> EmailMessage:
    board, here = followed.board, settings.ENVIRONMENT.public_url
    stop = address_of("stop_mails", make_stop_token(followed))
    about = events[0].title if len(events) == 1 else f"{say_count(len(events), 'thing')} are new"
    said = [f"{each.title}\n{each.text}".strip() + f"\n{here}{each.path}" for each in events]
    why = f"You follow {board} by mail. Stop these mails: {stop}"
    return EmailMessage(
        subject=" ".join(f"{board}: {about}".split()),
        body="\n\n".join([*said, f"-- \n{why}"]) + "\n",
        to=[followed.user.email],
        headers={"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": ONE_CLICK},
    )
