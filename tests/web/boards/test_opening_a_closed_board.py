"""A board that is closed until a day shows no score before it and all of them after, once; results never go back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.web.probing import make_probed

from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import RunState
from toprung.web.services.claims.opening import open_closed_boards
from toprung.web.services.results.snapshot import store_unless_newer

pytestmark = pytest.mark.django_db
STEP = 0.2
"""Of 60 hidden queries nothing is shown finer than ten: a sixth, and the next round step is a fifth."""


@pytest.fixture
def board() -> Board:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date()
    return make_probed(f"closed:{tomorrow}", "this").board


def shown_scores(board: Board) -> list[float | None]:
    runs = board.submissions.filter(state=RunState.DONE).order_by("number")
    return list(runs.values_list("shown_score", flat=True))


def n_opened(board: Board) -> int:
    return AuditEntry.objects.filter(board=board, what__startswith="Opened").count()


def test_before_its_day_nothing_is_shown(board: Board) -> None:
    open_closed_boards()
    assert set(shown_scores(board)) == {None}
    assert n_opened(board) == 0


def test_from_its_day_on_every_score_is_shown_and_that_is_done_once(board: Board) -> None:
    Board.objects.filter(pk=board.pk).update(release="closed:2020-01-01")
    due = Board.objects.get(pk=board.pk).results_due
    open_closed_boards()
    open_closed_boards()
    runs = board.submissions.filter(state=RunState.DONE).order_by("number")
    shown = zip(runs.values_list("score", flat=True), shown_scores(board), strict=True)
    assert all(told is not None and abs(told - score) <= STEP / 2 for score, told in shown)
    assert Board.objects.get(pk=board.pk).results_due == due + 1
    assert n_opened(board) == 1


def test_an_older_result_is_not_stored_over_a_newer(board: Board) -> None:
    for generation, content in ((7, "newer"), (6, "older"), (7, "as new")):
        store_unless_newer(board, "validity", Audience.ORGANISERS, {"said": content}, generation=generation)
    kept = board.results.get(kind="validity", audience=Audience.ORGANISERS)
    assert (kept.generation, kept.content) == (7, {"said": "as new"})
