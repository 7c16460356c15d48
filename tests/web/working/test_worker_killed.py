"""The worker is killed in the middle of its work, time and again: another takes over, nothing is lost or done twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.dying_worker import MOMENTS
from tests.web.real_board import RealBoard, kill, wait_until

pytestmark = pytest.mark.postgres


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "data")
    yield board
    board.stop()


def test_what_a_killed_worker_leaves_another_takes_up_and_records_once(board: RealBoard, tmp_path: Path) -> None:
    """Three workers die by ``kill -9``: while a run is scored, while its score and while its claim is recorded."""
    stage = board.call("one_queued_run")
    run = f"submission_id = {stage['pk']}"
    for number, moment in enumerate(MOMENTS):
        marker = tmp_path / f"reached-{number}"
        worker = board.start("-m", "tests.web.dying_worker", moment, str(marker))
        wait_until(marker.exists, moment)
        assert worker.poll() is None
        assert board.ask("SELECT count(*) FROM web_claim") == [(0,)], "nothing is half there"
        kill(worker)

    board.start("-m", "tests.web.dying_worker")
    wait_until(lambda: _state(board, stage["pk"]) == "done", "the run to be done")

    assert board.call("scores") == [0.25, 1.0]
    assert board.ask(f"SELECT count(*) FROM web_firstrankcolumn WHERE {run}") == [(2,)], "one for each label set"
    assert board.ask(f"SELECT count(*) FROM web_scorecolumn WHERE {run}") == [(2,)]
    assert board.ask("SELECT number, passed FROM web_claim") == [(1, 1)]
    assert board.ask("SELECT claims_tested FROM web_board WHERE slug = 'web-docs'") == [(1,)]
    assert board.ask("SELECT count(*) FROM web_charge") == [(2,)]
    assert board.ask("SELECT count(*) FROM web_auditentry WHERE what LIKE 'R2 scores above R1%'") == [(1,)]
    assert board.call("is_chain_whole")


def _state(board: RealBoard, pk: int) -> str:
    ((state,),) = board.ask(f"SELECT state FROM web_submission WHERE id = {pk}")
    return str(state)
