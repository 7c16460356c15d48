"""How does a team take a run back? It leaves the leaderboard; its claims, and what they cost, stay on record."""

from __future__ import annotations

from django.utils import timezone

from toprung.errors import InputError
from toprung.web.core.access.final import why_final
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.queue import refresh
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.services.claims.holders import return_rung


class WithdrawalRefusedError(InputError):
    """Nothing was changed, and why."""


def withdraw(submission: Submission, *, by: User) -> Submission:
    """Once only. If the run held the top rung, the rung goes back to whom it was taken from."""
    with lock_board(submission.board_id) as board:
        if said := why_final(board):
            raise WithdrawalRefusedError(said)
        held = Submission.objects.select_for_update(no_key=True).get(pk=submission.pk)
        _check(held)
        held.withdrawn_at = timezone.now()
        held.save()
        record(board, by, f"Withdrew {held.run_id}", run=held.run_id)
        return_rung(board, held, why=f"{held.run_id} was withdrawn", by=by)
        refresh.enqueue(board.pk)
    return held


def _check(submission: Submission) -> None:
    if submission.withdrawn_at is not None:
        raise WithdrawalRefusedError(
            f"Found {submission.run_id} withdrawn already, on {submission.withdrawn_at:%Y-%m-%d}."
        )
    if submission.state != RunState.DONE:
        raise WithdrawalRefusedError(
            f"Found {submission.run_id} {submission.get_state_display()}; expected a run that is done. It can be "
            "withdrawn once it is scored."
        )
