"""A server in parts that can be killed and started again: a web server at one address, workers, and its database."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
from contextlib import closing, suppress
from dataclasses import dataclass, field

from tests.chaos.clock import VARIABLE, set_clock
from tests.web.own_database import SERVER
from tests.web.real_board import RealBoard

WEB, WORKER, DATABASE, CLOCK = "web", "worker", "database", "clock"
MOST_AHEAD = 3 * 3600.0
"""Seconds that the clock is set ahead or back."""
WORKERS = 2


@dataclass(kw_only=True)
class Site:
    """The parts of one board. `kill` takes one away without a word and starts another in its place."""

    board: RealBoard
    listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0), backlog=128))
    parts: list[tuple[str, subprocess.Popen[bytes]]] = field(default_factory=list)
    killed: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clock = self.board.folder.with_name("clock")
        set_clock(self.clock, 0.0)
        self.board.environment[VARIABLE] = str(self.clock)

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def start(self) -> None:
        for kind in (WEB, *[WORKER] * WORKERS):
            self._start(kind)

    def kill(self, rng: random.Random, *, with_database: bool) -> None:
        """One part, drawn at random; the database is shared with other tests, and loses this board's lines only."""
        self.note(chosen := rng.choice([WEB, WORKER, WORKER, CLOCK, *[DATABASE] * with_database]))
        if chosen == DATABASE:
            self._cut_lines()
            return
        if chosen == CLOCK:
            set_clock(self.clock, rng.uniform(-MOST_AHEAD, MOST_AHEAD))
            return
        number = rng.choice([place for place, (kind, _) in enumerate(self.parts) if kind == chosen])
        _, process = self.parts.pop(number)
        _kill_all_of(process)
        self._start(chosen)

    def note(self, kind: str) -> None:
        self.killed[kind] = self.killed.get(kind, 0) + 1

    def stop(self) -> None:
        with closing(self.listener):
            for _, process in self.parts:
                _kill_all_of(process)

    def _start(self, kind: str) -> None:
        arguments = ["-m", "tests.web.dying_worker"] if kind == WORKER else self._web_command()
        fds = [self.listener.fileno()] if kind == WEB else []
        sink = subprocess.DEVNULL
        process = self.board.start(*arguments, pass_fds=fds, start_new_session=True, stdout=sink, stderr=sink)
        self.parts.append((kind, process))

    def _web_command(self) -> list[str]:
        server = ["-m", "gunicorn", "toprung.web.ops.wsgi:application", "--bind", f"fd://{self.listener.fileno()}"]
        return [*server, "--workers", "2", "--threads", "8", "--log-level", "critical"]

    def _cut_lines(self) -> None:
        """As a database does that is started anew: every line to it breaks, in the middle of whatever went over it."""
        self.board.ask(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            f"WHERE datname = '{self.board.database.name}' AND pid <> pg_backend_pid()"
        )


def _kill_all_of(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def has_own_database_server() -> bool:
    return bool(SERVER)
