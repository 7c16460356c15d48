"""Logs tell what happened and how long it took, and never a secret, a label, a file's content or who somebody is."""

from __future__ import annotations

import io
import json
import logging
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import IntegrityError
from django.db import OperationalError as DatabaseAwayError
from django.test import Client
from django_ox.testing import run_tasks
from pytest_django import Settings
from tests.web.cast import PASSWORD, Cast
from tests.web.runs import accepted
from tests.web.working.test_running_apart import Web
from tests.web.working.test_serving import toprung, wait_for

from toprung import read_qrels
from toprung.data.run_card import RunCard
from toprung.errors import FormatError
from toprung.web.core.config.environment import Environment
from toprung.web.ops.logs import JSON, LINE, JsonFormatter, LineFormatter, logging_settings
from toprung.web.services.runs.submit import submit

TOKEN = "trt_0123456789abcdefghijklmnopqrstuvwxyz"
DOCUMENT, EMAIL, SECRET = "the-hidden-document", "participant@example.org", "s3cr3t"
LABEL = f"q17 0 {DOCUMENT} 1"
SECRETS = (TOKEN, "trt_0123", DOCUMENT, EMAIL, PASSWORD, SECRET, "sessionid=abc")


class Log:
    """What was written, in one of the two forms."""

    def __init__(self, formatter: logging.Formatter) -> None:
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(formatter)

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture(params=[LineFormatter, JsonFormatter])
def log(request: pytest.FixtureRequest) -> Iterator[Log]:
    yield from written_by(request.param())


@pytest.fixture
def json_log() -> Iterator[Log]:
    yield from written_by(JsonFormatter())


def written_by(formatter: logging.Formatter) -> Iterator[Log]:
    log, root = Log(formatter), logging.getLogger()
    levels = {name: logging.getLogger(name).level for name in ("toprung.requests", "toprung.tasks")}
    root.addHandler(log.handler)
    for name in levels:
        logging.getLogger(name).setLevel(logging.INFO)
    yield log
    root.removeHandler(log.handler)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def assert_tells_no_secret(text: str) -> None:
    found = [secret for secret in SECRETS if secret in text]
    assert found == []


# ---- requests ----


def test_a_request_is_one_object_in_one_line(client: Client, cast: Cast, json_log: Log) -> None:
    response = client.get("/b/web-docs/?q=s3cr3t")
    (line,) = json_log.lines()
    assert line["logger"] == "toprung.requests"
    assert line["message"] == "GET /b/web-docs/ 200"
    assert (line["method"], line["path"], line["view"], line["status"]) == ("GET", "/b/web-docs/", "leaderboard", 200)
    assert line["duration_ms"] > 0
    assert line["user"] is None
    assert line["level"] == "INFO"
    assert str(line["time"]).endswith("+00:00")
    assert line["request_id"] == response.headers["X-Request-Id"]


def test_a_person_is_told_by_a_name_that_only_the_server_can_make(client: Client, cast: Cast, json_log: Log) -> None:
    for person in (cast.participant, cast.stranger, cast.participant):
        client.force_login(person)
        client.get("/account/")
    first, other, again = (line["user"] for line in json_log.lines())
    assert first == again != other
    assert len(str(first)) == 12
    assert first != str(cast.participant.pk)
    assert_tells_no_secret(json_log.text)


def test_the_id_of_a_proxy_is_taken_over_only_where_there_is_one(client: Client, settings: Settings, db: None) -> None:
    import dataclasses

    said = {"x-request-id": "abcdef-0123456789"}
    assert client.get("/healthz", headers=said).headers["X-Request-Id"] != said["x-request-id"]
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, public_url="https://board.example.org")
    assert client.get("/healthz", headers=said).headers["X-Request-Id"] == said["x-request-id"]
    forged = {"x-request-id": 'x" injected: 1'}
    assert "injected" not in client.get("/healthz", headers=forged).headers["X-Request-Id"]


