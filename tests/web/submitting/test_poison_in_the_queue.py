"""Files that kill wait in the queue: workers, real ones, refuse them one by one, and go on with the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.real_board import RealBoard, kill, wait_until

pytestmark = pytest.mark.postgres


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "data")
    yield board
    board.stop()


def states(board: RealBoard) -> list[str]:
    return [str(state) for (state,) in board.ask("SELECT state FROM web_upload ORDER BY id")]


def test_a_worker_outlives_the_files_that_killed_it_and_does_what_waits_behind(board: RealBoard) -> None:
    """As it was done to us: the same file three times, by one participant, and a good one of another after them."""
    board.call("poison_and_a_good_file")
    worker = board.start("-m", "tests.web.dying_worker")
    wait_until(lambda: states(board) == ["refused"] * 3 + ["accepted"], "all files to be checked")
    assert worker.poll() is None, "the same process all along"


def test_a_worker_that_is_killed_over_a_file_twice_leaves_it_refused_to_the_third(
    board: RealBoard, tmp_path: Path
) -> None:
    """Restarted on the queue that killed it, it does not die a third time."""
    board.call("one_queued_file")
    for number in range(2):
        marker = tmp_path / f"reached-{number}"
        worker = board.start("-m", "tests.web.dying_worker", "while a file is checked", str(marker))
        wait_until(marker.exists, "the check to begin")
        kill(worker)
    board.start("-m", "tests.web.dying_worker")
    wait_until(lambda: states(board) == ["refused"], "the file to be refused")
    assert board.ask("SELECT count(*) FROM web_auditentry WHERE what LIKE 'Refused a file of Kestrel Lab%'") == [(1,)]
