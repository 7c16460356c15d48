"""How does a board start with one command? Folder, database, static files, first organiser, then server and worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from toprung.web.core.config.environment import Environment
from toprung.web.core.config.served_at import note_address
from toprung.web.core.work.running import SERVE, running_on
from toprung.web.ops.children import keep_running
from toprung.web.ops.organisers import check_address, welcome
from toprung.web.ops.run import Say, check_system, listen, metrics_folder, name_address, web_servers, workers
from toprung.web.ops.start import read_environment, set_up


@dataclass(frozen=True, kw_only=True)
class Serving:
    """What ``toprung serve`` was asked for."""

    data_folder: Path | None
    host: str
    port: int
    """0 for any that is free."""
    organiser: str
    """The address of the first organiser."""
    processes: int
    workers: int = 2


def serve(serving: Serving, *, say: Say, prepare: Callable[[Environment], None] | None = None) -> int:
    """Set up what is not there, then run until told to stop; returns the exit code.

    ``prepare`` is called once tables are there and before anybody can come; when left out, the first organiser is made.
    """
    check_system()
    check_address(serving.organiser)
    folder = read_environment(serving.data_folder, draws_key=False).data_folder  # a fault of a setting is said first
    with listen(serving.host, serving.port) as listener:
        is_named = name_address(serving.host, listener)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with running_on(folder, SERVE) as part:  # before anything is changed there
            environment = set_up(serving.data_folder)
            note_address(environment)
            _greet(serving, environment, listener, is_named=is_named, say=say)
            if prepare is None:
                welcome(environment, serving.organiser, say)
            else:
                prepare(environment)
            with metrics_folder() as metrics:
                children = [*web_servers(listener, serving.processes, metrics), *workers(serving.workers)]
                return keep_running(children, say=say, tell=part.tell)


def _greet(serving: Serving, environment: Environment, listener: socket, *, is_named: bool, say: Say) -> None:
    listening = f" (listening on {serving.host}:{listener.getsockname()[1]})" if is_named else ""
    say(f"Toprung is at {environment.public_url}{listening}, its data in {environment.data_folder}; Ctrl-C ends it.")
    if not is_named and not _is_local(serving.host):
        say("Others are let in by the name that TOPRUNG_URL has: set it to the address they come by.")


def _is_local(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")
