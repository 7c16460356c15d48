"""What if a run cannot be scored? It fails, its charge is given back, and only organisers learn the details."""

from __future__ import annotations

from toprung.web.core.models.runs import Charge, RunState, Submission
from toprung.web.core.queue import tell
from toprung.web.core.store.audit import WORKER, record
from toprung.web.core.store.locks import lock_board

FAILURE = (
    "The run could not be scored. The fault lies with this server or its labels, not with the file: the submission was "
    "not counted, and the organisers find the details in their log."
)
"""What its team is told: the error itself could tell of hidden labels."""


def fail_submission(pk: int, reason: str) -> None:
    """Say so on its page; a fault of ours costs the team nothing."""
    board_pk = Submission.objects.values_list("board_id", flat=True).get(pk=pk)
    with lock_board(board_pk) as board:
        submission = Submission.objects.select_for_update(no_key=True).get(pk=pk)
        if submission.state not in (RunState.QUEUED, RunState.SCORING, RunState.SCORED):
            return
        what = "settled" if submission.state == RunState.SCORED else "scored"
        submission.state, submission.failure = RunState.FAILED, FAILURE
        submission.save()
        Charge.objects.filter(submission=submission).delete()
        record(
            board,
            WORKER,
            f"{submission.run_id} could not be {what}; its charge was given back",
            run=submission.run_id,
            reason=reason,
        )
        tell.enqueue(pk)
