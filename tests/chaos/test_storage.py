"""The store of the files goes and comes back under load: what was acknowledged is there, and is done once it is back.

Files lie in a bucket of a server on this machine. Some seconds in `make test`, ``CHAOS_MINUTES`` in `make chaos`.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.chaos.counts import Counts, count_waiting
from tests.chaos.load import Senders, Submitters
from tests.chaos.site import Site
from tests.chaos.test_kills import A_WHOLE_QUEUE, FILES, MINUTES, STAGES, draw_seed
from tests.web.buckets import Bucket, a_bucket
from tests.web.real_board import RealBoard, wait_until

SECONDS = MINUTES * 60 or 4.0
FEWEST_TIMES = 2
CHECKED = ("accepted", "refused", "forgotten")
"""A board keeps the latest five accepted files of a team that it did not submit, and forgets those before them."""


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with a_bucket() as bucket:
        yield bucket


@pytest.fixture
def site(tmp_path: Path, bucket: Bucket) -> Iterator[Site]:
    board = RealBoard(tmp_path / "data")
    board.environment |= bucket.variables
    site = Site(board=board)
    yield site
    site.stop()
    board.stop()


def test_what_was_acknowledged_is_there_and_done_however_often_the_store_is_away(site: Site, bucket: Bucket) -> None:
    seed = draw_seed()
    rng, board = random.Random(seed), site.board
    *submit, send = board.call("submitters", of=STAGES, teams=2, files=FILES, senders=1)
    site.start()
    people, senders = Submitters(site.port, submit), Senders(site.port, [send])
    wait_until(lambda: bool(people.acknowledged and senders.taken), "the first submission and the first file")
    n_away = take_away_for(bucket, SECONDS, rng)
    senders.end()
    people.end()
    wait_until(lambda: is_done(board), f"the queue to be empty (seed {seed})", patience=A_WHOLE_QUEUE)
    counts, files = Counts.of(board, people.acknowledged), dict(board.ask("SELECT id, state FROM web_upload"))
    print(f"seed {seed}: away {n_away} times, {len(senders.taken)} files taken, {Counter(senders.faults)}, {counts}")
    assert (people.refused, senders.refused) == ([], [])
    assert counts.acknowledged
    assert counts.is_well, f"seed {seed}: {counts}"
    assert [number for number in senders.taken if files.get(number) not in CHECKED] == []
    assert board.call("missing_files", of=STAGES) == []
    assert board.call("is_chain_whole")


def take_away_for(bucket: Bucket, seconds: float, rng: random.Random) -> int:
    """Again and again; it is there at the end. How often it went."""
    end, n = time.monotonic() + seconds, 0
    while n < FEWEST_TIMES or time.monotonic() < end:
        time.sleep(rng.uniform(0.2, 1.5))
        bucket.stop()
        time.sleep(rng.uniform(0.2, 1.5))
        bucket.start()
        n += 1
    return n


def is_done(board: RealBoard) -> bool:
    """Nothing waits; what failed while the store was away is tried again, as housekeeping does it."""
    ((n_unchecked,),) = board.ask("SELECT count(*) FROM web_upload WHERE state IN ('waiting', 'checking')")
    if not (n_unchecked or count_waiting(board)):
        return True
    if board.ask("SELECT 1 FROM django_ox_oxtask WHERE status = 'FAILED' LIMIT 1"):
        board.call("try_failed_again", of=STAGES)
    return False
