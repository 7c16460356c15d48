"""Web server, workers and PostgreSQL are killed at random under load, lines to it are cut, and the clock is set back
and forth, while labels are published too.

Some seconds in `make test`; for as many minutes as ``CHAOS_MINUTES`` says in `make chaos`, which prints its
figures.
"""

from __future__ import annotations

import itertools
import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from scripts.with_postgres import Server, find_programs, running_server
from tests.chaos.clock import set_clock
from tests.chaos.counts import Counts, count_waiting
from tests.chaos.load import Submitters
from tests.chaos.site import Site
from tests.web.own_database import SERVER
from tests.web.real_board import RealBoard, wait_until

pytestmark = pytest.mark.postgres

MINUTES = float(os.environ.get("CHAOS_MINUTES", "0"))
SECONDS = MINUTES * 60 or 6.0
FILES = 4 if not MINUTES else int(40 * MINUTES)
STAGES = "tests.chaos.stages"
FEWEST_KILLS = 2
"""Before and after labels are published, however slow the machine is."""
ON_CI = 2021
A_WHOLE_QUEUE = 900.0 if MINUTES else 240.0
"""Seconds that workers may take for what is left, on a busy machine; what was killed five times waits minutes."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with own_server() as server:
        board = RealBoard(tmp_path / "data", "" if server is None else server.url)
        site = Site(board=board, server=server)
        yield site
        site.stop()
        board.stop()


@contextmanager
def own_server() -> Iterator[Server | None]:
    """A PostgreSQL that keeps what it acknowledged, whatever is done to it; None where tests run on SQLite."""
    programs = find_programs() if SERVER else None
    if programs is None:
        yield None
        return
    with running_server(programs, is_lasting=True) as server:
        yield server


def test_what_was_acknowledged_is_there_once_whatever_is_killed(site: Site) -> None:
    seed = draw_seed()
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
    assert site.board.call("is_chain_whole")


def draw_seed() -> int:
    """As told; else on CI always the same, as the order of tests is, and elsewhere anew. It is printed at once."""
    anew = ON_CI if os.environ.get("CI") else random.SystemRandom().randrange(1, 1 << 32)
    seed = int(os.environ.get("CHAOS_SEED", "0")) or anew
    print(f"CHAOS_SEED={seed}", flush=True)
    return seed


def kill_for(site: Site, seconds: float, rng: random.Random) -> None:
    """One part after another; in the middle the database once in any case, and labels are published."""
    end, middle = time.monotonic() + seconds, time.monotonic() + seconds / 2
    for half in (middle, end):
        for number in itertools.count():
            if number >= FEWEST_KILLS and time.monotonic() > half:
                break
            time.sleep(rng.uniform(0.2, 1.5))
            site.kill(rng)
        if half == middle:
            site.kill_database(rng)
            site.board.call("new_labels", of=STAGES)


def being_prepared(board: RealBoard) -> int:
    ((n,),) = board.ask("SELECT count(*) FROM web_labelset WHERE current_since IS NULL AND given_up_at IS NULL")
    return int(n)
