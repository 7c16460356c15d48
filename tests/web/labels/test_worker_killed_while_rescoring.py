"""Workers are killed while they prepare a version of the labels: it only takes longer, and pages never show half of it.

The scores are those of the table in ``tests.web.versions``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from tests.web.dying_worker import OF_A_VERSION
from tests.web.real_board import RealBoard, kill, wait_until

pytestmark = pytest.mark.postgres

BEFORE = [0.25, 1.0, 0.5, 0.2, 0.25]
AFTER = [0.625, 0.5, 0.75, 0.6, 0.625]
SHOWN_VERSION = "SELECT shown_version FROM web_board WHERE slug = 'web-docs'"
OF_NEW_LABELS = "label_set_id = (SELECT id FROM web_labelset WHERE version = 2)"


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "data")
    yield board
    board.stop()


def test_a_version_that_killed_workers_left_becomes_current_once(board: RealBoard, tmp_path: Path) -> None:
    """Three workers die by ``kill -9``; then two share the rest, and whoever looks meanwhile sees old or new, whole."""
    slug = board.call("labels_to_prepare")
    port = board.serve()
    wait_until(lambda: _page(port, slug) is not None, "the page")
    for number, moment in enumerate(OF_A_VERSION):
        marker = tmp_path / f"reached-{number}"
        worker = board.start("-m", "tests.web.dying_worker", moment, str(marker))
        wait_until(marker.exists, moment)
        assert worker.poll() is None
        assert board.ask(SHOWN_VERSION) == [(1,)]
        kill(worker)
        assert board.call("scores") == BEFORE
        assert _page(port, slug) == sorted(BEFORE)

    seen: list[list[float]] = []

    def is_current() -> bool:
        if (page := _page(port, slug)) is not None and page not in seen:
            seen.append(page)
        return board.ask(SHOWN_VERSION) == [(2,)]

    for _ in range(2):
        board.start("-m", "tests.web.dying_worker")
    wait_until(is_current, "the labels to be current")

    assert board.call("scores") == pytest.approx(AFTER)
    assert seen in ([sorted(BEFORE)], [sorted(BEFORE), sorted(AFTER)])
    assert _page(port, slug) == sorted(AFTER)
    for table in ("web_firstrankcolumn", "web_scorecolumn"):
        columns = board.ask(f"SELECT count(*), count(DISTINCT submission_id) FROM {table} WHERE {OF_NEW_LABELS}")
        assert columns == [(5, 5)]
    assert board.ask("SELECT count(*) FROM web_auditentry WHERE what = 'Labels official v2 are current'") == [(1,)]
    assert board.call("is_chain_whole")


def _page(port: int, slug: str) -> list[float] | None:
    """The scores on the leaderboard as everyone sees it; None while the server starts."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/b/{slug}/export.json", timeout=300) as page:
            return sorted(row["score"] for row in json.load(page)["runs"])
    except URLError:
        return None
