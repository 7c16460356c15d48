"""Organisers add runs of their own: checked like any other, not charged, no claim; the best holds the rung first."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django_ox.models import OxTask
from django_ox.testing import run_tasks
from tests.web.cast import Cast, even_ranks, run_text
from tests.web.runs import settled

from toprung.web.core.models.claims import Claim
from toprung.web.core.models.runs import Charge, Submission, Upload
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.receive import MOST_ENDED
from toprung.web.services.runs.score import score_submission

PAGE = "/b/web-docs/organise/baselines/"


def send(client: Client, content: bytes, name: str = "bm25.run") -> Any:
    return client.post(PAGE, {"file": SimpleUploadedFile(name, content), "whole": "1"})


def add(client: Client, rank: int, name: str) -> Submission:
    send(client, run_text(even_ranks(rank)))
    upload = Upload.objects.latest("pk")
    check_upload(upload.pk)
    response = client.post(f"{PAGE}{upload.pk}/add/", {"name": name, "description": "Default parameters."})
    assert response.status_code == 302, response.content.decode()
    submission = Submission.objects.get(name=name)
    score_submission(submission.pk)
    settle_board(submission.board_id)
    return submission


@pytest.fixture
def organiser(client: Client, cast: Cast) -> Client:
    client.force_login(cast.organiser)
    return client


def test_only_organisers_of_the_board_add_baselines(client: Client, cast: Cast) -> None:
    for person in (cast.participant, cast.assessor, cast.other_organiser):
        client.force_login(person)
        assert client.get(PAGE).status_code == 404
        assert send(client, run_text(even_ranks(1))).status_code == 404
    assert not Upload.objects.exists()


def test_a_baseline_is_checked_named_and_not_charged(organiser: Client, cast: Cast) -> None:
    send(organiser, run_text(even_ranks(4)))
    page = organiser.get(PAGE).content.decode()
    assert "Queued" in page
    assert "hx-get" in page, "the page follows the check"
    run_tasks(max_tasks=1, raise_failures=True)
    page = organiser.get(PAGE).content.decode()
    assert "Accepted" in page
    assert "hx-get" not in page
    upload = Upload.objects.get()
    organiser.post(f"{PAGE}{upload.pk}/add/", {"name": "BM25"})
    baseline = Submission.objects.get()
    assert (baseline.run_id, baseline.is_baseline, baseline.team) == ("B1", True, None)
    assert not Charge.objects.exists()
    assert cast.board.audit.get().what == "Added baseline B1"


def test_the_best_baseline_holds_the_rung_and_none_claims_it(organiser: Client, cast: Cast) -> None:
    add(organiser, 8, "weak")
    best = add(organiser, 4, "strong")
    add(organiser, 6, "middle")
    cast.board.refresh_from_db()
    assert cast.board.holder == best
    assert not Claim.objects.exists()


def test_a_baseline_that_comes_late_takes_nothing(organiser: Client, cast: Cast) -> None:
    run = settled(cast, "first", 4)
    add(organiser, 1, "perfect")
    cast.board.refresh_from_db()
    assert cast.board.holder == run
    assert not Claim.objects.exists()


def test_a_faulty_file_is_refused_with_what_is_wrong(organiser: Client) -> None:
    send(organiser, b"q01 Q0 d1 1 high x\n", name="<script>alert(1)</script>.run")
    run_tasks(max_tasks=1, raise_failures=True)
    page = organiser.get(PAGE).content.decode()
    assert "Cannot be scored yet: 1 error" in page
    assert "<script>alert" not in page
    upload = Upload.objects.get()
    response = organiser.post(f"{PAGE}{upload.pk}/add/", {"name": "BM25"})
    assert response.status_code == 422
    assert not Submission.objects.exists()
    organiser.post(f"{PAGE}{upload.pk}/forget/")
    assert "Forget the file" not in organiser.get(PAGE).content.decode()
    upload.refresh_from_db()
    assert (upload.state, upload.original.name) == ("forgotten", "")


@pytest.mark.parametrize("state", ["waiting", "checking"])
def test_a_file_is_not_forgotten_while_it_is_checked(organiser: Client, state: str) -> None:
    """Its check would go on without it, and the next file be checked beside it: one person then has all workers."""
    send(organiser, run_text(even_ranks(4)))
    Upload.objects.update(state=state)
    OxTask.objects.update(status="RUNNING")
    response = organiser.post(f"{PAGE}{Upload.objects.get().pk}/forget/")
    assert response.status_code == 409
    assert "Found a file that is being checked; expected one whose check is over." in response.content.decode()
    send(organiser, run_text(even_ranks(5)))
    assert list(Upload.objects.order_by("pk").values_list("state", flat=True)) == [state, "waiting"]
    assert OxTask.objects.filter(task_path__endswith="queue.check").count() == 1


def test_files_that_are_forgotten_count_as_sent(organiser: Client) -> None:
    for _ in range(MOST_ENDED):
        assert send(organiser, run_text(even_ranks(4))).status_code == 302
        upload = Upload.objects.latest("pk")
        Upload.objects.filter(pk=upload.pk).update(state="refused", report={"ended_reader": True})
        assert organiser.post(f"{PAGE}{upload.pk}/forget/").status_code == 302
    response = send(organiser, run_text(even_ranks(4)))
    assert response.status_code == 429
    assert f"Found {MOST_ENDED} files in the last hour that took more" in response.content.decode()


@pytest.mark.parametrize("name", ["", "first", "x" * 81])
def test_a_name_that_cannot_be_adds_nothing(organiser: Client, cast: Cast, name: str) -> None:
    settled(cast, "first", 4)
    send(organiser, run_text(even_ranks(4)))
    upload = Upload.objects.latest("pk")
    Upload.objects.filter(pk=upload.pk).update(state="accepted")
    assert organiser.post(f"{PAGE}{upload.pk}/add/", {"name": name}).status_code == 422
    assert not Submission.objects.filter(is_baseline=True).exists()


def test_files_of_teams_are_not_taken_for_baselines(organiser: Client, cast: Cast) -> None:
    upload = settled(cast, "first", 4).upload
    assert organiser.post(f"{PAGE}{upload.pk}/add/", {"name": "mine now"}).status_code == 404
    assert organiser.post(f"{PAGE}{upload.pk}/forget/").status_code == 404
