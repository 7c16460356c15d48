"""May a run have this name? Not that of another run that one sees; and nothing tells the names that one does not see.

To refuse the name of an anonymous run would confirm a guess at it. So a name that nobody sees is not kept free: who
takes it is not told that it was taken, and the anonymous run adds its label to its own. Names stay unique that way.
"""

from __future__ import annotations

from itertools import count

from django.db.models import QuerySet

from toprung.web.core.access.namer import Namer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.audit import record

LONGEST_NAME = 80


def is_seen(board: Board, name: str, *, by: User, of: Submission | None = None) -> bool:
    """Whether a run has the name, in whichever case it is written, and this person sees that; but for ``of`` itself."""
    return _others(board, name, of).filter(Namer.of(board, by).named()).exists()


def make_room(board: Board, name: str, *, by: User, of: Submission | None = None) -> None:
    """Where a run of this name is anonymous to the person, it adds its label. Call it while the board is locked."""
    for each in _others(board, name, of).exclude(Namer.of(board, by).named()):
        each.name = _with_label(each)
        each.save(update_fields=["name"])
        record(board, by, f"Named {each.run_id} anew: another run took the name", run=each.run_id)


def _others(board: Board, name: str, of: Submission | None) -> QuerySet[Submission]:
    others = board.submissions.filter(name__iexact=name)
    return others if of is None else others.exclude(pk=of.pk)


def _with_label(submission: Submission) -> str:
    """The label is nobody else's; a name that ends in it may be, so it is numbered until none is."""
    endings = (f" {submission.run_id}" if number == 1 else f" {submission.run_id}-{number}" for number in count(1))
    names = (submission.name[: LONGEST_NAME - len(ending)] + ending for ending in endings)
    return next(name for name in names if not submission.board.submissions.filter(name__iexact=name).exists())
