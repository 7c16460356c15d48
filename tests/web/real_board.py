"""A real board: a database and processes of its own, for what only several processes can show."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.warm.python import WarmProcess, run_warm
from tests.web.kept_tables import ROOT, kept_tables, make_tables, variables_of
from tests.web.own_database import PATIENCE, SERVER, OwnDatabase


class RealBoard:
    """A folder with a database that has its tables, and the processes started on it; all of them end with the test.

    An empty one has nothing yet, as the place has that a board moves to. Another server than that of all tests has
    nothing to copy: there the tables are made.
    """

    def __init__(self, folder: Path, server: str = SERVER, *, is_empty: bool = False) -> None:
        self.folder = folder
        folder.mkdir()
        self.processes: list[subprocess.Popen[bytes]] = []
        can_copy = server == SERVER and not is_empty
        self.database = OwnDatabase(folder, server, like=kept_tables() if can_copy else None)
        self.environment = os.environ | variables_of(folder, self.database)
        if not (can_copy or is_empty):
            make_tables(folder, self.database)

    def call(self, function: str, *, of: str = "tests.web.stages", **options: object) -> Any:
        """What a function of ``tests.web.stages``, or of another module, returns, called in a process of its own."""
        called = f"importlib.import_module({of!r}).{function}(**{options!r})"
        code = f"import django, importlib, json; django.setup(); print(json.dumps({called}))"
        done = run_warm("-c", code, env=self.environment, cwd=ROOT, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout.splitlines()[-1])

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
        process = WarmProcess(arguments, env=self.environment, cwd=ROOT, **({"start_new_session": True} | options))
        self.processes.append(process)
        return process

    def serve(self) -> int:
        """Start a web server of two processes; returns its port."""
        listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        with listening:
            descriptor, port = listening.fileno(), int(listening.getsockname()[1])
            for _ in range(2):
                self.start("-m", "toprung.web.ops.web_server", str(descriptor), pass_fds=[descriptor])
        return port

    def ask(self, question: str) -> list[tuple[Any, ...]]:
        """Look into the database, beside the processes."""
        return self.database.ask(question)

    def stop(self) -> None:
        """All that runs, with its children and at once: a worker that is asked to end ends what it is at first."""
        for process in self.processes:
            if process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.database.drop()


def kill(process: subprocess.Popen[bytes]) -> None:
    """Without a word: it cleans up nothing."""
    process.send_signal(signal.SIGKILL)
    process.wait()


def wait_until(is_so: Callable[[], bool], what: str, *, patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < end, f"waited {patience:g} s in vain: {what}"
        time.sleep(0.05)