def test_headers_queries_and_links_leave_no_secret(client: Client, cast: Cast, log: Log) -> None:
    client.get(f"/?token={TOKEN}", headers={"authorization": f"Bearer {TOKEN}", "cookie": "sessionid=abc"})
    client.get(f"/api/v1/me?token={TOKEN}", headers={"authorization": f"Bearer {TOKEN}"})
    client.get("/link/s3cr3t:of:someone/")
    client.get("/join/s3cr3t/")
    client.get("/accounts/password/reset/key/1-s3cr3t/")
    client.post("/accounts/login/", {"login": "participant@example.org", "password": PASSWORD + "s3cr3t"})
    Client(enforce_csrf_checks=True).post(f"/link/s3cr3t/?next={TOKEN}", headers={"cookie": "sessionid=abc"})
    assert "/link/…/" in log.text
    assert_tells_no_secret(log.text)


# ---- what goes wrong ----


def faults() -> dict[str, Callable[[], object]]:
    """Ways in which code of ours fails with something hidden in its hands."""

    def in_a_message() -> None:
        hidden = LABEL  # also in a local variable
        raise ValueError(f"cannot read {hidden}")

    def as_a_key() -> None:
        _ = {"a": 1}[DOCUMENT]

    def with_a_cause() -> None:
        try:
            in_a_message()
        except ValueError as error:
            raise RuntimeError(f"while reading for {EMAIL}: {error}") from error

    def in_a_note() -> None:
        error = OSError("disk")
        error.add_note(LABEL)
        raise error

    def in_a_group() -> None:
        raise ExceptionGroup(SECRET, [ValueError(LABEL), KeyError(TOKEN)])

    def by_the_database() -> None:
        raise IntegrityError(f"duplicate key: Key (email)=({EMAIL}) already exists.")

    def by_a_connection() -> None:
        raise DatabaseAwayError(f"connection to postgresql://toprung:{SECRET}@db/x failed\nDETAIL: {LABEL}")

    return {
        each.__name__: each
        for each in (in_a_message, as_a_key, with_a_cause, in_a_note, in_a_group, by_the_database, by_a_connection)
    }


