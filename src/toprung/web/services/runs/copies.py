"""Is this file a copy of a run on the board, of whichever team? A copy cannot be a new entry where labels are hidden.

Who sends it is told only that; whose run it is the organisers find in the audit log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from django.db.models import Q, QuerySet

from toprung.boards.similarity import DEPTH
from toprung.data.run import Run
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import RunState, Submission, Upload
from toprung.web.core.store.audit import WORKER, record
from toprung.web.services.runs.findings import WHOLE_FILE, FileFinding
from toprung.web.services.runs.near_duplicates import MOST_COMPARED, Comparison, compare_with_earlier

IS_A_COPY = "Found a copy, or nearly one, of a run that is on this board; expected another: a copy is no new entry."


def ranking_digest(run: Run) -> str:
    """Of the queries and their first documents in order: names, scores and formats do not make another run."""
    rows = run.top(DEPTH).to_frame().select("query_id", "doc_id").sort("query_id", maintain_order=True)
    text = "\n".join(f"{query_id}\t{doc_id}" for query_id, doc_id in rows.iter_rows())
    return hashlib.sha256(text.encode()).hexdigest()


def find_copies(upload: Upload, run: Run, digest: str) -> Iterator[FileFinding]:
    """Among the runs of other teams; the organisers see which, the sender does not."""
    found = _exact(upload.board, upload.team, digest) or _near(upload, run)
    if found is None or upload.team is None:
        return
    team = "the organisers" if found.team is None else found.team.name
    says = f"A file of {upload.team.name} is a copy, or nearly one, of {found.run_id} of {team}"
    record(upload.board, WORKER, says, file=upload.digest, run=found.run_id)
    yield FileFinding(severity="error" if refuses_copies(upload.board) else "warning", where=WHOLE_FILE, what=IS_A_COPY)


def refuses_copies(board: Board) -> bool:
    return board.label_sets.filter(use=LabelUse.OFFICIAL, is_current=True, is_hidden=True).exists()


def is_copy_by_now(board: Board, upload: Upload) -> bool:
    """Whether another team submitted the same ranking since the file was checked."""
    digest = upload.report.get("ranking", "")
    return bool(digest) and refuses_copies(board) and _exact(board, upload.team, digest) is not None


def _exact(board: Board, team: Team | None, digest: str) -> Submission | None:
    return _of_others(board, team).filter(upload__report__ranking=digest).first()


def _near(upload: Upload, run: Run) -> Submission | None:
    """Of the latest runs of other teams: each is read and compared query by query."""
    if not refuses_copies(upload.board):
        return None
    others = list(_of_others(upload.board, upload.team).exclude(team=None).order_by("-number")[:MOST_COMPARED])
    close: list[Comparison] = [each for each in compare_with_earlier(run, others) if each.is_close]
    by_label = {each.run_id: each for each in others}
    return by_label[close[0].label] if close else None


def _of_others(board: Board, team: Team | None) -> QuerySet[Submission]:
    runs = board.submissions.exclude(state=RunState.FAILED).select_related("upload", "team")
    return runs if team is None else runs.filter(~Q(team=team) | Q(team=None))
