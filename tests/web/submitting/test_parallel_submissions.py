"""Fifty submissions of one team at once, with two left: exactly two are charged, whoever comes first."""

from __future__ import annotations

import http.client
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from tests.web.real_board import PATIENCE, RealBoard
from tests.web.stages import CSRF_TOKEN

pytestmark = pytest.mark.postgres


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "data")
    yield board
    board.stop()


def test_fifty_parallel_submissions_with_two_left_charge_exactly_two(board: RealBoard) -> None:
    """Over HTTP, to two server processes of eight threads, on one database file."""
    stage = board.call("fifty_files")
    port = board.serve()
    answers: list[tuple[int, str]] = []
    at_once = threading.Barrier(len(stage["uploads"]))

    def submit(upload: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        fields = {"upload": upload, "name": f"run {upload}", "description": "New.", "csrfmiddlewaretoken": CSRF_TOKEN}
        headers = {"Cookie": stage["cookies"], "Content-Type": "application/x-www-form-urlencoded"}
        at_once.wait(PATIENCE)
        connection.request("POST", "/b/web-docs/submit/", urlencode(fields), headers)
        response = connection.getresponse()
        answers.append((response.status, response.read().decode()))
        connection.close()

    threads = [threading.Thread(target=submit, args=[upload]) for upload in stage["uploads"]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)

    assert Counter(status for status, _ in answers) == {302: 2, 422: 48}
    assert all("Found no submission left: 2 in any 30 days" in page for status, page in answers if status == 422)
    assert board.ask("SELECT count(*) FROM web_charge") == [(2,)]
    assert board.ask("SELECT number, run_id, state FROM web_submission ORDER BY number") == [
        (1, "R1", "queued"),
        (2, "R2", "queued"),
    ]
    n_queued = "SELECT count(*) FROM django_ox_oxtask WHERE task_path LIKE '%.score'"
    assert board.ask(n_queued) == [(1,)], "the second is queued once the first is scored"
    assert board.ask("SELECT what FROM web_auditentry ORDER BY number") == [("Submitted R1",), ("Submitted R2",)]
