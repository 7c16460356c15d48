"""What watches over a server learns whether it can do its work, and nothing else."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from django_ox.models import OxTask
from pytest_django import Settings

from toprung.web.core.models.work import SchemaDigest, WorkerSeen
from toprung.web.core.work.running import running_on
from toprung.web.ops.watch import readiness

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def seen_nothing(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> Path:
    """A server that has just begun, with a folder of its own."""
    monkeypatch.setattr(readiness, "_seen", {})
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, data_folder=tmp_path)
    (tmp_path / "files").mkdir()
    return tmp_path


def turn_of_a_worker(ago: timedelta) -> None:
    WorkerSeen.objects.update_or_create(worker="one", defaults={"seen_at": timezone.now() - ago})


def ask(client: Client) -> tuple[int, dict[str, str]]:
    response = client.get("/readyz")
    parts = dict(line.split(": ") for line in response.content.decode().splitlines())
    return response.status_code, parts


def test_all_is_ready(client: Client) -> None:
    client.get("/healthz")  # the first request loads all pages, which may take longer than a worker may be silent
    turn_of_a_worker(timedelta(seconds=25))
    assert ask(client) == (200, {"database": "ok", "tables": "ok", "files": "ok", "worker": "ok"})


def test_no_worker_was_ever_there(client: Client) -> None:
    status, parts = ask(client)
    assert status == 503
    assert parts["worker"] == "not seen lately"


def test_a_worker_that_was_silent_for_half_a_minute_is_missed(client: Client) -> None:
    turn_of_a_worker(timedelta(seconds=31))
    assert ask(client)[1]["worker"] == "not seen lately"


def test_a_worker_that_works_on_something_long_is_there(client: Client) -> None:
    now = timezone.now()
    task = OxTask.objects.create(
        task_path="x.y",
        backend_name="default",
        status="RUNNING",
        enqueued_at=now,
        lease_expires_at=now + timedelta(seconds=20),
    )
    assert ask(client)[1]["worker"] == "ok"
    OxTask.objects.filter(pk=task.pk).update(lease_expires_at=now - timedelta(seconds=1))
    assert ask(client)[1]["worker"] == "not seen lately"


def test_a_worker_that_dies_again_and_again_is_said_while_its_parent_lives(client: Client, seen_nothing: Path) -> None:
    turn_of_a_worker(timedelta(0))
    with running_on(seen_nothing, "serve") as part:
        part.tell(["The worker ended 3 times in a row; it is started again each time."])
        assert ask(client)[1]["worker"] == "ends again and again"
    assert ask(client)[1]["worker"] == "ok", "what a process said that is gone tells nothing"


def test_files_that_are_away_are_said(client: Client, seen_nothing: Path) -> None:
    turn_of_a_worker(timedelta(0))
    (seen_nothing / "files").rmdir()
    status, parts = ask(client)
    assert (status, parts["files"]) == (503, "not reachable")


def test_tables_that_are_behind_are_said(client: Client) -> None:
    MigrationRecorder.Migration.objects.filter(app="sessions", name="0001_initial").delete()
    assert ask(client) == (503, {"database": "ok", "tables": "not up to date"})


def test_tables_that_a_version_with_other_models_used_last_are_said(client: Client) -> None:
    assert SchemaDigest.objects.update(digest="sha256:0") == 1
    assert ask(client) == (503, {"database": "ok", "tables": "not up to date"})


def test_a_database_that_is_away_is_said_in_words_that_tell_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError('connection to server at "db.internal", port 5432 failed: password for "toprung"')

    monkeypatch.setattr(connection, "cursor", refuse)
    response = client.get("/readyz")
    assert (response.status_code, response.content) == (503, b"database: not reachable\n")
    assert client.get("/healthz").content == b"ok\n"  # to start the server again would mend nothing


def test_what_was_ready_is_not_asked_again_at_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(readiness, "look_at_files", lambda: asked.append(1))
    for _ in range(5):
        ask(client)
    assert asked == [1]


def test_the_watchers_are_not_sent_to_tls(client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
    turn_of_a_worker(timedelta(0))
    assert [client.get(path).status_code for path in ("/healthz", "/readyz", "/metrics")] == [200, 200, 404]
    assert client.get("/methods/").status_code == 301
