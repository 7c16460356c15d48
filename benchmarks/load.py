"""Does a server hold under load? ``python -m benchmarks.load --minutes 10``; on PostgreSQL by scripts/with_postgres.py.

Readers look at one page after the other, two seconds between them; submitters send runs and follow their checks, as in
`benchmarks.submitting`; all on one board, which grows meanwhile. To hold: no error, 95 of 100 pages within a second and
95 of 100 checks within five, and workers that take no more memory at the end than half way.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.board import WARM_UP, Server, ask, cpu_of, served
from benchmarks.submitting import LONGEST_WAIT, MOST_FILES, Waits, make_people, submit_all

PAGES = ("", "?page=2", "?sort=-date", "history/", "stability/", "runs/R7/", "about/", "embed/", "export.csv")
LONGEST_READ = 1.0
"""Seconds within which 95 of 100 pages are to come."""
MOST_GROWTH = 0.1
"""By which share the memory of workers may be larger at the end than half way: allocators keep some."""
LOOKED_EVERY = 1.0


@dataclass(kw_only=True)
class Watched:
    """What the parts of the server took, looked at every second."""

    server: Server
    megabytes: list[float] = field(default_factory=list)
    """Of all workers together."""
    is_over: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        while not self.is_over.wait(LOOKED_EVERY):
            found = [memory_of(each) for each in self.server.workers()]
            self.megabytes.append(sum(found) / 1e6)

    def growth(self) -> tuple[float, float]:
        """Half way and at the end: each the least of a tenth of the time, for what is let go again is no growth."""
        n = len(self.megabytes)
        tenth = max(1, n // 10)
        return min(self.megabytes[n // 2 : n // 2 + tenth]), min(self.megabytes[-tenth:])


@dataclass(frozen=True, kw_only=True)
class Spent:
    """CPU seconds, and how long it took."""

    web: float
    workers: float
    clients: float
    wall: float = 0.0

    @classmethod
    def so_far(cls, server: Server) -> Spent:
        return cls(
            web=server.cpu_seconds(),
            workers=server.worker_cpu_seconds(),
            clients=cpu_of(psutil.Process(), with_ended=True),
        )

    def until(self, later: Spent, wall: float) -> Spent:
        return Spent(
            web=later.web - self.web,
            workers=later.workers - self.workers,
            clients=later.clients - self.clients,
            wall=wall,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0, help="(default: 1)")
    parser.add_argument("--readers", type=int, default=100, help="(default: 100)")
    parser.add_argument("--between", type=float, default=2.0, help="seconds between two pages (default: 2)")
    parser.add_argument("--people", type=int, default=20, help="who submit (default: 20)")
    parser.add_argument("--pause", type=float, default=10.0, help="of each between two files, at least (default: 10)")
    parser.add_argument("--queries", type=int, default=1000, help="(default: 1000)")
    options = parser.parse_args(arguments)
    options.seconds = 60 * options.minutes
    options.pause = max(options.pause, options.seconds / MOST_FILES)  # so that all send for as long as it lasts
    with tempfile.TemporaryDirectory(prefix="toprung-bench-") as folder:
        slug, people = make_people(Path(folder), options.people, options.queries)
        with served(Path(folder)) as server:
            watched = Watched(server=server)
            read, waits, spent = press(watched, slug, people, options)
    return tell(read, waits, watched, spent, options)


def press(
    watched: Watched, slug: str, people: Sequence[tuple[str, str]], options: argparse.Namespace
) -> tuple[dict[str, Any], Waits, Spent]:
    """What readers got, how long submitters waited, and what it took."""
    server = watched.server
    watching = threading.Thread(target=watched.watch)
    watching.start()
    pages = [f"/b/{slug}/{page}" for page in PAGES]
    for page in pages:
        ask(server.address, page, WARM_UP)  # what a process reads once is not waited for again
    asked = [server.address, options.seconds, options.readers, options.between, *pages]
    before, began = Spent.so_far(server), time.monotonic()
    command = [sys.executable, "-m", "benchmarks.board_client", *map(str, asked)]
    with tempfile.TemporaryFile("w+") as told:
        readers = subprocess.Popen(command, stdout=told)
        waits = submit_all(server.address, slug, people, options)
        readers.wait()
        told.seek(0)
        read = json.load(told)
    watched.is_over.set()
    watching.join()
    return read, waits, before.until(Spent.so_far(server), time.monotonic() - began)


def memory_of(process: psutil.Process) -> float:
    try:
        return float(process.memory_info().rss)
    except psutil.NoSuchProcess:  # it ended just now, and another takes its place
        return 0.0


def tell(read: dict[str, Any], waits: Waits, watched: Watched, spent: Spent, options: argparse.Namespace) -> int:
    half_way, end = watched.growth()
    median, slow = np.quantile(read["waits"], [0.5, 0.95])
    check, slow_check = np.quantile(waits.seconds, [0.5, 0.95])
    faults = {answer: n for answer, n in read["answers"].items() if answer != "200"}
    faults |= {how: n for how, n in waits.ended.items() if how != "accepted"}
    print(
        f"{options.readers} readers, {options.between:g} s between pages, and {options.people} submitters for "
        f"{options.minutes:g} min, {time.strftime('%Y-%m-%d')}, {psutil.cpu_count()} cores:\n"
        f"- faults: {faults or 'none'}\n"
        f"- {len(read['waits']):,} pages: median {median:.2f} s, p95 {slow:.2f} s; the web server took "
        f"{1000 * spent.web / len(read['waits']):.0f} ms CPU a page, submitting included\n"
        f"- {len(waits.seconds):,} checks: median {check:.1f} s, p95 {slow_check:.1f} s\n"
        f"- workers: {half_way:.0f} MB half way, {end:.0f} MB at the end\n"
        f"- cores: {spent.web / spent.wall:.2f} for the web server, {spent.workers / spent.wall:.2f} for the workers, "
        f"{spent.clients / spent.wall:.2f} for all who ask"
    )
    is_well = not faults and slow <= LONGEST_READ and slow_check <= LONGEST_WAIT
    return 0 if is_well and end <= half_way * (1 + MOST_GROWTH) else 1


if __name__ == "__main__":
    sys.exit(main())
