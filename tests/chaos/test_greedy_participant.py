"""One participant sends three files that are made to take long, and another sends an honest one behind them.

Each of the three holds 900,000 empty gzip parts in 18 MB. A check of one took 75 s before such files were refused, and
the honest file waited for all three. Run it by itself to see how long the honest file waits now:
``pytest -s tests/chaos/test_greedy_participant.py``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from tests.web.real_board import RealBoard, wait_until

pytestmark = pytest.mark.postgres

PARTS = 900_000


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "data")
    yield board
    board.stop()


def test_an_honest_file_waits_for_one_of_three_hostile_files_and_no_longer(board: RealBoard) -> None:
    uploads = board.call("greedy_and_honest_files", of="tests.chaos.stages", parts=PARTS)
    board.start("-m", "tests.web.dying_worker")
    wait_until(lambda: n_ended(board) == len(uploads), "all checks to end")
    done = dict(board.ask("SELECT id, state FROM web_upload"))
    assert {name: done[pk] for name, pk in uploads.items()} == {
        "hostile 0": "refused",
        "hostile 1": "refused",
        "hostile 2": "refused",
        "honest": "accepted",
    }
    (report,) = board.ask(f"SELECT report FROM web_upload WHERE id = {uploads['hostile 0']}")[0]
    findings = (json.loads(report) if isinstance(report, str) else report)["findings"]
    assert "packed parts that hold" in findings[0]["what"]
    assert order_of_checks(board) == [uploads[name] for name in ("hostile 0", "honest", "hostile 1", "hostile 2")]
    print(f"The honest file was checked {seconds_until(board, uploads['honest']):.1f} s after the first check began.")


CHECKS = "FROM django_ox_oxtask WHERE task_path LIKE '%.check'"


def n_ended(board: RealBoard) -> int:
    return len(board.ask(f"SELECT id {CHECKS} AND status = 'SUCCESSFUL'"))


def order_of_checks(board: RealBoard) -> list[int]:
    return [to_pk(args) for (args,) in board.ask(f"SELECT args {CHECKS} ORDER BY started_at")]


def seconds_until(board: RealBoard, pk: int) -> float:
    """From the beginning of the first check to the end of this one."""
    rows = board.ask(f"SELECT args, started_at, finished_at {CHECKS}")
    ends = {to_pk(args): datetime.fromisoformat(str(end)) for args, _, end in rows}
    return (ends[pk] - min(datetime.fromisoformat(str(start)) for _, start, _ in rows)).total_seconds()


def to_pk(args: object) -> int:
    (pk,) = json.loads(args) if isinstance(args, str) else args  # type: ignore[misc]  # a list, of PostgreSQL
    return int(pk)
