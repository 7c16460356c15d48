"""What was under way when the bundle was made? Taken up here: runs that wait, results that are due."""

from __future__ import annotations

from toprung.web.boards.models import Board
from toprung.web.boards.versions.preparing import versions_in_preparation
from toprung.web.boards.versions.rescoring import enqueue_missing
from toprung.web.submissions.models import RunState


def go_on(board: Board) -> None:
    """Queue what the worker of the host before had still to do; without labels it waits for them."""
    from toprung.web.boards.tasks import settle
    from toprung.web.submissions.tasks import score

    board.submissions.filter(state=RunState.SCORING).update(state=RunState.QUEUED)
    if board.lacks_labels:
        return
    for pk in board.submissions.filter(state=RunState.QUEUED).order_by("number").values_list("pk", flat=True):
        score.enqueue(pk)
    settle.enqueue(board.pk)
    for labels in versions_in_preparation(board):
        enqueue_missing(labels)
