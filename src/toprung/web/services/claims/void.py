"""What if a claim must not stand? It is voided in public, with the reason; what it spent stays spent."""

from __future__ import annotations

from django.utils import timezone

from toprung.errors import InputError
from toprung.web.core.access.final import why_final
from toprung.web.core.access.reasons import check_reason
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.people import User
from toprung.web.core.queue import refresh
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.services.claims.holders import return_rung


class VoidRefusedError(InputError):
    """Nothing was changed, and why."""


def void_claim(claim: Claim, *, reason: str, by: User) -> Claim:
    """Void it once and for all; if its run holds the top rung, that returns to the nearest earlier holder.

    The number of claims and the level they are held to stay as they were: the queries were asked, and taking a claim
    back does not unask them.
    """
    reason = check_reason(reason)
    with lock_board(claim.board_id) as board:
        if said := why_final(board):
            raise VoidRefusedError(said)
        held = board.claims.select_for_update(no_key=True, of=("self",)).select_related("submission").get(pk=claim.pk)
        if held.voided_at is not None:
            raise VoidRefusedError(f"Found claim {held.number} voided already, on {held.voided_at:%Y-%m-%d}.")
        held.voided_at, held.voided_by, held.void_reason = timezone.now(), by, reason
        held.save(update_fields=["voided_at", "voided_by", "void_reason"])
        run = held.submission.run_id
        record(board, by, f"Voided claim {held.number} of {run}: {reason}", claim=held.number, run=run)
        return_rung(board, held.submission, why=f"Claim {held.number} of {run} was voided", by=by)
        refresh.enqueue(board.pk)
    return held
