"""A server in parts that can be killed and started again: a web server at one address, workers, and its database."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field

from scripts.with_postgres import Server
from tests.chaos.clock import VARIABLE, set_clock
from tests.web.real_board import RealBoard

WEB, WORKER, LINES, DATABASE, CLOCK = "web", "worker", "lines to the database", "database", "clock"
MOST_AHEAD = 3 * 3600.0
"""Seconds that the clock is set ahead or back."""
LONGEST_AWAY = 2.0
"""Seconds that the database is away."""
WORKERS = 2


@dataclass(kw_only=True)
class Site:
    """The parts of one board. `kill` takes one away without a word and starts another in its place."""

    board: RealBoard
    server: Server | None = None
    """The PostgreSQL that is this board's alone, and can be killed; None on SQLite."""
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
        for kind in (WEB, WEB, *[WORKER] * WORKERS):
            self._start(kind)

    def kill(self, rng: random.Random, *, spares_database: bool = False) -> None:
        """One part, drawn at random."""
        of_database = [LINES, DATABASE] if self.server and not spares_database else []
        chosen = rng.choice([WEB, WORKER, WORKER, CLOCK, *of_database])
        if chosen == DATABASE:
            self.kill_database(rng)
            return
        self.note(chosen)
        if chosen == LINES:
            self._cut_lines()
        elif chosen == CLOCK:
            set_clock(self.clock, rng.uniform(-MOST_AHEAD, MOST_AHEAD))
        else:
            number = rng.choice([place for place, (kind, _) in enumerate(self.parts) if kind == chosen])
            _, process = self.parts.pop(number)
            _kill_all_of(process)
            self._start(chosen)

    def kill_database(self, rng: random.Random) -> None:
        """All processes of the server by ``kill -9``; some time later it starts, and repairs what it finds."""
        if self.server is not None:
            self.note(DATABASE)
            self.server.kill()
            time.sleep(rng.uniform(0.0, LONGEST_AWAY))
            self.server.start()

    def note(self, kind: str) -> None:
        self.killed[kind] = self.killed.get(kind, 0) + 1

    def stop(self) -> None:
        with closing(self.listener):
            for _, process in self.parts:
                _kill_all_of(process)

    def _start(self, kind: str) -> None:
        listener = self.listener.fileno()
        web = ["-m", "toprung.web.ops.web_server", str(listener)]
        arguments, fds = (["-m", "tests.web.dying_worker"], []) if kind == WORKER else (web, [listener])
        sink = subprocess.DEVNULL
        process = self.board.start(*arguments, pass_fds=fds, start_new_session=True, stdout=sink, stderr=sink)
        self.parts.append((kind, process))

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
