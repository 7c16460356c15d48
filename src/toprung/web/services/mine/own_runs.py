"""What became of my runs? Every run and file of one's teams, on all boards, with what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Exists, OuterRef, Q, QuerySet

from toprung.web.core.access.boards import boards_for_viewer
from toprung.web.core.access.rights import Person, memberships_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission, Upload, UploadState

MOST_RUNS, MOST_FILES = 200, 50


class OwnState(StrEnum):
    """How it stands, in one word."""

    WAITS = "queued"
    SCORING = "scoring"
    SCORED = "scored"
    NOT_SHOWN = "not shown"
    WITHDRAWN = "withdrawn"
    OUR_FAULT = "our fault"
    CHECKING = "checking"
    CHECKED = "not submitted"
    DRY = "dry run"
    REFUSED = "refused"


RUNNING = (OwnState.WAITS, OwnState.SCORING, OwnState.CHECKING)


@dataclass(frozen=True, kw_only=True)
class Act:
    """What to do next, and where."""

    words: str
    path: str
    is_needed: bool = False


@dataclass(frozen=True, kw_only=True)
class OwnRun:
    """A run, or a file that did not become one."""

    name: str
    path: str
    """Of its page."""
    board: Board
    team: str
    at: datetime
    state: OwnState
    took: str
    """How long it has waited, or how long it took."""
    bold: str
    says: str
    """What came of it: what everyone may know, and what its team must do."""
    run_id: str = ""
    """Empty of a file that is no run."""
    score: str = ""
    rank: str = ""
    may_be_best: bool = False
    is_anonymous: bool = False
    act: Act | None = None

    @property
    def needs_you(self) -> bool:
        return self.act is not None and self.act.is_needed

    @property
    def is_running(self) -> bool:
        return self.state in RUNNING

    @property
    def outcome(self) -> str:
        return f"{self.bold} {self.says}".strip()


def own_submissions(person: Person) -> QuerySet[Submission]:
    """The latest first; on boards that the person may see."""
    teams = memberships_of(person).values("team")
    runs = Submission.objects.filter(team__in=teams, board__in=boards_for_viewer(person))
    return runs.select_related("board", "team").order_by("-submitted_at", "-pk")[:MOST_RUNS]


def own_files(person: Person) -> QuerySet[Upload]:
    """Files that are no run: refused, being checked, tried on dev queries, or accepted and not submitted.

    What was checked once and submitted from another sending, as terminals do after a dry run, is a run.
    """
    teams = memberships_of(person).values("team")
    files = Upload.objects.filter(team__in=teams, board__in=boards_for_viewer(person), before=None)
    files = files.exclude(state=UploadState.FORGOTTEN)
    is_submitted = Exists(Submission.objects.filter(upload=OuterRef("pk")))
    same = {"board": OuterRef("board"), "team": OuterRef("team"), "upload__digest": OuterRef("digest")}
    files = files.exclude(Q(Exists(Submission.objects.filter(**same))), state=UploadState.ACCEPTED)
    return files.filter(~is_submitted).select_related("board", "team").order_by("-sent_at", "-pk")[:MOST_FILES]


def latest_of_each(submissions: Sequence[Submission], files: Sequence[Upload]) -> Mapping[tuple[int, int], datetime]:
    """When each team last sent something to each board: what failed before that needs nobody any more."""
    latest: dict[tuple[int, int], datetime] = {}
    for board, team, at in _sent(submissions, files):
        if team is not None:
            latest[board, team] = max(at, latest.get((board, team), at))
    return latest


def _sent(submissions: Sequence[Submission], files: Sequence[Upload]) -> Iterator[tuple[int, int | None, datetime]]:
    for run in submissions:
        yield run.board_id, run.team_id, run.submitted_at
    for file in files:
        yield file.board_id, file.team_id, file.sent_at
