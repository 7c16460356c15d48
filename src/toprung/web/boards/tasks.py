"""What happens to a board in the background? Each task may run twice and does its work once."""

from __future__ import annotations

from django.db.models import F
from django.tasks import task

from toprung.web.boards.models import Board
from toprung.web.boards.results import compute_comparison, compute_results
from toprung.web.boards.settling import settle_board
from toprung.web.boards.validity import compute_validity


@task()
def settle(board_pk: int) -> None:
    """Settle what is scored; then the board's pages need new results.

    They may be due since before: a worker that was ended after it settled had no time to ask for them.
    """
    settle_board(board_pk)
    if Board.objects.filter(pk=board_pk, results_done__lt=F("results_due")).exists():
        refresh.enqueue(board_pk)


@task()
def refresh(board_pk: int) -> None:
    """Compute what the pages show, unless a later task has done so already."""
    compute_results(board_pk)
    examine.enqueue(board_pk)


@task(priority=-10)
def examine(board_pk: int) -> None:
    """Compute what organisers see of the board's validity, once nothing else waits: it takes longest."""
    compute_validity(board_pk)


@task()
def compare(board_pk: int, challenger: str, holder: str) -> None:
    """Compare one pair that somebody asked for."""
    compute_comparison(board_pk, challenger=challenger, holder=holder)
