"""Something waits: how long stands on the page, and that nobody works is told to who waits and to who can help."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_ox.models import OxTask
from django_ox.testing import run_tasks
from tests.web.cast import Cast
from tests.web.runs import accepted, post_words, send

from toprung.web.core.models.runs import Upload
from toprung.web.core.models.work import WorkerSeen
from toprung.web.core.queue import check, enqueue_once, examine, refresh, rescore, score, settle
from toprung.web.core.queue_names import LATER, URGENT
from toprung.web.core.work.running import running_on
from toprung.web.core.work.state import WorkState
from toprung.web.core.work.workers import forget_workers, note_worker
from toprung.web.ops.run import workers

SILENT = "No worker has been seen for 45 s"


def worker_seen(ago: float) -> None:
    WorkerSeen.objects.update_or_create(worker="one", defaults={"seen_at": timezone.now() - timedelta(seconds=ago)})


def waited(seconds: float) -> None:
    OxTask.objects.update(enqueued_at=timezone.now() - timedelta(seconds=seconds))


@pytest.mark.parametrize(("ago", "is_told"), [(25, False), (45, True)])
def test_who_waits_for_a_check_is_told_that_no_worker_is_there(
    client: Client, cast: Cast, ago: float, is_told: bool
) -> None:
    client.force_login(cast.participant)
    send(client, cast)
    worker_seen(ago)
    waited(20)
    page = client.get(reverse("upload", args=["web-docs", Upload.objects.get().pk])).content.decode()
    assert (SILENT in page) == is_told
    assert "1 file or run waits for a check or a score, for 20 s." in page


def test_who_waits_for_a_score_is_told_too(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    post_words(client, cast, accepted(cast))
    worker_seen(45)
    page = client.get("/b/web-docs/runs/R1/status/").content.decode()
    assert f"{SILENT}, so nothing is checked or scored now. What you sent is kept" in page
    assert "?seen=queued-1-silent" in page, "a page that follows it learns when one is back"


def test_organisers_are_told_what_is_wrong_and_others_are_not(client: Client, cast: Cast) -> None:
    worker_seen(45)
    with running_on(settings.ENVIRONMENT.data_folder, "worker") as part:
        part.tell(["The worker ended 3 times in a row; it is started again each time."])
        client.force_login(cast.organiser)
        page = client.get(reverse("policy", args=["web-docs"])).content.decode()
        assert f"{SILENT}. Nothing waits for a check or a score. Is toprung serve" in page
        assert "The worker ended 3 times in a row" in page
        client.force_login(cast.participant)
        assert "in a row" not in client.get(reverse("submit", args=["web-docs"])).content.decode()


@pytest.mark.django_db
def test_a_worker_at_a_long_task_is_not_taken_for_gone() -> None:
    worker_seen(600)
    now = timezone.now()
    OxTask.objects.create(
        task_path="x.y",
        backend_name="default",
        status="RUNNING",
        enqueued_at=now,
        lease_expires_at=now + timedelta(seconds=20),
    )
    assert not WorkState.find().is_silent


@pytest.mark.django_db
def test_a_worker_that_was_seen_by_a_clock_that_was_ahead_is_not_taken_for_one_that_lives() -> None:
    """The clock is set back by three hours, and the worker dies: what it wrote down lies in hours to come."""
    worker_seen(-3 * 3600)
    ahead = timezone.now() + timedelta(hours=3)
    OxTask.objects.create(
        task_path="x.y", backend_name="default", status="RUNNING", enqueued_at=ahead, lease_expires_at=ahead
    )
    assert WorkState.find().is_silent
    note_worker("another")
    assert not WorkState.find().is_silent


@pytest.mark.django_db
def test_a_worker_says_that_it_is_there_and_is_forgotten_when_long_gone() -> None:
    note_worker("one")
    note_worker("one")
    assert not WorkState.find().is_silent
    worker_seen(2 * 86_400)
    forget_workers()
    assert not WorkerSeen.objects.exists()
    assert WorkState.find().silence.startswith("No worker was seen yet, so nothing is checked")


# ---- what is done first ----


def test_what_people_wait_for_is_done_in_its_order_before_what_pages_show(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Done by one worker, which takes all."""
    done: list[str] = []
    monkeypatch.setattr("toprung.web.core.queue._do", lambda service, *_: done.append(service.partition(":")[2]))
    for task, arguments in (
        (examine, (1,)),
        (rescore, (1, 1, 50)),
        (refresh, (1,)),
        (settle, (1,)),
        (score, (1,)),
        (check, (1,)),
    ):
        task.enqueue(*arguments)
    run_tasks(raise_failures=True)
    assert done == [
        "settle_and_refresh",
        "score_or_fail",
        "queue_after_run",
        "check_upload",
        "queue_after_file",
        "refresh_results",
        "rescore_slice",
        "examine_board",
    ]


def test_refreshes_of_one_board_are_one_and_of_two_boards_two(cast: Cast) -> None:
    asked = [enqueue_once(refresh, pk) for pk in (1, 1, 2, 1)]
    assert asked == [True, False, True, False]
    assert OxTask.objects.count() == 2
    OxTask.objects.filter(args=[1]).update(status=OxTask.Status.RUNNING)
    assert enqueue_once(refresh, 1), "one that has begun may have read what was before"


def test_of_several_workers_one_does_only_what_people_wait_for() -> None:
    (alone,) = workers(1)
    assert "--queues" not in alone.command, "it takes all, in the order of their urgency"
    first, *others = workers(3)
    assert list(first.command)[-2:] == ["--queues", URGENT]
    assert not any("--queues" in other.command for other in others)
    assert all(each.is_spared for each in (alone, first, *others))
    assert (check.queue_name, score.queue_name, settle.queue_name) == (URGENT,) * 3
    assert (refresh.queue_name, examine.queue_name, rescore.queue_name) == (LATER,) * 3
