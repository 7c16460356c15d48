"""Is a label wrong? Somebody says so of a public query, once, with a reason; organisers answer."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from toprung.errors import InputError
from toprung.web.core.access.reasons import check_reason
from toprung.web.core.access.texts import public_queries
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.models.reported_labels import ReportedLabel

MOST_WAITING = 20
"""Reports of one person on a board that wait for an answer."""


class ReportRefusedError(InputError):
    """Nothing was stored, and why."""


def report_label(board: Board, query_id: str, why: str, *, by: User) -> ReportedLabel:
    if not public_queries(board, [query_id]):
        raise ReportRefusedError("Found a query that is not public here; expected one of the page Queries.")
    why = check_reason(why)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=by.pk)  # counts and adds one at a time
        reports = board.reported_labels.filter(user=by)
        if reports.filter(query_id=query_id).exists():
            raise ReportRefusedError("Found a report of yours on this query; expected one for each query.")
        if reports.filter(answered_at=None).count() >= MOST_WAITING:
            raise ReportRefusedError(
                f"Found {MOST_WAITING} reports of yours that wait for an answer; expected fewer. Wait for some."
            )
        return ReportedLabel.objects.create(board=board, user=by, query_id=query_id, why=why)


def answer_report(report: ReportedLabel, answer: str, *, by: User) -> None:
    """What its sender reads; a later answer takes the place of an earlier one."""
    report.answer, report.answered_by, report.answered_at = check_reason(answer), by, timezone.now()
    report.save(update_fields=["answer", "answered_by", "answered_at"])