@pytest.mark.parametrize("fault", faults())
def test_a_fault_of_ours_is_traced_without_what_it_had_in_hands(
    fault: str, cast: Cast, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> object:
        return faults()[fault]()

    monkeypatch.setattr("toprung.web.site.organise.labels.get_board_for_viewer", fail)
    address = f"/b/web-docs/labels/{cast.board.label_sets.get(use='dev').pk}/"
    response = Client(raise_request_exception=False).get(f"{address}?q=s3cr3t")
    status, says = (503, "Service Unavailable") if fault == "by_a_connection" else (500, "Internal Server Error")
    assert response.status_code == status
    assert f"{says}: {address}" in log.text
    assert "test_logging.py" in log.text  # where it was raised
    assert_tells_no_secret(log.text)
    assert_tells_no_secret(response.content.decode())


def test_a_line_of_a_label_file_is_never_quoted(log: Log, tmp_path: Path) -> None:
    """The message of a FormatError quotes the line, for who gave the file; the log is not theirs."""
    path = tmp_path / "labels.txt"
    path.write_text(f"{LABEL}\nq17 0 the-hidden-document not-a-grade\n")
    logger = logging.getLogger("toprung.web.services")
    with pytest.raises(FormatError, match="not-a-grade") as caught:
        read_qrels(path)
    logger.error("The labels cannot be read: %s", caught.value, exc_info=caught.value)
    logger.error(caught.value)
    logger.warning("Once more", exc_info=caught.value)
    assert log.text.count("FormatError") >= 3
    assert "not-a-grade" not in log.text
    assert_tells_no_secret(log.text)


def test_a_traceback_that_another_handler_formatted_is_not_taken_over(log: Log) -> None:
    first = logging.StreamHandler(io.StringIO())
    logging.getLogger().handlers.insert(0, first)
    try:
        raise ValueError(LABEL)
    except ValueError:
        logging.getLogger("any").exception("It failed")
    finally:
        logging.getLogger().removeHandler(first)
    assert "the-hidden-document" in first.stream.getvalue()
    assert_tells_no_secret(log.text)


def test_what_speaks_of_the_machine_is_said(log: Log) -> None:
    for error in (
        DatabaseAwayError("database is locked"),
        AttributeError("'NoneType' object has no attribute 'score'"),
    ):
        logging.getLogger("any").error("It failed", exc_info=error)
    assert "database is locked" in log.text
    assert "has no attribute 'score'" in log.text


# ---- tasks ----


def test_a_task_is_noted_with_its_outcome(cast: Cast, json_log: Log) -> None:
    submit(accepted(cast), RunCard(name="first"), by=cast.participant)
    run_tasks(max_tasks=1, raise_failures=True)
    (line,) = [line for line in json_log.lines() if line["logger"] == "toprung.tasks"]
    assert line["message"] == "score successful"
    assert (line["task"], line["outcome"]) == ("toprung.web.core.queue.score", "successful")
    assert (line["attempt"], line["level"]) == (1, "INFO")
    assert line["duration_ms"] >= 0


def test_a_task_that_fails_on_labels_tells_none(cast: Cast, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    submit(accepted(cast), RunCard(name="first"), by=cast.participant)

    def fail(_: int) -> None:
        raise OSError(f"cannot read {LABEL} for {cast.participant.email}")

    monkeypatch.setattr("toprung.web.services.runs.score.score_submission", fail)
    run_tasks(max_tasks=1)
    assert "OSError" in log.text
    assert_tells_no_secret(log.text)


# ---- settings and a real server ----


def test_lines_are_for_people_and_leave_every_request_out() -> None:
    def level(form: str, name: str) -> object:
        return logging_settings(form)["loggers"][name]["level"]

    assert (level(LINE, "toprung.requests"), level(JSON, "toprung.requests")) == ("WARNING", "INFO")
    assert (level(LINE, "toprung.tasks"), level(JSON, "toprung.tasks")) == ("WARNING", "INFO")
    assert logging_settings(JSON)["handlers"]["stderr"]["formatter"] == "json"
    key = {"TOPRUNG_SECRET_KEY": "k" * 32}
    assert Environment.read(key).log_format == "line"
    with pytest.raises(Exception, match="TOPRUNG_LOG_FORMAT: found 'xml'; expected line or json"):
        Environment.read(key | {"TOPRUNG_LOG_FORMAT": "xml"})


def test_a_served_board_writes_json_without_secrets(tmp_path: Path) -> None:
    """Also where the server itself refuses what was sent, before any of our code sees it."""
    folder = tmp_path / "board"
    assert toprung("migrate", "--data", folder).returncode == 0
    web = Web(folder, TOPRUNG_LOG_FORMAT="json")
    try:
        web.get(f"/?token={TOKEN}", Authorization=f"Bearer {TOKEN}", Cookie="sessionid=abc")
        web.get("/link/s3cr3t/")
        for request in (
            f"GET /?{TOKEN} HTTP/1.1\r\nHost: localhost\r\nAuthorization : Bearer {TOKEN}\r\n\r\n",
            f"GET /link/s3cr3t/ HTTP/9.9\r\nHost: localhost\r\nCookie: sessionid=abc\r\nX: {TOKEN}\r\n\r\n",
            f"{TOKEN} / HTTP/1.1\r\n\r\n",
        ):
            with socket.create_connection(("127.0.0.1", web.port), timeout=300) as connection:
                connection.sendall(request.encode())
                assert connection.recv(1000).split(b" ")[1] in (b"400", b"505")
        web.get("/", Host="evil.example.org")
        web.get("/methods/")
        wait_for(lambda: "/methods/" in web.printed)
    finally:
        assert web.stop() == 0
    lines = web.printed.splitlines()[1:]  # the first says where it listens
    assert {json.loads(line)["logger"] for line in lines} >= {"toprung.requests"}
    assert_tells_no_secret(web.printed)
