"""Which boards are there, and who may be best on each?"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from toprung.web.core.access.boards import boards_for_viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.core.models.runs import RunState

LISTED = Q(submissions__state=RunState.DONE, submissions__withdrawn_at=None)


@dataclass(frozen=True, kw_only=True)
class ListedBoard:
    """A board in the list."""

    board: Board
    sentence: str
    """As everyone sees it."""
    n_runs: int

    @property
    def is_ahead(self) -> bool:
        return self.board.opens_at > timezone.now()


@require_safe
def list_boards(request: HttpRequest) -> HttpResponse:
    boards = list(
        boards_for_viewer(request.user)
        .annotate(n_runs=Count("submissions", filter=LISTED, distinct=True))
        .order_by("-opens_at", "title")
    )
    said = StoredResult.objects.filter(board__in=boards, kind="board", audience=Audience.PUBLIC)
    said = said.filter(labels_version=F("board__shown_version"))
    sentences = dict(said.values_list("board_id", "content__sentence"))
    listed = [ListedBoard(board=board, sentence=sentences.get(board.pk, ""), n_runs=board.n_runs) for board in boards]
    return render(request, "boards/boards.html", {"listed": listed, "n_open": sum(each.is_open for each in boards)})
