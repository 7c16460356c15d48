"""Who holds the top rung when its holder goes? After a withdrawal or a void it returns, and that is on record."""

from __future__ import annotations

from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.audit import record
from toprung.web.core.store.disclosing import release_of
from toprung.web.services.claims.records import holders_in_turn, settled_submissions
from toprung.web.services.claims.releasing import score_shown_to_all


def return_rung(board: Board, submission: Submission, *, why: str, by: object) -> Submission | None:
    """Give the rung back if this run holds it; returns who holds it then, None for an empty board.

    Call it while the board is locked (`lock_board`), after the withdrawal or the void is saved; ``why`` says which of
    the two, such as "R32 was withdrawn". The board's pages are due new results either way.
    """
    board.results_due += 1
    if board.holder_id == submission.pk:
        board.holder = holder_on_record(board)
        if board.holder is not None:
            show_holder(board, board.holder)
        to = "nobody holds it now" if board.holder is None else f"it goes back to {board.holder.run_id}"
        now = None if board.holder is None else board.holder.run_id
        record(board, by, f"{why}: it held the top rung, {to}", run=submission.run_id, holder=now)
    board.save()
    return board.holder


def show_holder(board: Board, holder: Submission) -> None:
    """Who holds the rung cannot be hidden, whatever its ladder says; but for a board that is closed for now."""
    if holder.shown_score is None and not release_of(board).is_closed:
        holder.shown_score = score_shown_to_all(board, holder)
        holder.save(update_fields=["shown_score"])


def holder_on_record(board: Board) -> Submission | None:
    """By the claims that stand; runs that were withdrawn and claims that were voided hold nothing."""
    in_turn = holders_in_turn(board, settled_submissions(board))
    return in_turn[-1] if in_turn else None
