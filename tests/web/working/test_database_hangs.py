"""A PostgreSQL that is stopped, or that waits for a lock, holds no request and no command for ever."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import psutil
import psycopg
import pytest
from django.db import OperationalError
from scripts.with_postgres import Server, find_programs, running_server
from tests.warm.python import TOPRUNG, run_warm
from tests.web.own_database import SERVER
from tests.web.real_board import ROOT, RealBoard, wait_until

from toprung.web.core.bounded_postgres import base
from toprung.web.core.bounded_postgres.base import DatabaseWrapper
from toprung.web.core.config.postgres import limit_requests, read_database_url
from toprung.web.ops.backup import snapshots

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(not SERVER, reason="a server is stopped"),
    pytest.mark.usefixtures("own_server"),
]
A_HANG = 120.0
"""Seconds: far more than any answer takes, on a busy machine too."""
BOARD = "/b/web-docs/"
AWAY = b"Found the database away; expected it to answer."


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    """Of this file alone: other tests must not wait for a server that is stopped here."""
    programs = find_programs()
    assert programs is not None
    with running_server(programs) as server:
        yield server


@pytest.fixture(scope="module")
def board(own_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path_factory.mktemp("hangs") / "data", own_server.url)
    board.call("two_files")
    yield board
    board.stop()


@pytest.fixture(scope="module")
def port(board: RealBoard) -> int:
    port = board.serve()
    wait_until(lambda: get(port, BOARD)[0] == 200, "the board")
    return port


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=A_HANG)
    with suppress(ConnectionError):
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    return 0, b""


def get_often(port: int, path: str, times: int) -> list[tuple[int, bytes]]:
    with ThreadPoolExecutor(times) as people:
        return list(people.map(lambda _: get(port, path), range(times)))


@contextmanager
def stopped(server: Server) -> Iterator[None]:
    """All its processes, which go on afterwards as if nothing had been."""
    assert server.process is not None
    first = psutil.Process(server.process.pid)
    first.suspend()
    processes = [first, *first.children(recursive=True)]
    try:
        for process in processes[1:]:
            process.suspend()
        yield
    finally:
        for process in reversed(processes):
            with suppress(psutil.NoSuchProcess):
                process.resume()


def open_database(server: Server, *, for_requests: bool) -> DatabaseWrapper:
    named = read_database_url(server.url)
    assert named is not None
    settings = named.django_settings()
    if for_requests:
        limit_requests(settings)
    rest = {"ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, "TIME_ZONE": None, "CONN_HEALTH_CHECKS": True}
    return DatabaseWrapper(rest | settings)


@pytest.fixture
def _answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another test saw of this server is forgotten."""
    monkeypatch.setattr(DatabaseWrapper, "away_until", 0.0)


def test_a_stopped_server_is_answered_with_503_and_all_goes_on_afterwards(port: int, own_server: Server) -> None:
    with stopped(own_server):
        answers = get_often(port, BOARD, 12)
        assert [status for status, _ in answers] == [503] * 12
        assert all(AWAY in page for _, page in answers)
        assert get(port, "/healthz") == (200, b"ok\n")
        assert get(port, "/readyz") == (503, b"database: not reachable\n")
        assert get(port, f"/api/v1/boards{BOARD.removeprefix('/b')}".rstrip("/"))[0] == 503
    wait_until(lambda: get(port, BOARD)[0] == 200, "the board to come back by itself")


def test_a_table_that_somebody_locked_is_answered_with_503_and_all_goes_on_afterwards(
    port: int, board: RealBoard
) -> None:
    with psycopg.connect(board.database.url) as other:
        other.execute("LOCK TABLE web_board IN ACCESS EXCLUSIVE MODE")
        answers = get_often(port, BOARD, 6)
        assert [status for status, _ in answers] == [503] * 6
        assert all(AWAY in page for _, page in answers)
        assert get(port, "/readyz")[0] == 503
        assert get(port, "/healthz") == (200, b"ok\n")
    wait_until(lambda: get(port, BOARD)[0] == 200, "the board to come back by itself")
