"""Web server, workers and lines to the database are killed at random under load, and the clock is set back and forth,
while labels are published too.

Some seconds in `make test`; for as many minutes as ``CHAOS_MINUTES`` says in `make chaos`, which prints its
figures.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.chaos.clock import set_clock
from tests.chaos.counts import Counts, count_waiting
from tests.chaos.load import Submitters
from tests.chaos.site import Site, has_own_database_server
from tests.web.real_board import RealBoard, wait_until

pytestmark = pytest.mark.postgres

MINUTES = float(os.environ.get("CHAOS_MINUTES", "0"))
SECONDS = MINUTES * 60 or 6.0
FILES = 4 if not MINUTES else int(40 * MINUTES)
STAGES = "tests.chaos.stages"
A_WHOLE_QUEUE = 240.0
"""Seconds that workers may take for what is left, on a busy machine."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    board = RealBoard(tmp_path / "data")
    site = Site(board=board)
    yield site
    site.stop()
    board.stop()


def test_what_was_acknowledged_is_there_once_whatever_is_killed(site: Site) -> None:
    seed = int(os.environ.get("CHAOS_SEED", "0")) or random.SystemRandom().randrange(1, 1 << 32)
    rng = random.Random(seed)
    teams = site.board.call("submitters", of=STAGES, files=FILES)
    site.start()
    people = Submitters(site.port, teams)
    kill_for(site, SECONDS, rng)
    people.end()
    set_clock(site.clock, 0.0)
    wait_until(lambda: count_waiting(site.board) == 0, f"the queue to be empty (seed {seed})", patience=A_WHOLE_QUEUE)
    wait_until(lambda: being_prepared(site.board) == 0, f"the labels (seed {seed})", patience=A_WHOLE_QUEUE)
    counts = Counts.of(site.board, people.acknowledged)
    print(f"seed {seed}: killed {site.killed}, faults {Counter(people.faults)}, {counts}")
    assert people.refused == []
    assert counts.acknowledged
    assert counts.is_well, f"seed {seed}: {counts}"
    assert sum(site.killed.values()) > 1
    assert site.board.call("is_chain_whole")


def kill_for(site: Site, seconds: float, rng: random.Random) -> None:
    """One part after another; labels are published once in the middle."""
    end, is_published = time.monotonic() + seconds, False
    while time.monotonic() < end:
        time.sleep(rng.uniform(0.2, 1.5))
        site.kill(rng, with_database=has_own_database_server())
        if not is_published and time.monotonic() > end - seconds / 2:
            site.board.call("new_labels", of=STAGES)
            is_published = True


def being_prepared(board: RealBoard) -> int:
    ((n,),) = board.ask("SELECT count(*) FROM web_labelset WHERE current_since IS NULL AND given_up_at IS NULL")
    return int(n)
