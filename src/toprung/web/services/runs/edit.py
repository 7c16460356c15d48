"""How does a team change what it says of its run? What it said before stays readable; file and score never change."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.utils import timezone

from toprung.data.run_card import RunCard
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import REPORTED, MetadataEdit, Submission
from toprung.web.core.queue import refresh
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.services.runs.submit import SubmissionRefusedError, check_embargo, take_name

IN_RESULTS = ("tags", *REPORTED)
"""What stored results show too: they are computed anew."""


def edit_card(submission: Submission, card: RunCard, *, by: User) -> MetadataEdit | None:
    """Change them and keep what they were; None where nothing is new. A SubmissionRefusedError changes nothing."""
    with lock_board(submission.board_id) as board:
        held = Submission.objects.select_for_update(no_key=True).get(pk=submission.pk)
        held.board = board
        before, after = _changes(held.card, card)
        if not after:
            return None
        if "name" in after:
            take_name(board, card.name, by=by, of=held)
        if "anonymous_until" in after:
            _check_anonymity(held, card.anonymous_until)
        held.card = card
        held.save()
        record(board, by, f"Edited {held.run_id}: {', '.join(sorted(after))}", run=held.run_id)
        edit = MetadataEdit.objects.create(submission=held, user=by, before=before, after=after)
        if any(name in after for name in IN_RESULTS):
            board.results_due += 1
            board.save()
            refresh.enqueue(board.pk)
    return edit


def _changes(before: RunCard, after: RunCard) -> tuple[dict[str, Any], dict[str, Any]]:
    """Only what differs, as JSON holds it."""
    was, becomes = before.to_json(), after.to_json()
    names = [name for name in was if was[name] != becomes[name]]
    return {name: was[name] for name in names}, {name: becomes[name] for name in names}


def _check_anonymity(submission: Submission, until: date | None) -> None:
    """It may end sooner, or later within the board's rule; what was public once cannot be hidden again."""
    today = timezone.now().date()
    if until is None or until <= today:
        return
    if not submission.is_anonymous(today):
        raise SubmissionRefusedError("Anonymous until: found a run whose team is public; it cannot be hidden again.")
    check_embargo(submission.board, submission.submitted_at.date(), until)
