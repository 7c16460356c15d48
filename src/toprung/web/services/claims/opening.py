"""When does a board that was closed show its scores? From its day on: all of them at once."""

from __future__ import annotations

from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.queue import refresh
from toprung.web.core.store.audit import WORKER, record
from toprung.web.core.store.columns import official_labels
from toprung.web.core.store.disclosing import release_of
from toprung.web.core.store.locks import lock_board
from toprung.web.services.claims.releasing import replay_releases


def open_closed_boards() -> None:
    """Release what boards held back whose day has come; a second call finds nothing to do."""
    closed = Board.objects.filter(release__startswith="closed:").values_list("pk", flat=True)
    for pk in closed:
        with lock_board(pk) as board:
            _open(board)


def _open(board: Board) -> None:
    held_back = board.submissions.filter(state=RunState.DONE, shown_score=None)
    if release_of(board).is_closed or board.lacks_labels or not held_back.exists():
        return
    runs = list(board.submissions.filter(state=RunState.DONE).order_by("number"))
    shown = replay_releases(board, official_labels(board), runs)
    for each in runs:
        each.shown_score = shown[each.pk]
    Submission.objects.bulk_update(runs, ["shown_score"], batch_size=200)
    board.results_due += 1
    board.save()
    record(board, WORKER, "Opened: every score is shown from now on")
    refresh.enqueue(board.pk)
