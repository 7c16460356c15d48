"""Are newer results of a board on their way? Its row counts what asked for them, and what they were computed for."""

from __future__ import annotations

from django.db.models import F, QuerySet

from toprung.web.core.models.boards import Board

COUNTS = ("results_due", "results_done")
"""They change with every run, and pages tell of them only whether the board is behind: who looks does not read them."""


def boards_behind() -> QuerySet[Board]:
    return Board.objects.filter(results_done__lt=F("results_due"))


def is_behind(board: Board) -> bool:
    """As it is now, whenever the board was read."""
    return boards_behind().filter(pk=board.pk).exists()
