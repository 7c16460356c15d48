"""Whose texts may be shown to whom? Those of public queries to who sees the board; of hidden ones to few.

A query is public where labels that are not hidden hold it, and no hidden ones do. Everything else is hidden, also a
query that no labels know.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from toprung.labels.effort.store import JUDGMENTS
from toprung.web.core.models.boards import Board
from toprung.web.core.models.judging import AssessorSeat, JudgingRecord
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.people import User
from toprung.web.core.store.columns import labels_of

CONFLICT = ", with a conflict of interest: they opened hidden texts of this board or voted on it"
"""How the audit log says that somebody with inside knowledge takes part."""
BROWSED = (LabelUse.DEV, LabelUse.OFFICIAL)


def public_label_sets(board: Board) -> list[LabelSet]:
    """Current sets that everyone sees who sees the board, dev labels first."""
    return sorted(_public(board), key=lambda each: (each.use != LabelUse.DEV, each.pk))


def _public(board: Board) -> QuerySet[LabelSet]:
    return board.label_sets.filter(is_current=True, is_hidden=False).exclude(file="")


def is_browsed(labels: LabelSet) -> bool:
    """Whether its queries can be looked at one by one: of the dev set, or of official labels that are not hidden."""
    return labels.use in BROWSED and labels.is_current and not labels.is_hidden and bool(labels.file)


def browsed_sets(board: Board) -> list[LabelSet]:
    """The sets of labels whose queries can be looked at one by one."""
    return [each for each in public_label_sets(board) if is_browsed(each)]


def public_queries(board: Board, query_ids: Collection[str]) -> frozenset[str]:
    """Those of them whose text and labels everyone may see who sees the board."""
    known = {query_id for labels in public_label_sets(board) for query_id in labels_of(labels).query_ids}
    asked = known & set(query_ids)
    if not asked:
        return frozenset()
    hidden = board.label_sets.filter(is_hidden=True).exclude(file="")
    return frozenset(asked - {query_id for labels in hidden for query_id in labels_of(labels).query_ids})


def has_inside_knowledge(board: Board, user: User) -> bool:
    """Whether someone opened hidden texts or labels of the board, or voted on it, whatever their role is now.

    Votes that were deleted at somebody's wish are not known any more; that hidden texts were opened is.
    """
    if board.text_accesses.filter(user=user).exists() or board.label_accesses.filter(user=user).exists():
        return True
    votes = JudgingRecord.objects.filter(kind=JUDGMENTS)
    return any(
        votes.filter(campaign=seat.campaign_id, content__assessor=seat.assessor).exists()
        for seat in AssessorSeat.objects.filter(campaign__board=board, user=user)
    )
