"""What does a server of 100 boards, 10,000 runs and 1,000 teams take? ``python -m benchmarks.server``.

It is filled in steps, and at each step the same is measured: pages as visitors, members of a team and organisers see
them, with CPU of this process and of the database, and the questions that are asked of it; one run more on a board;
how large the database is; and a backup. What grows with the server, though nobody looks at more than a page, is seen
between the columns. On PostgreSQL: ``python scripts/with_postgres.py python -m benchmarks.server``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from benchmarks.board import MADE_ANEW
from benchmarks.spent import timed

if TYPE_CHECKING:
    from benchmarks.server_data import ManyBoards
    from toprung.web.core.models.people import User

RUNS_A_BOARD = 100
TEAMS_A_BOARD = 10
ROUNDS = 3
WARM_UP = 2
HOST = "127.0.0.1"

ANYBODY, MEMBER, ORGANISER = "anybody", "member", "organiser"
PAGES = (
    (ANYBODY, "/"),
    (ANYBODY, "/?q=Laboratory+00007"),
    (ANYBODY, "/b/{board}/"),
    (ANYBODY, "/b/{board}/?page=2"),
    (ANYBODY, "/b/{board}/?sort=-date"),
    (ANYBODY, "/b/{board}/?q=number+7"),
    (ANYBODY, "/b/{board}/?per=best"),
    (ANYBODY, "/b/{board}/embed/"),
    (ANYBODY, "/b/{board}/history/"),
    (ANYBODY, "/b/{board}/stability/"),
    (ANYBODY, "/b/{board}/about/"),
    (ANYBODY, "/b/{board}/labels/"),
    (ANYBODY, "/b/{board}/runs/R7/"),
    (ANYBODY, "/b/{board}/compare/?b={best}&a={second}"),
    (ANYBODY, "/b/{board}/export.csv"),
    (ANYBODY, "/b/{board}/feed.atom"),
    (ANYBODY, "/b/{board}/badge.svg"),
    (ANYBODY, "/teams/{team}/"),
    (MEMBER, "/"),
    (MEMBER, "/me/"),
    (MEMBER, "/b/{board}/"),
    (MEMBER, "/b/{board}/submit/"),
    (ORGANISER, "/"),
    (ORGANISER, "/me/"),
    (ORGANISER, "/b/{board}/"),
    (ORGANISER, "/b/{board}/organise/"),
    (ORGANISER, "/b/{board}/organise/audit/"),
    (ORGANISER, "/b/{board}/organise/people/"),
    (ORGANISER, "/b/{board}/organise/labels/"),
)


@dataclass(frozen=True, kw_only=True)
class PageCost:
    """Of one look at a page."""

    web_ms: float
    database_ms: float
    questions: int
    size: int

    def __str__(self) -> str:
        return f"{self.web_ms:.0f} + {self.database_ms:.0f} ms, {self.questions} q, {self.size / 1000:.0f} kB"


@dataclass(kw_only=True)
class Step:
    """What was measured with so many boards on the server."""

    n_boards: int
    pages: dict[tuple[str, str], PageCost] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, nargs="+", default=[1, 10, 100], help="steps (default: 1 10 100)")
    parser.add_argument("--queries", type=int, default=10_000, help="of each board (default: 10000)")
    parser.add_argument("--requests", type=int, default=10, help="a page and round (default: 10)")
    parser.add_argument("--only", nargs="+", help="pages whose address has one of these in it (default: all)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="toprung-bench-") as folder:
        from toprung.web.ops.start import set_up

        set_up(Path(folder))
        from benchmarks.server_data import make_first

        server = make_first(RUNS_A_BOARD, options.queries, TEAMS_A_BOARD)
        steps = [measure(server, n_boards, options) for n_boards in options.boards]
    tell(steps, options.queries)
    return 0


def measure(server: ManyBoards, n_boards: int, options: argparse.Namespace) -> Step:
    server.grow_to(n_boards, n_boards * TEAMS_A_BOARD)
    step = Step(n_boards=n_boards)
    analyse()
    step.others["one run more on a board of 100, CPU s"] = f"{grow_by_one(server):.2f}"
    step.others |= measure_backup() if not options.only else {}
    for role, page in PAGES:
        if not options.only or any(part in page for part in options.only):
            step.pages[role, page] = cost_of(server, role, page, options.requests)
            print(f"{n_boards} boards, {role} {page}: {step.pages[role, page]}", file=sys.stderr, flush=True)
    return step


def analyse() -> None:
    """What PostgreSQL does by itself after a while: count rows, so that its plans fit."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def grow_by_one(server: ManyBoards) -> float:
    """The least of some, of settling and computing all that pages show."""
    import numpy as np

    from benchmarks.board_data import draw_ranks, make_runs
    from benchmarks.board_growth import settle_and_compute

    board = server.boards[-1]
    labels = board.label_sets.get()
    ranks = draw_ranks(2 * ROUNDS, labels.n_queries)[:, :ROUNDS].astype(np.int32)
    found = []
    for place in range(ROUNDS):
        make_runs(board, labels, server.teams, server.organiser, ranks[:, place : place + 1])
        _, spent = timed(lambda: settle_and_compute(board.pk))
        found.append(spent.cpu_seconds)
    return min(found)


