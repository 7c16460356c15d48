"""Is an answer ever lost or kept twice? Two assessors work at once, and their processes are killed on the way."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.labels.sqlite_store import SqliteStore
from tests.labels.tasks.test_dealing import start

from toprung.labels.effort.effort import Effort
from toprung.labels.effort.store import RecordStore
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.votes.outcomes import resolve_pairs

ROOT = Path(__file__).resolve().parents[3]
N_PAIRS = 40


def sit_down(store: RecordStore, name: str) -> subprocess.Popen[str]:
    assert isinstance(store, Effort | SqliteStore)
    place = ("folder", store.folder) if isinstance(store, Effort) else ("database", store.path)
    command = [sys.executable, "-m", "tests.labels.desk_worker", *map(str, place), name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def kill_after(worker: subprocess.Popen[str], n_answers: int) -> list[str]:
    """The answers that it was told are kept; fewer if the other did all the work meanwhile."""
    assert worker.stdout is not None
    told = [worker.stdout.readline() for _ in range(n_answers)]
    worker.kill()
    told += worker.communicate()[0].splitlines()
    assert worker.returncode in (0, -signal.SIGKILL)
    return [line for line in told if line]


def test_of_killed_assessors_no_answer_is_lost_or_kept_twice(open_store: Callable[[], RecordStore]) -> None:
    store = open_store()
    start(store, [2] * N_PAIRS, per_task=4, golds=0)
    workers = [sit_down(store, name) for name in ("ann", "bob")]
    told = [line for worker, n in zip(workers, (3, 6), strict=True) for line in kill_after(worker, n)]
    for name in ("ann", "bob"):  # ann takes up her task; bob finds what is left, if anything
        output, _ = sit_down(store, name).communicate(timeout=300)
        told += output.splitlines()
    kept = Counter(each["judgment_id"] for each in store.read("judgments"))
    assert {line.strip() for line in told} <= kept.keys()
    assert set(kept.values()) == {1}
    rows = store.read_judgments()
    assert set(Counter((each.assessor, each.pair) for each in rows.current).values()) == {1}
    assert [(each.winner, each.n) for each in resolve_pairs(rows).values()] == [("d0", 1)] * N_PAIRS
    assert {each.stage for each in Sitting(store).assignments} == {AssignmentStage.ACCEPTED}
