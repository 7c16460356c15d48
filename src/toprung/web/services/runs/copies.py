"""Is this file a copy of a run on the board, of whichever team? A copy cannot be a new entry where labels are hidden.

Who sends it is told only that; whose run it is the organisers find in the audit log.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import RunState, Submission, Upload
from toprung.web.core.store.audit import WORKER, record
from toprung.web.core.store.rules import small_changes
from toprung.web.services.runs.checking import Checked
from toprung.web.services.runs.earlier import MOST_COMPARED
from toprung.web.services.runs.findings import WHOLE_FILE, FileFinding
from toprung.web.services.runs.sketch import Sketch, choose_queries, likeness

MOST_ALIKE = 10
"""Runs that a file is compared with, however old, the most alike by their sketches."""
IS_A_COPY = "Found a copy, or nearly one, of a run that is on this board; expected another: a copy is no new entry."


def find_copied(upload: Upload, checked: Checked) -> Submission | None:
    """The run of another team that the file is a copy of, exactly or nearly."""
    if upload.team is None:
        return None
    exact = _exact(upload.board, upload.team, checked.report.ranking)
    return exact or _of_others(upload.board, upload.team).filter(run_id=checked.near_copy_of).first()


def say_copy(board: Board) -> FileFinding:
    """For its sender, who is not told whose run it is."""
    return FileFinding(severity="error" if refuses_copies(board) else "warning", where=WHOLE_FILE, what=IS_A_COPY)


def put_on_record(board: Board, upload: Upload, copied: Submission) -> None:
    """For the organisers, who see whose; call it while the board is held."""
    team = "the organisers" if copied.team is None else copied.team.name
    says = f"A file of {upload.team} is a copy, or nearly one, of {copied.run_id} of {team}"
    record(board, WORKER, says, file=upload.digest, run=copied.run_id)


def runs_of_others(board: Board, team: Team | None) -> list[Submission]:
    """The latest of other teams, which a file is compared with query by query where copies are refused."""
    if team is None or not refuses_copies(board):
        return []
    return list(_of_others(board, team).exclude(team=None).order_by("-number")[:MOST_COMPARED])


def sketched_queries(board: Board, query_ids: Iterable[str]) -> frozenset[str]:
    """Chosen by a secret of the server, so that nobody can leave these different and copy the rest."""
    return choose_queries(query_ids, salted_hmac("toprung.sketch", board.slug, algorithm="sha256").digest())


def alike_of_others(board: Board, team: Team | None, sketch: Sketch, *, after: int = 0) -> list[Submission]:
    """Of all runs of other teams those that may be nearly the same, the most alike first."""
    if team is None or not sketch or not refuses_copies(board):
        return []
    runs, rule = _of_others(board, team).exclude(team=None).filter(number__gt=after), small_changes()
    sketches = runs.order_by("pk").values_list("pk", "upload__report__sketch")
    found = {pk: likeness(sketch, each or {}, rule) for pk, each in sketches.iterator()}
    most = sorted((pk for pk in found if found[pk]), key=lambda pk: (-found[pk], -pk))[:MOST_ALIKE]
    known = runs.in_bulk(most)
    return [known[pk] for pk in most if pk in known]


def refuses_copies(board: Board) -> bool:
    return board.label_sets.filter(use=LabelUse.OFFICIAL, is_current=True, is_hidden=True).exists()


def is_copy_by_now(board: Board, upload: Upload) -> bool:
    """Whether another team submitted the same ranking since the file was checked."""
    digest = upload.report.get("ranking", "")
    return bool(digest) and refuses_copies(board) and _exact(board, upload.team, digest) is not None


def _exact(board: Board, team: Team | None, digest: str) -> Submission | None:
    return _of_others(board, team).filter(upload__report__ranking=digest).first() if digest else None


def _of_others(board: Board, team: Team | None) -> QuerySet[Submission]:
    runs = board.submissions.exclude(state=RunState.FAILED).select_related("upload", "team")
    return runs if team is None else runs.filter(~Q(team=team) | Q(team=None))
