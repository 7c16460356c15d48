"""A PostgreSQL that is stopped, or that waits for a lock, holds no request and no command for ever."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import psutil
import psycopg
import pytest
from django.db import OperationalError
from pytest_django import DjangoDbBlocker
from scripts.with_postgres import Server, find_programs, running_server
from tests.web.own_database import SERVER
from tests.web.real_board import RealBoard, wait_until

from toprung.errors import InputError
from toprung.web.core.bounded_postgres import base
from toprung.web.core.bounded_postgres.base import BoundedConnection, DatabaseWrapper
from toprung.web.core.config import postgres
from toprung.web.core.config.postgres import REQUEST_OPTIONS, limit_requests, read_database_url
from toprung.web.ops.backup import snapshots
from toprung.web.ops.connections import BUSY

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
    """Status and page; the status is 0 where the server does not run yet."""
    with suppress(ConnectionError), closing(HTTPConnection("127.0.0.1", port, timeout=A_HANG)) as connection:
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


@pytest.fixture(autouse=True)
def _may_connect(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        yield


@contextmanager
def using(server: Server, *, for_requests: bool) -> Iterator[DatabaseWrapper]:
    """A connection as a process of the web server, or another, has it."""
    named = read_database_url(server.url)
    assert named is not None
    settings = named.django_settings()
    if for_requests:
        limit_requests(settings)
    rest = {"ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, "TIME_ZONE": None}
    database = DatabaseWrapper(rest | settings, alias="a trial")
    database.ensure_connection()
    with closing(database):
        yield database


def ask(database: DatabaseWrapper, question: str) -> list[tuple[object, ...]]:
    with database.cursor() as cursor:
        cursor.execute(question)
        return list(cursor.fetchall())


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
        answers = get_often(port, BOARD, 40)
        assert [status for status, _ in answers] == [503] * 40
        assert all(AWAY in page or BUSY.body.encode() in page for _, page in answers)
        assert get(port, "/readyz")[0] == 503
        assert get(port, "/healthz") == (200, b"ok\n")
    wait_until(lambda: get(port, BOARD)[0] == 200, "the board to come back by itself")


def test_a_request_in_the_middle_of_a_statement_ends_and_the_next_do_not_wait(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DatabaseWrapper, "away_until", 0.0)
    monkeypatch.setitem(REQUEST_OPTIONS, "answers_within", 1)
    with using(own_server, for_requests=True) as database, using(own_server, for_requests=True) as another:
        with stopped(own_server), pytest.raises(OperationalError, match="did not answer in time"):
            database.cursor().execute("SELECT 1")
        assert not another.is_usable(), "for a while nobody waits for it"
        another.close()
        with pytest.raises(OperationalError, match="did not answer a moment ago"):
            another.ensure_connection()
        monkeypatch.setattr(DatabaseWrapper, "away_until", time.monotonic())
        assert not database.is_usable()
        database.close()
        assert ask(another, "SELECT 1") == ask(database, "SELECT 1") == [(1,)]


def test_the_server_keeps_the_limits_of_requests_and_none_of_workers(own_server: Server) -> None:
    with using(own_server, for_requests=True) as database:
        assert ask(database, "SHOW lock_timeout") == [("5s",)]
        assert ask(database, "SHOW statement_timeout") == [("8s",)]
    with using(own_server, for_requests=False) as database:
        assert ask(database, "SHOW lock_timeout") == ask(database, "SHOW statement_timeout") == [("0",)]


def test_the_work_of_a_worker_takes_as_long_as_it_takes_while_the_server_answers(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "LOOKED_EVERY", 0.2)
    looked = []
    answers = BoundedConnection.server_answers
    monkeypatch.setattr(BoundedConnection, "server_answers", lambda line: looked.append(answers(line)) or looked[-1])
    with using(own_server, for_requests=False) as database:
        assert ask(database, "SELECT 1 FROM pg_sleep(2)") == [(1,)]
    assert len(looked) > 1
    assert all(looked)


def test_a_worker_does_not_wait_for_a_stopped_server_for_ever(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DatabaseWrapper, "away_until", 0.0)
    monkeypatch.setattr(base, "LOOKED_EVERY", 0.2)
    monkeypatch.setattr(postgres, "SECONDS_TO_CONNECT", 2)
    with using(own_server, for_requests=False) as database:
        with stopped(own_server), pytest.raises(OperationalError, match="did not answer in time"):
            database.cursor().execute("SELECT 1")
        monkeypatch.setattr(DatabaseWrapper, "away_until", 0.0)
        database.close()
        assert ask(database, "SELECT 1") == [(1,)]


def test_a_backup_of_a_server_that_stops_ends_with_a_sentence(
    own_server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its own programs wait for ever: here one that does nothing else."""
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setattr(postgres, "SECONDS_TO_CONNECT", 2)
    monkeypatch.setattr(snapshots, "LOOKED_EVERY", 0.2)
    named = read_database_url(own_server.url)
    assert named is not None
    with using(own_server, for_requests=False) as database:
        monkeypatch.setattr(snapshots, "connection", database)
        database.ensure_connection()
        with stopped(own_server), pytest.raises(InputError, match=r"failed \(the server does not answer\)"):
            snapshots._run(named, str(program))
