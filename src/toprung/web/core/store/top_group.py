"""Since when may a run be best? Noted when results are stored, as everyone sees them; a run is new there once."""

from __future__ import annotations

from toprung.web.core.models.boards import Board
from toprung.web.core.models.following import TopGroupEntry
from toprung.web.core.models.results import Audience
from toprung.web.core.queue import enqueue_once, tell_followers


def note_top_group(board_pk: int) -> None:
    """Note who is new among those that may be best; who follows the board is told, in the background."""
    board = Board.objects.get(pk=board_pk)
    shown = board.standings.filter(audience=Audience.PUBLIC, labels_version=board.shown_version, top_group=True)
    known = board.top_group_entries.values("submission")
    runs = shown.exclude(submission__in=known).values_list("submission_id", flat=True)
    new = [TopGroupEntry(board=board, submission_id=pk) for pk in runs]
    TopGroupEntry.objects.bulk_create(new, ignore_conflicts=True)
    if board.follows.filter(by_mail=True).exists() or board.hooks.filter(off_at=None).exists():
        enqueue_once(tell_followers, board.pk)
