"""What was under way when the bundle was made? Taken up here: runs that wait, results that are due."""

from __future__ import annotations

from toprung.web.core.models.boards import Board
from toprung.web.core.models.judging import CampaignState
from toprung.web.core.models.runs import RunState
from toprung.web.core.queue import enqueue_once, settle, watch_campaign
from toprung.web.services.labels.prepare import versions_in_preparation
from toprung.web.services.labels.rescore import enqueue_missing
from toprung.web.services.runs.turns import queue_next


def go_on(board: Board) -> None:
    """Queue what the worker of the host before had still to do; without labels it waits for them."""
    board.submissions.filter(state=RunState.SCORING).update(state=RunState.QUEUED)
    if board.lacks_labels:
        return
    for user_pk in set(board.submissions.filter(state=RunState.QUEUED).values_list("user_id", flat=True)):
        queue_next(user_pk)
    settle.enqueue(board.pk)
    for campaign in board.campaigns.exclude(state=CampaignState.DRAFT):
        enqueue_once(watch_campaign, campaign.pk)
    for labels in versions_in_preparation(board):
        enqueue_missing(labels)
