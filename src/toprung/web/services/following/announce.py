"""What does an organiser tell everyone? A headline and a few words; on the board, in its feed, to who asked by mail."""

from __future__ import annotations

from django.utils import timezone

from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.following import LONGEST_ANNOUNCEMENT, LONGEST_HEADLINE, Announcement
from toprung.web.core.models.people import User
from toprung.web.core.names import clean_name
from toprung.web.core.queue import tell_followers
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board

SHORTEST_HEADLINE = 3


class AnnouncementRefusedError(InputError):
    """Nothing was announced, and why."""


def announce(board: Board, headline: str, text: str, *, by: User) -> Announcement:
    """On record in the audit log; who follows the board by mail is told in the background."""
    headline, text = clean_name(headline), text.replace("\r\n", "\n").strip()
    if not SHORTEST_HEADLINE <= len(headline) <= LONGEST_HEADLINE:
        raise AnnouncementRefusedError(
            f"Found a headline of {len(headline)} characters; expected from {SHORTEST_HEADLINE} to {LONGEST_HEADLINE}."
        )
    if len(text) > LONGEST_ANNOUNCEMENT:
        raise AnnouncementRefusedError(
            f"Found {len(text):,} characters; expected {LONGEST_ANNOUNCEMENT:,} at most: link to a page that says more."
        )
    with lock_board(board.pk) as held:
        last = held.announcements.filter(withdrawn_at=None).first()
        if last is not None and (last.headline, last.text) == (headline, text):
            raise AnnouncementRefusedError(
                f"Found the announcement of {last.at:%Y-%m-%d %H:%M} UTC once more; expected another."
            )
        made = Announcement.objects.create(board=held, by=by, headline=headline, text=text)
        record(held, by, f"Announced: {headline}", announcement=made.pk, text=text)
        tell_followers.enqueue(held.pk)
    return made


def withdraw_announcement(announcement: Announcement, *, by: User) -> None:
    """Gone from pages and feed; that it was there stays in the audit log."""
    with lock_board(announcement.board_id) as board:
        standing = Announcement.objects.filter(pk=announcement.pk, withdrawn_at=None)
        if standing.update(withdrawn_at=timezone.now()):
            record(board, by, f"Withdrew the announcement: {announcement.headline}", announcement=announcement.pk)