def measure_backup() -> dict[str, str]:
    """Also of the database: it works while the backup waits, so that the time on the clock is told."""
    from django.conf import settings

    from toprung.web.ops.backup.backing_up import back_up

    path = settings.ENVIRONMENT.data_folder / "backup.toprung"
    started = time.perf_counter()
    back_up(settings.ENVIRONMENT, path)
    taken, size = time.perf_counter() - started, path.stat().st_size
    path.unlink()
    told = f"{taken:.1f} s, {size / 1e6:.0f} MB"
    return {"database, MB": f"{database_size() / 1e6:.0f}", "backup without files, on the clock": told}


def database_size() -> int:
    from django.conf import settings
    from django.db import connection

    if connection.vendor == "sqlite":
        return sum(each.stat().st_size for each in settings.ENVIRONMENT.data_folder.glob("*.sqlite3*"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def cost_of(server: ManyBoards, role: str, page: str, requests: int) -> PageCost:
    """The least of some rounds, in the mean over its requests."""
    from django.test import Client

    client = Client(SERVER_NAME=HOST, headers=MADE_ANEW)
    if (user := person_of(server, role)) is not None:
        client.force_login(user)
    path = page.format(**parts_of(server))
    ask(client, path, WARM_UP)
    size, questions = count_questions(lambda: ask(client, path, 1))
    spent = [cpu_of(lambda: ask(client, path, requests)) for _ in range(ROUNDS)]
    web, database = min(spent, key=sum)
    each = 1000 / requests
    return PageCost(web_ms=web * each, database_ms=database * each, questions=questions, size=size)


def count_questions(work: Callable[[], int]) -> tuple[int, int]:
    """What it returns, and how many questions it asked of the database."""
    from django.db import connection

    asked: list[str] = []

    def note(execute: Callable[..., object], sql: str, *others: object) -> object:
        asked.append(sql)
        return execute(sql, *others)

    with connection.execute_wrapper(note):
        return work(), len(asked)


def person_of(server: ManyBoards, role: str) -> User | None:
    """A member is one of the team whose run came last on the board that is looked at."""
    if role == MEMBER:
        run = server.boards[-1].submissions.last()
        return None if run is None or run.team is None else run.team.members.get()
    return server.organiser if role == ORGANISER else None


def parts_of(server: ManyBoards) -> dict[str, str]:
    board = server.boards[-1]
    first, second = board.submissions.exclude(shown_score=None).order_by("-score")[:2]
    team = board.submissions.last()
    slug = "" if team is None or team.team is None else team.team.slug
    return {"board": board.slug, "best": first.run_id, "second": second.run_id, "team": slug}


def ask(client: object, path: str, times: int) -> int:
    from django.test import Client

    assert isinstance(client, Client)
    size = 0
    for _ in range(times):
        response = client.get(path)
        size = len(b"".join(response) if response.streaming else response.content)
        if response.status_code != 200:
            raise RuntimeError(f"{path}: found {response.status_code}; expected 200")
    return size


def cpu_of(work: Callable[[], object]) -> tuple[float, float]:
    """Of this process, and of the one of the database that answers it."""
    database = database_process()
    before = seconds_of(database)
    _, spent = timed(work)
    return spent.cpu_seconds, seconds_of(database) - before


def database_process() -> psutil.Process | None:
    """None for SQLite, which is part of this one."""
    from django.db import connection

    if connection.vendor == "sqlite":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return psutil.Process(cursor.fetchone()[0])


def seconds_of(process: psutil.Process | None) -> float:
    if process is None:
        return 0.0
    times = process.cpu_times()
    return float(times.user + times.system)


def tell(steps: Sequence[Step], n_queries: int) -> None:
    from django.db import connection

    print(f"## A server of many boards, {connection.vendor}\n")
    print(f"- {RUNS_A_BOARD} runs a board, {TEAMS_A_BOARD} teams a board, {n_queries:,} queries")
    print("- a page: CPU ms of the web process + of the database; questions to the database; size\n")
    print(f"| | {' | '.join(f'{each.n_boards:,} boards' for each in steps)} |")
    print(f"|---|{'---:|' * len(steps)}")
    for name, cells in rows_of(steps):
        print(f"| {name} | {' | '.join(cells)} |")


def rows_of(steps: Sequence[Step]) -> Iterator[tuple[str, list[str]]]:
    for name in steps[0].others:
        yield name, [each.others[name] for each in steps]
    for role, page in steps[0].pages:
        yield f"{role}: `{page}`", [str(each.pages[role, page]) for each in steps]


if __name__ == "__main__":
    sys.exit(main())
