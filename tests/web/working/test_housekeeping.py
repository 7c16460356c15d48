"""What is done with goes by itself; what anything still names never does."""

from __future__ import annotations

import dataclasses
import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from django_ox.models import OxScheduleTick, OxTask
from django_ox.schedules import schedules_from_options
from django_ox.testing import run_tasks
from pytest_django import Settings
from tests.web.cast import Cast, make_cast
from tests.web.runs import accepted, settled

from toprung.web.core import queue
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Upload
from toprung.web.core.queue_names import LEASE_SECONDS
from toprung.web.ops import working
from toprung.web.ops.housekeeping.orphans import delete_orphans
from toprung.web.ops.housekeeping.trying_again import try_again
from toprung.web.ops.housekeeping.wrong_clock import forget_the_future
from toprung.web.ops.working import BoardWorker

pytestmark = pytest.mark.postgres

LONG_AGO = timedelta(days=30)


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Files of this test alone."""
    options = settings.STORAGES["default"]["OPTIONS"] | {"location": tmp_path / "files"}
    settings.STORAGES = settings.STORAGES | {"default": settings.STORAGES["default"] | {"OPTIONS": options}}
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, data_folder=tmp_path)
    (tmp_path / "incoming").mkdir()
    return tmp_path


@pytest.fixture
def kept(folder: Path, db: None) -> Cast:
    return make_cast()


def age(folder: Path, ago: timedelta = LONG_AGO) -> list[Path]:
    """Everything that lies there, made old."""
    files = sorted(path for path in (folder / "files").rglob("*") if path.is_file())
    for path in files:
        os.utime(path, (time.time() - ago.total_seconds(),) * 2)
    return files


def make_task(status: str, ago: timedelta, path: str = "x.y", **fields: object) -> OxTask:
    at = timezone.now() - ago
    return OxTask.objects.create(
        task_path=path, backend_name="default", status=status, enqueued_at=at, finished_at=at, **fields
    )


def test_nothing_that_a_row_names_is_ever_deleted(kept: Cast, folder: Path) -> None:
    """Labels of both boards, a run on the board with its Parquet, a file that waits, one that was accepted."""
    settled(kept, "first", 4)
    accepted(kept)
    Upload.objects.create(
        board=kept.board,
        team=kept.team,
        user=kept.participant,
        file_name="run.txt",
        original=ContentFile(b"waits", name="x"),
        size=5,
        digest="sha256:0",
    )
    files = age(folder)
    assert len(files) == 6 + 2 + 2 + 1
    assert delete_orphans() == 0
    assert all(path.exists() for path in files)


def test_files_that_a_kill_left_go_after_a_day(kept: Cast, folder: Path) -> None:
    settled(kept, "first", 4)
    left = [default_storage.save(f"{name}/2026/11/left", ContentFile(b"x")) for name in ("uploads", "runs")]
    left.append(default_storage.save("labels/left", ContentFile(b"x")))
    age(folder, timedelta(hours=23))
    assert delete_orphans() == 0
    age(folder, timedelta(hours=25))
    assert delete_orphans() == 3
    assert not any(default_storage.exists(name) for name in left)
    assert delete_orphans() == 0


def test_the_rest_of_the_store_is_not_ours(kept: Cast, folder: Path) -> None:
    """Other folders may be anything: pieces of uploads, bundles, what somebody put there."""
    name = default_storage.save("elsewhere/file", ContentFile(b"x"))
    age(folder)
    assert delete_orphans() == 0
    assert default_storage.exists(name)


def test_where_the_database_is_another_nothing_is_deleted(
    kept: Cast, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(25):
        default_storage.save(f"runs/{number}", ContentFile(b"x"))
    files = age(folder)
    assert delete_orphans() == 0
    assert all(path.exists() for path in files)
    assert "Found 25 of 31 files that no row of the database names" in caplog.text


def test_finished_tasks_are_kept_for_a_week(kept: Cast, folder: Path) -> None:
    for status in ("SUCCESSFUL", "FAILED"):
        make_task(status, timedelta(days=8))
        make_task(status, timedelta(days=6))
    waiting = make_task("READY", timedelta(days=60), run_after=timezone.now() + timedelta(days=1))
    queue.keep_house.call()
    assert OxTask.objects.count() == 3
    assert OxTask.objects.filter(pk=waiting.pk).exists()


def test_turns_of_the_minute_are_kept_for_an_hour(kept: Cast, folder: Path) -> None:
    path = "toprung.web.core.queue.try_again"
    make_task("SUCCESSFUL", timedelta(minutes=61), path)
    make_task("SUCCESSFUL", timedelta(minutes=59), path)
    failed = make_task("FAILED", timedelta(minutes=61), path)
    queue.keep_house.call()
    assert OxTask.objects.count() == 2
    assert OxTask.objects.filter(pk=failed.pk).exists()


def test_sessions_that_ended_are_cleared(kept: Cast, folder: Path) -> None:
    for key, days in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="x", expire_date=timezone.now() + timedelta(days=days))
    queue.keep_house.call()
    assert [each.session_key for each in Session.objects.all()] == ["new"]


def test_uploads_that_were_cut_short_are_cleared_after_a_day(kept: Cast, folder: Path) -> None:
    for name, hours in (("old", 25), ("new", 23)):
        path = folder / "incoming" / name
        path.touch()
        os.utime(path, (time.time() - hours * 3600,) * 2)
    queue.keep_house.call()
    assert [path.name for path in (folder / "incoming").iterdir()] == ["new"]


def test_what_failed_because_the_store_was_away_is_tried_again_and_nothing_else(db: None) -> None:
    away = [{"exception_class_path": "toprung.web.core.store.files.FilesAwayError", "traceback": ""}]
    fault = [{"exception_class_path": "builtins.KeyError", "traceback": ""}]
    due = make_task("FAILED", timedelta(minutes=6), errors=[*fault, *away], attempts=5)
    make_task("FAILED", timedelta(minutes=4), errors=away, attempts=5)
    make_task("FAILED", timedelta(minutes=6), errors=[*away, *fault], attempts=5)
    make_task("FAILED", timedelta(days=4), errors=away, attempts=5)
    make_task("SUCCESSFUL", timedelta(minutes=6), errors=away, attempts=5)
    assert try_again() == 1
    assert OxTask.objects.get(status="READY").pk == due.pk


def test_a_task_whose_worker_was_killed_each_time_is_tried_again(db: None) -> None:
    make_task("LOST", timedelta(minutes=4), attempts=5)
    assert try_again() == 0
    due = make_task("LOST", timedelta(minutes=6), attempts=5)
    assert try_again() == 1
    assert OxTask.objects.get(status="READY").pk == due.pk


def test_a_clock_that_was_ahead_keeps_nothing_waiting(db: None) -> None:
    away = [{"exception_class_path": "django.db.utils.OperationalError", "traceback": ""}]
    for status, more in (("FAILED", {"errors": away}), ("LOST", {})):
        make_task(status, timedelta(hours=-3), attempts=5, **more)
    assert try_again() == 2
    now = timezone.now()
    tasks = {name: make_task("READY", timedelta(0)) for name in ("in hours", "in minutes", "at once")}
    OxTask.objects.filter(pk=tasks["in hours"].pk).update(run_after=now + timedelta(hours=3))
    OxTask.objects.filter(pk=tasks["in minutes"].pk).update(run_after=now + timedelta(minutes=9))
    for minutes in (-60, 0, 180):
        at = now + timedelta(minutes=minutes)
        OxScheduleTick.objects.create(schedule_name="keep-house", scheduled_for=at, created_at=at)
    assert forget_the_future() == 2
    assert OxTask.objects.get(pk=tasks["in hours"].pk).run_after is None
    assert OxTask.objects.get(pk=tasks["in minutes"].pk).run_after == now + timedelta(minutes=9)
    assert OxScheduleTick.objects.filter(scheduled_for__gt=now).count() == 0
    assert OxScheduleTick.objects.count() == 2


def test_a_task_of_a_dead_worker_is_taken_up_though_the_clock_was_ahead_when_it_was_begun(db: None) -> None:
    now, lock_timeout = timezone.now(), timedelta(seconds=LEASE_SECONDS)
    ahead = now + timedelta(hours=3)
    held = make_task("RUNNING", timedelta(0), locked_at=ahead, lease_expires_at=ahead + lock_timeout)
    alive = make_task("RUNNING", timedelta(0), locked_at=now, lease_expires_at=now + lock_timeout)
    assert forget_the_future() == 1
    held.refresh_from_db()
    assert now - timedelta(seconds=1) <= held.locked_at <= timezone.now(), "whoever lives has a whole lease to renew it"
    assert held.lease_expires_at - held.locked_at == lock_timeout
    OxTask.objects.update(lease_expires_at=now, locked_at=now - lock_timeout)
    OxTask.objects.filter(pk=alive.pk).update(lease_expires_at=now + lock_timeout)
    assert BoardWorker().reap() == 1
    held.refresh_from_db()
    assert held.status == "READY"


def test_a_worker_mends_what_a_wrong_clock_left(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    worker, clock = BoardWorker(), {"seconds": 1e6}
    monkeypatch.setattr(working.time, "monotonic", lambda: clock["seconds"])
    worker.dispatch_schedules()
    task = make_task("READY", timedelta(0))
    for seconds, is_free in ((1e6 + 50, False), (1e6 + 70, True)):
        clock["seconds"] = seconds
        OxTask.objects.filter(pk=task.pk).update(run_after=timezone.now() + timedelta(hours=3))
        worker.dispatch_schedules()
        task.refresh_from_db()
        assert (task.run_after is None) == is_free


def test_the_worker_has_its_turns(settings: Settings, folder: Path, db: None) -> None:
    schedules = schedules_from_options(settings.TASKS["default"]["OPTIONS"], "default")
    assert {each.name for each in schedules} == {"try-again", "keep-house", "delete-orphans", "check-database"}
    for each in schedules:
        each.task.enqueue()
    run_tasks(raise_failures=True)
    assert OxTask.objects.filter(status="SUCCESSFUL").count() == len(schedules)


def test_a_label_file_is_named_by_its_version(kept: Cast, folder: Path) -> None:
    """Also by versions that are not current: what was shown under them stays."""
    LabelSet.objects.update(is_current=False, superseded_at=timezone.now())
    files = age(folder)
    assert delete_orphans() == 0
    assert all(path.exists() for path in files)
