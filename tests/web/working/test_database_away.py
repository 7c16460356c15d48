"""The database is away: everyone is asked to come back, the log has a line a minute, and nobody reads a traceback."""

from __future__ import annotations

import dataclasses
import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from pytest_django import Settings
from tests.web.cast import Cast

from toprung.web.ops.logs import LineFormatter
from toprung.web.ops.watch import database_away
from toprung.web.ops.watch.database_away import SayOnceAMinute

SECRET = 'connection to server at "db.internal" failed: password for "toprung"'


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """The data folder of this test alone."""
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, data_folder=tmp_path)
    return tmp_path


@pytest.fixture
def log(folder: Path, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a server of two processes would write: each has a filter of its own. That of this one is not asked."""
    written = io.StringIO()
    handlers = [logging.StreamHandler(written) for _ in range(2)]
    for handler in handlers:
        handler.setLevel(logging.WARNING)
        handler.setFormatter(LineFormatter())
        handler.addFilter(SayOnceAMinute())
    monkeypatch.setattr(logging.getLogger(), "handlers", handlers)
    return written


@pytest.fixture(params=[OperationalError, InterfaceError])
def away(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, cast: Cast) -> Iterator[None]:
    def refuse(*_: object) -> None:
        raise request.param(SECRET)

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", refuse)
        yield


@pytest.fixture
def visitor(cast: Cast) -> Client:
    """Signed in: the first thing that is asked for is the session."""
    visitor = Client(raise_request_exception=False)
    visitor.force_login(cast.participant)
    return visitor


def test_pages_ask_to_come_back_and_programs_too(visitor: Client, away: None) -> None:
    for path in ("/", "/b/web-docs/", "/b/web-docs/submit/", "/api/v1/boards/web-docs", "/account/"):
        answer = visitor.get(path)
        assert (answer.status_code, answer["Retry-After"]) == (503, "30"), path
        assert b"Found the database away; expected it to answer." in answer.content
        assert b"db.internal" not in answer.content
    assert visitor.get("/api/v1/boards/web-docs").json() == {"detail": database_away.SENTENCE}


def test_the_log_has_one_line_a_minute_and_no_traceback(
    visitor: Client, away: None, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(20):
        visitor.get("/b/web-docs/")
    (line,) = log.getvalue().splitlines()
    assert "The database is away: " in line
    clock = database_away.time.monotonic()
    monkeypatch.setattr(database_away.time, "monotonic", lambda: clock + 61)
    visitor.get("/b/web-docs/")
    _, second = log.getvalue().splitlines()
    assert re.search(r"The same was to be said \d\d times since it was said last\.$", second)


def test_where_nothing_can_be_noted_each_process_says_it(
    visitor: Client, away: None, log: io.StringIO, folder: Path
) -> None:
    (folder / database_away.SAID_AT).mkdir()
    for _ in range(3):
        visitor.get("/b/web-docs/")
    assert len(log.getvalue().splitlines()) == 2


@pytest.mark.parametrize("said", ["", "no time", "1e300"])
def test_what_stands_there_of_another_machine_keeps_nothing_from_being_said(
    visitor: Client, away: None, log: io.StringIO, folder: Path, said: str
) -> None:
    (folder / database_away.SAID_AT).write_text(said)
    visitor.get("/b/web-docs/")
    assert len(log.getvalue().splitlines()) == 1


def test_other_faults_are_ours_with_their_traceback(
    visitor: Client, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("toprung.web.site.board.leaderboard.render", fail)
    answer = visitor.get("/b/web-docs/")
    assert answer.status_code == 500
    assert "Retry-After" not in answer.headers
    assert "Traceback" in log.getvalue()


def test_the_server_still_says_that_it_lives(visitor: Client, away: None) -> None:
    assert visitor.get("/healthz").content == b"ok\n"
    assert visitor.get("/readyz").content == b"database: not reachable\n"
