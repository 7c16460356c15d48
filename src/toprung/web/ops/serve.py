"""How does a board start with one command? Folder, database, static files, first organiser, then server and worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from toprung.web.core.config.environment import Environment
from toprung.web.core.config.served_at import note_address
from toprung.web.ops.children import keep_running
from toprung.web.ops.organisers import check_address, welcome
from toprung.web.ops.run import Say, check_system, listen, name_address, web_server, workers
from toprung.web.ops.start import set_up


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
    workers: int = 1


def serve(serving: Serving, *, say: Say, prepare: Callable[[Environment], None] | None = None) -> int:
    """Set up what is not there, then run until told to stop; returns the exit code.

    ``prepare`` is called once tables are there and before anybody can come; when left out, the first organiser is made.
    """
    check_system()
    check_address(serving.organiser)
    with listen(serving.host, serving.port) as listener:
        port = listener.getsockname()[1]
        is_named = name_address(serving.host, listener)
        environment = set_up(serving.data_folder)
        note_address(environment)
        listening = f" (listening on {serving.host}:{port})" if is_named else ""
        folder = environment.data_folder
        say(f"Toprung is at {environment.public_url}{listening}, its data in {folder}; Ctrl-C ends it.")
        if not is_named and not _is_local(serving.host):
            say("Others are let in by the name that TOPRUNG_URL has: set it to the address they come by.")
        if prepare is None:
            welcome(environment, serving.organiser, say)
        else:
            prepare(environment)
        children = [web_server(listener, serving.processes), *workers(serving.workers)]
        return keep_running(children, say=say)


def _is_local(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")
