"""A board of many stored runs, a new version of its labels, and workers: how many runs a second do they score?

Everything a worker does is in it: it takes tasks from the queue, reads files, scores, packs, writes to the database.
Its start is not, for the clock runs from the first runs recorded to the last. What pages show of the new labels is
computed then, and they change all at once: how long that takes is told apart.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from toprung.web.core.models.boards import Board
    from toprung.web.core.models.labels import LabelSet
    from toprung.web.core.models.people import Team, User

PAUSE = 0.05
LONGEST_WAIT = 1800


@dataclass(frozen=True, kw_only=True)
class Moment:
    """How many runs were recorded when, and what the worker had spent by then."""

    n_runs: int
    wall_seconds: float
    cpu_seconds: float


def rescore_board(
    qrels: Path, runs: Sequence[Path], n_runs: int, measures: Sequence[str], *, n_workers: int = 1
) -> str:
    """One line on what it took."""
    with tempfile.TemporaryDirectory(prefix="toprung-bench-") as folder:
        from toprung.web.ops.start import set_up

        set_up(Path(folder))
        board, organiser, team = _make_board(qrels, measures)
        _make_runs(board, organiser, team, runs, n_runs)
        labels = _publish(board, organiser, qrels)
        with _workers(Path(folder), n_workers) as worker:
            first = _wait_for(labels, worker, 1)
            last = _wait_for(labels, worker, n_runs)
            shown = _wait_until_shown(labels, worker)
    scored = last.n_runs - first.n_runs
    wall, cpu = last.wall_seconds - first.wall_seconds, last.cpu_seconds - first.cpu_seconds
    return (
        f"- a board of {n_runs:,} runs ({len(runs)} files, each used several times), {len(measures)} measures, "
        f"{n_workers} worker{'s' * (n_workers > 1)}, {_say_database()}: {scored / wall:.1f} runs a second; "
        f"{1000 * cpu / scored:.1f} ms CPU a run, {scored / cpu:.1f} runs a CPU second; "
        f"from the last of them until pages show the new labels "
        f"{shown.wall_seconds - last.wall_seconds:.1f} s, {shown.cpu_seconds - last.cpu_seconds:.1f} s CPU"
    )


def _make_board(qrels: Path, measures: Sequence[str]) -> tuple[Board, User, Team]:
    from toprung.web.core.models.labels import LabelUse
    from toprung.web.core.models.people import User
    from toprung.web.core.store.plan import BoardPlan
    from toprung.web.services.boards.create import create_board
    from toprung.web.services.labels.read import LabelPlan
    from toprung.web.services.people.teams import found_team

    organiser = User.objects.create_user("organiser@example.org", None, may_create_boards=True)
    official = LabelPlan(key="official", use=LabelUse.OFFICIAL, path=qrels, file_name=qrels.name)
    plan = BoardPlan(
        slug="rescored",
        title="Re-scored",
        task="Be found.",
        release="rounded:3",
        official_measure=measures[0],
        other_measures=tuple(measures[1:]),
    )
    return create_board(plan, [official], by=organiser), organiser, found_team("Laboratory")


def _make_runs(board: Board, organiser: User, team: Team, files: Sequence[Path], n_runs: int) -> None:
    from django.core.files import File
    from django.core.files.storage import default_storage
    from django.db import transaction

    from toprung.web.core.models.runs import RunState, Submission, Upload, UploadState

    kept = []
    for path in files:
        with path.open("rb") as file:
            kept.append(default_storage.save(f"runs/{path.name}", File(file)))
    with transaction.atomic():
        for number in range(1, n_runs + 1):
            upload = Upload.objects.create(
                board=board,
                team=team,
                user=organiser,
                state=UploadState.ACCEPTED,
                file_name="run.txt.gz",
                parquet=kept[number % len(kept)],
                size=1,
                digest=f"sha256:{number:064x}",
            )
            Submission.objects.create(
                board=board,
                number=number,
                run_id=f"R{number}",
                name=f"run {number}",
                team=team,
                user=organiser,
                upload=upload,
                state=RunState.DONE,
                score=0.0,
                shown_score=0.0,
            )


def _publish(board: Board, organiser: User, qrels: Path) -> LabelSet:
    """Labels of which every tenth line is another: a document that no run has."""
    from toprung.web.core.store.columns import official_labels
    from toprung.web.services.labels.publish import plan_version, publish

    lines = qrels.read_text().splitlines(keepends=True)
    for at in range(0, len(lines), 10):
        query_id, unused, _, grade = lines[at].split()
        lines[at] = f"{query_id} {unused} other{at} {grade}\n"
    changed = qrels.with_name("changed.txt")
    changed.write_text("".join(lines))
    current = official_labels(board)
    plan = plan_version(current, changed, changed.name)
    return publish(board, current, plan, changes="Every tenth answer is another.", by=organiser)


@contextmanager
def _workers(folder: Path, number: int) -> Iterator[psutil.Process]:
    """The process that keeps them."""
    command = [str(Path(sys.executable).with_name("toprung")), "worker", "--data", str(folder)]
    command += ["--processes", str(number)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    worker = psutil.Process(process.pid)
    try:
        yield worker
    finally:
        for each in [*worker.children(recursive=True), worker]:
            each.kill()
        process.wait(60)


def _wait_for(labels: LabelSet, worker: psutil.Process, n_runs: int) -> Moment:
    from toprung.web.core.models.runs import FirstRankColumn

    return _wait(FirstRankColumn.objects.filter(label_set=labels).count, worker, n_runs)


def _wait_until_shown(labels: LabelSet, worker: psutil.Process) -> Moment:
    from toprung.web.core.models.boards import Board

    return _wait(Board.objects.filter(pk=labels.board_id, shown_version=labels.version).count, worker, 1)


def _wait(count: Callable[[], int], worker: psutil.Process, expected: int) -> Moment:
    until = time.monotonic() + LONGEST_WAIT
    while (found := count()) < expected:
        if time.monotonic() > until:
            raise RuntimeError(f"Found {found} after {LONGEST_WAIT} s; expected {expected}.")
        time.sleep(PAUSE)
    return Moment(n_runs=found, wall_seconds=time.perf_counter(), cpu_seconds=_cpu_seconds(worker))


def _cpu_seconds(worker: psutil.Process) -> float:
    """With the children that ended: files are read in those."""
    times = [each.cpu_times() for each in [worker, *worker.children(recursive=True)]]
    return float(sum(each.user + each.system + each.children_user + each.children_system for each in times))


def _say_database() -> str:
    from django.db import connection

    return {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]
