"""Two boards to look at, with results as tasks compute them; computed once for all tests, since that takes seconds.

Both have the same runs on the 40 official queries of the cast. Ranks of the relevant document, by hand:

====  ============  ===========  =======================================  ========  =========
run   name          team         ranks                                    RR        in short
====  ============  ===========  =======================================  ========  =========
B1    bm25          organisers   5 on all                                 0.2       baseline
R1    kestrel-xl    Kestrel Lab  3 on all                                 1/3       took the rung from B1
R2    list-13b      Norrland IR  2 on 20, 3 on 20                         5/12      took it from R1, holds it
R3    (anonymous)   Norrland IR  1 on 1, 2 on 19, 3 on 20                 103/240   claim not passed
R4    (a script)    Kestrel Lab  4 on 30, not found on 10                 0.1875    no claim
====  ============  ===========  =======================================  ========  =========

R3 and R2 differ on one query of 40, whose sign may as well have been the other: p = 1.
The board ``web-docs`` shows scores rounded to three digits; ``ladder`` only where they rise by 0.05, so R3 and R4 show
none there.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from django.db import transaction
from django.db.models import Model
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker
from tests.web.cast import OFFICIAL, Cast, make_board, make_cast, make_upload

from toprung.web.core.models.boards import Board, BoardRole
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.people import Membership, Team, User
from toprung.web.core.models.results import Standing, StoredResult
from toprung.web.core.models.runs import FirstRankColumn, RunState, ScoreColumn, Submission, Upload
from toprung.web.core.store.columns import pack
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.results.compute import compute_results

SECRET_NAME, SECRET_TEAM = "list-13b-long", "Norrland IR"
SCRIPT = "<script>alert(1)</script>"
TAG = '"><img src=x onerror=alert(1)>'
EMBARGO = timedelta(days=200)
RANKS = {
    "B1": [5] * 40,
    "R1": [3] * 40,
    "R2": [2] * 20 + [3] * 20,
    "R3": [1] + [2] * 19 + [3] * 20,
    "R4": [4] * 30 + [0] * 10,
}
KEPT = (User, Team, Membership, Board, BoardRole, LabelSet, Upload, Submission, Claim, StoredResult, Standing)
KEPT_COLUMNS = (FirstRankColumn, ScoreColumn)


@dataclass(frozen=True, kw_only=True)
class Viewed:
    """The cast before its boards."""

    cast: Cast
    ladder: Board

    @property
    def board(self) -> Board:
        return self.cast.board

    def people(self) -> dict[str, User | None]:
        """Everybody but the organisers of this board; None has no account."""
        cast = self.cast
        return {
            "anonymous": None,
            "participant": cast.participant,
            "mate": cast.mate,
            "assessor": cast.assessor,
            "other organiser": cast.other_organiser,
        }


def browse(user: User | None) -> Client:
    """A browser in which this person is signed in."""
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


def make_viewed() -> Viewed:
    cast = make_cast()
    ladder = make_board("ladder", cast.organiser, release="ladder:0.05")
    for board in (cast.board, ladder):
        _submit_all(board, cast)
        settle_board(board.pk)
        compute_results(board.pk)
    return Viewed(cast=cast, ladder=ladder)


def _submit_all(board: Board, cast: Cast) -> None:
    until = timezone.now().date() + EMBARGO
    team, other = (cast.team, cast.participant), (cast.other_team, cast.stranger)
    add_run(board, "B1", "bm25", None, cast.organiser, on=date(2026, 2, 2))
    add_run(board, "R1", "kestrel-xl", *team, on=date(2026, 2, 10), tags=["generative"])
    add_run(board, "R2", "list-13b", *other, on=date(2026, 3, 1))
    add_run(board, "R3", SECRET_NAME, *other, on=date(2026, 3, 20), anonymous_until=until)
    add_run(board, "R4", SCRIPT, *team, on=date(2026, 4, 5), tags=[TAG])


def add_run(
    board: Board, label: str, name: str, team: Team | None, user: User, *, on: date, **fields: object
) -> Submission:
    """A run as it is once it is scored: its ranks are stored, and it waits to be settled."""
    labels = board.label_sets.get(use=LabelUse.OFFICIAL)
    ranks = np.array(RANKS[label], dtype=np.int32)
    scores = np.divide(1.0, ranks, out=np.zeros(len(OFFICIAL)), where=ranks > 0)
    submission = Submission.objects.create(
        board=board,
        number=board.submissions.count() + 1,
        run_id=label,
        name=name,
        team=team,
        user=user,
        upload=make_upload(board, team, user, b"not read in these tests"),
        is_baseline=team is None,
        state=RunState.SCORED,
        submitted_at=datetime(on.year, on.month, on.day, 12, tzinfo=UTC),
        score=float(scores.mean()),
        **fields,
    )
    FirstRankColumn.objects.create(submission=submission, label_set=labels, packed=pack(ranks))
    ScoreColumn.objects.create(
        submission=submission,
        label_set=labels,
        measure=board.official_measure,
        mean=submission.score or 0.0,
        packed=pack(scores),
    )
    return submission


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The rows of the database as they were, to be put back into each test's own transaction."""

    viewed: Viewed
    rows: list[tuple[type[Model], list[Model]]]

    def restore(self) -> Viewed:
        for model, rows in self.rows:
            model._default_manager.bulk_create([copy.copy(row) for row in rows])
        cast = self.viewed.cast
        board, ladder = (Board.objects.get(pk=each.pk) for each in (cast.board, self.viewed.ladder))
        return Viewed(cast=Cast(**(vars(cast) | {"board": board})), ladder=ladder)


@pytest.fixture(scope="session")
def viewed_snapshot(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Snapshot:
    with django_db_blocker.unblock(), transaction.atomic():
        viewed = make_viewed()
        rows = [(model, list(model._default_manager.all())) for model in (*KEPT, *KEPT_COLUMNS)]
        transaction.set_rollback(True)
    return Snapshot(viewed=viewed, rows=rows)


@pytest.fixture
def viewed(db: None, viewed_snapshot: Snapshot) -> Viewed:
    return viewed_snapshot.restore()
