"""How do the parts of a board run? A web server and workers, each kept by one process, together or on their own."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from toprung.errors import InputError
from toprung.web.core.config.databases import refuse_damaged
from toprung.web.core.config.environment import Environment
from toprung.web.core.config.folders import make_folders
from toprung.web.core.queue_names import URGENT
from toprung.web.core.work.running import running_on
from toprung.web.ops.children import Child, keep_running
from toprung.web.ops.migrate import find_pending_files, find_pending_tables, refuse_behind
from toprung.web.ops.start import start_django
from toprung.words.wording import say_count

type Say = Callable[[str], None]

PYTHON = (sys.executable, "-P", "-m")
"""Modules of the folder that the command is given in are not meant."""
BACKLOG = 1024
WORKER_PAUSE = "0.3"
"""Seconds between two looks of a worker for something to do."""


def run_web(data_folder: Path | None, *, host: str, port: int, processes: int, say: Say) -> int:
    """The web server alone, until told to stop; returns the exit code."""
    check_system()
    with listen(host, port) as listener:
        name_address(host, listener)
        environment = _open(data_folder, needs_static_files=True)
        where = f"{host}:{listener.getsockname()[1]}"
        say(f"The web server of {environment.public_url} listens on {where}; Ctrl-C ends it.")
        with running_on(environment.data_folder, "web") as part, metrics_folder() as metrics:
            return keep_running(web_servers(listener, processes, metrics), say=say, tell=part.tell)


def run_workers(data_folder: Path | None, *, processes: int, say: Say) -> int:
    """Workers alone, until told to stop: each ends what it is at, and what it cannot end another takes up."""
    check_system()
    environment = _open(data_folder, needs_static_files=False)
    say(f"{say_count(processes, 'worker')} of the board; Ctrl-C ends {'it' if processes == 1 else 'them'}.")
    with running_on(environment.data_folder, "worker") as part:
        return keep_running(workers(processes), say=say, tell=part.tell)


def metrics_folder() -> tempfile.TemporaryDirectory[str]:
    """Where the processes of the web server count requests together."""
    return tempfile.TemporaryDirectory(prefix="toprung-metrics-", ignore_cleanup_errors=True)


def web_servers(listener: socket.socket, processes: int, metrics: str) -> list[Child]:
    """Processes that accept connections from the same socket."""
    command = [*PYTHON, "toprung.web.ops.web_server", str(listener.fileno()), metrics]
    names = ["web server"] if processes == 1 else [f"web server {number}" for number in range(1, processes + 1)]
    return [Child(name=name, command=command, inherits=(listener.fileno(),)) for name in names]


def workers(processes: int) -> list[Child]:
    """Where there are several, the first does only what people wait for: no check stands behind a long computation.

    The others give way to it and to the web server: what they compute is waited for least.
    """
    command = [*PYTHON, "django", "ox_worker", "--interval", WORKER_PAUSE, "--verbosity", "0"]
    if processes == 1:
        return [Child(name="worker", command=command, is_spared=True)]
    urgent = Child(name="worker 1", command=[*command, "--queues", URGENT], is_spared=True)
    others = [f"worker {number}" for number in range(2, processes + 1)]
    return [urgent, *(Child(name=name, command=command, is_spared=True, gives_way=True) for name in others)]


def check_system() -> None:
    if os.name != "posix":
        raise InputError("Found Windows; expected Linux or macOS: start it in WSL.")


def listen(host: str, port: int) -> socket.socket:
    """Here and not in the server, so that a port that is taken is said at once, and none is refused on a restart."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        why = str(error.strerror).partition(" (while")[0]  # what Python adds names the address once more
        raise InputError(
            f"Found {host}:{port} not to be had ({why}); expected a free port: give another with --port."
        ) from None


def name_address(host: str, listener: socket.socket) -> bool:
    """Where TOPRUNG_URL does not say by which address people come, it is where we listen; whether it did."""
    is_named = bool(os.environ.get("TOPRUNG_URL"))
    if not is_named:
        os.environ["TOPRUNG_URL"] = f"http://{_in_url(host)}:{listener.getsockname()[1]}"
    return is_named


def _in_url(host: str) -> str:
    return {"0.0.0.0": "localhost", "::": "localhost"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104 - only compared


def _open(data_folder: Path | None, *, needs_static_files: bool) -> Environment:
    """A board that is up to date; nothing is brought up to date here, since other processes may run on it."""
    environment = start_django(data_folder)
    refuse_damaged(environment)
    refuse_behind(find_pending_tables(environment) + (find_pending_files() if needs_static_files else []))
    make_folders(environment)
    return environment
