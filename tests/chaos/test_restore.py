"""A backup made while parts are killed under load comes back elsewhere: all that was acknowledged before it, once.

Only in `make chaos`; `tests/web/backups/test_backing_up.py` does the same in `make test`, but for the kills.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.chaos.clock import set_clock
from tests.chaos.counts import Counts, count_waiting
from tests.chaos.load import Submitters
from tests.chaos.site import Site
from tests.chaos.test_kills import A_WHOLE_QUEUE, FILES, MINUTES, STAGES, draw_seed
from tests.chaos.test_kills import site as site  # noqa: PLC0414 - the fixture
from tests.web.backups.test_backing_up import succeed
from tests.web.real_board import RealBoard, wait_until

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(not MINUTES, reason="Only in make chaos; its short form: tests/web/backups/test_backing_up.py"),
]
TIMES = 3


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "elsewhere", is_empty=True)
    yield board
    board.stop()


def test_a_backup_made_while_parts_are_killed_has_all_that_was_acknowledged(
    site: Site, elsewhere: RealBoard, tmp_path: Path
) -> None:
    seed, files = draw_seed(), [tmp_path / f"{number}.tar" for number in range(TIMES)]
    rng, board = random.Random(seed), site.board
    teams = board.call("submitters", of=STAGES, files=FILES)
    site.start()
    people, is_over = Submitters(site.port, teams), threading.Event()
    killer = threading.Thread(target=kill_until, args=(site, is_over, rng))
    killer.start()
    for number, file in enumerate(files, start=1):
        wait_until(lambda n=3 * number: len(people.acknowledged) >= n, "submissions before the backup")
        before = list(people.acknowledged)
        succeed(board, "backup", file)
    is_over.set()
    killer.join()
    people.end()
    set_clock(site.clock, 0.0)
    succeed(elsewhere, "restore", files[-1])
    succeed(elsewhere, "migrate")
    elsewhere.start("-m", "tests.web.dying_worker")
    wait_until(lambda: count_waiting(elsewhere) == 0, f"the queue to be empty (seed {seed})", patience=A_WHOLE_QUEUE)
    counts = Counts.of(elsewhere, before)
    print(f"seed {seed}: killed {site.killed}, {len(people.acknowledged)} acknowledged in all, restored {counts}")
    assert counts.is_well, f"seed {seed}: {counts}"
    assert counts.stored <= len(people.acknowledged)
    assert elsewhere.call("is_chain_whole")


def kill_until(site: Site, is_over: threading.Event, rng: random.Random) -> None:
    """Web server, workers and the clock; the database is there, for a backup of one that is away is refused."""
    while not is_over.wait(rng.uniform(0.2, 1.5)):
        site.kill(rng, spares_database=True)
