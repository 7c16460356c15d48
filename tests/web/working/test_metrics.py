"""Who shows the token sees how busy the board is, in counts that name nobody and nothing."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django_ox.models import OxTask
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings
from tests.web.cast import Cast
from tests.web.runs import accepted, settled

from toprung.errors import InputError
from toprung.web.core.config.environment import Environment
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission, Upload, UploadState

TOKEN = "only-for-tests-0123456789"


@pytest.fixture(autouse=True)
def token(settings: Settings) -> None:
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, metrics_token=TOKEN)


def read(client: Client) -> dict[str, float]:
    """Each sample, by its name and its labels."""
    response = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    return {
        " ".join([sample.name, *(value for _, value in sorted(sample.labels.items()))]): sample.value
        for family in text_string_to_metric_families(response.content.decode())
        for sample in family.samples
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    "said", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", "Bearer é"]
)
def test_without_the_token_nothing_is_told(client: Client, said: str) -> None:
    response = client.get("/metrics", headers={"authorization": said} if said else {})
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert b"toprung_" not in response.content


@pytest.mark.django_db
def test_where_no_token_is_set_there_is_no_such_page(client: Client, settings: Settings) -> None:
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, metrics_token="")
    for said in ("Bearer ", f"Bearer {TOKEN}"):
        assert client.get("/metrics", headers={"authorization": said}).status_code == 404


def test_a_token_that_is_too_short_is_refused_and_not_shown() -> None:
    key = {"TOPRUNG_SECRET_KEY": "k" * 32}
    with pytest.raises(InputError) as refusal:
        Environment.read(key | {"TOPRUNG_METRICS_TOKEN": "short-secret"})
    assert str(refusal.value).startswith("TOPRUNG_METRICS_TOKEN: found 12 characters; expected at least 16")
    assert "short-secret" not in str(refusal.value)
    assert TOKEN not in repr(Environment.read(key | {"TOPRUNG_METRICS_TOKEN": TOKEN}))


def test_requests_are_counted_by_page_and_status_and_timed(client: Client, cast: Cast) -> None:
    before = read(client)
    client.get("/b/web-docs/")
    client.get("/b/elsewhere/")
    client.get("/b/not-there/")
    client.get("/nowhere-at-all/")
    after = read(client)
    grown = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name)}
    assert grown["toprung_requests_total GET 200 leaderboard"] == 2
    assert grown["toprung_requests_total GET 404 leaderboard"] == 1
    assert grown["toprung_requests_total GET 404 unknown"] == 1
    assert grown["toprung_request_duration_seconds_count leaderboard"] == 3
    assert grown["toprung_request_duration_seconds_bucket +Inf leaderboard"] == 3


@pytest.mark.django_db
def test_a_method_that_nobody_knows_makes_no_new_name(client: Client) -> None:
    for number in range(3):
        client.generic(f"INVENTED{number}", "/methods/")
    assert read(client)["toprung_requests_total other 405 methods"] >= 3


def test_submissions_uploads_and_boards_are_counted(client: Client, cast: Cast) -> None:
    for number in (1, 2):
        settled(cast, f"run-{number}", 4)
    Submission.objects.filter(name="run-2").update(state="queued")
    waiting = accepted(cast)
    Upload.objects.filter(pk=waiting.pk).update(state=UploadState.CHECKING)
    Board.objects.filter(pk=cast.board.pk).update(results_due=7, results_done=5)
    Board.objects.filter(pk=cast.other_board.pk).update(results_due=5, results_done=5)
    found = read(client)
    assert found["toprung_submissions done"] == 1
    assert found["toprung_submissions queued"] == 1
    assert found["toprung_submissions failed"] == 0
    assert found["toprung_uploads_waiting"] == 1
    assert found["toprung_boards_behind"] == 1
    assert found["toprung_free_bytes"] > 0


@pytest.mark.django_db
def test_tasks_are_counted_with_the_age_of_the_oldest(client: Client) -> None:
    now = timezone.now()
    for status, ago in (("READY", 90), ("READY", 10), ("RUNNING", 200), ("FAILED", 300), ("SUCCESSFUL", 900)):
        OxTask.objects.create(
            task_path="x.y",
            backend_name="default",
            status=status,
            enqueued_at=now - timedelta(seconds=ago),
            queue_name="default",
        )
    found = read(client)
    assert [found[f"toprung_tasks {state}"] for state in ("waiting", "running", "failed", "lost")] == [2, 1, 1, 0]
    assert 90 <= found["toprung_oldest_task_seconds"] < 120


def test_a_label_version_in_preparation_shows_how_far_it_is(client: Client, cast: Cast) -> None:
    first, _ = settled(cast, "run-1", 4), settled(cast, "run-2", 4)
    official = cast.board.label_sets.get(use="official")
    columns = first.first_ranks.get(label_set=official)
    official.pk, official.version, official.current_since, official.is_current = None, 2, None, False
    official.save()
    columns.pk, columns.label_set = None, LabelSet.objects.get(pk=official.pk)
    columns.save()
    found = read(client)
    assert found["toprung_label_versions_preparing"] == 1
    assert found["toprung_label_version_runs scored"] == 1
    assert found["toprung_label_version_runs waiting"] == 1


def test_nothing_is_named(client: Client, cast: Cast) -> None:
    settled(cast, "a-run-of-ours", 4)
    client.force_login(cast.participant)
    client.get("/b/web-docs/")
    client.get("/teams/kestrel-lab/")
    client.get("/b/web-docs/runs/R1/")
    text = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).content.decode().lower()
    for name in ("web-docs", "kestrel", "a-run-of-ours", "r1", "@", TOKEN):
        assert name not in text
