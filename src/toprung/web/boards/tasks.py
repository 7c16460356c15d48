"""What happens to a board in the background? Each task may run twice and does its work once.

What draws and tests is imported by the tasks alone: who only enqueues them, such as the web server, starts faster.
"""

from __future__ import annotations

from django.db.models import F
from django.tasks import task

from toprung.web.boards.models import Board


@task()
def settle(board_pk: int) -> None:
    """Settle what is scored; then the board's pages need new results.

    They may be due since before: a worker that was ended after it settled had no time to ask for them.
    """
    from toprung.web.boards.settling import settle_board

    if _lacks_labels(board_pk):
        return
    settle_board(board_pk)
    if Board.objects.filter(pk=board_pk, results_done__lt=F("results_due")).exists():
        refresh.enqueue(board_pk)


@task()
def refresh(board_pk: int) -> None:
    """Compute what the pages show, unless a later task has done so already."""
    from toprung.web.boards.results import compute_results

    if _lacks_labels(board_pk):
        return
    compute_results(board_pk)
    examine.enqueue(board_pk)


@task(priority=-10)
def examine(board_pk: int) -> None:
    """Compute what organisers see of the board's validity, once nothing else waits: it takes longest."""
    from toprung.web.boards.validity import compute_validity

    if not _lacks_labels(board_pk):
        compute_validity(board_pk)


@task()
def compare(board_pk: int, challenger: str, holder: str) -> None:
    """Compare one pair that somebody asked for."""
    from toprung.web.boards.results import compute_comparison

    if not _lacks_labels(board_pk):
        compute_comparison(board_pk, challenger=challenger, holder=holder)


@task(priority=-5)
def rescore(labels_pk: int, first: int, last: int) -> None:
    """Score a slice of the runs on a version that is being prepared; new submissions go before."""
    from toprung.web.boards.versions.rescoring import score_slice

    if score_slice(labels_pk, first, last):
        adopt.enqueue(labels_pk)


@task()
def adopt(labels_pk: int) -> None:
    """Make a version of the labels current once all runs are scored on it."""
    from toprung.web.boards.versions.adopting import adopt_version

    adopt_version(labels_pk)


def _lacks_labels(board_pk: int) -> bool:
    """Then what was computed elsewhere stays as it is; with the labels, what is due is asked for again."""
    return Board.objects.get(pk=board_pk).lacks_labels
