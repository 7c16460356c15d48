"""Who holds the top rung when its holder goes? After a withdrawal or a void it returns, and that is on record."""

from __future__ import annotations

from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.audit import record
from toprung.web.services.claims.records import holders_in_turn, settled_submissions


def return_rung(board: Board, submission: Submission, *, why: str, by: object) -> Submission | None:
    """Give the rung back if this run holds it; returns who holds it then, None for an empty board.

    Call it while the board is locked (`lock_board`), after the withdrawal or the void is saved; ``why`` says which of
    the two, such as "R32 was withdrawn". The board's pages are due new results either way.
    """
    board.results_due += 1
    if board.holder_id == submission.pk:
        board.holder = holder_on_record(board)
        to = "nobody holds it now" if board.holder is None else f"it goes back to {board.holder.run_id}"
        now = None if board.holder is None else board.holder.run_id
        record(board, by, f"{why}: it held the top rung, {to}", run=submission.run_id, holder=now)
    board.save()
    return board.holder


def holder_on_record(board: Board) -> Submission | None:
    """By the claims that stand; withdrawn runs, voided claims and runs whose score is not released hold nothing."""
    in_turn = holders_in_turn(board, settled_submissions(board))
    return in_turn[-1] if in_turn else None
