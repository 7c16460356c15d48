"""Files sent and runs submitted as the pages do it, and runs settled without the pages, where a test is about more."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django_ox.testing import run_tasks
from tests.web.cast import Cast, even_ranks, make_upload, run_text

from toprung.data.run_card import RunCard
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import Submission, Upload
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import submit

GOOD = run_text(even_ranks(2))
WORDS = {"name": "first", "description": "The first of all."}


def send(client: Client, cast: Cast, content: bytes = GOOD, name: str = "run.txt", **extra: Any) -> HttpResponse:
    """Post a file as the form does."""
    fields = {"team": cast.team.slug, "file": SimpleUploadedFile(name, content)}
    return client.post(reverse("send_file", args=[cast.board.slug]), fields, **extra)


def checked(client: Client, cast: Cast, content: bytes = GOOD, name: str = "run.txt") -> Upload:
    """Send a file and run its check, the only task that there is then."""
    response = send(client, cast, content, name)
    assert response.status_code == 302, response.content.decode()
    run_tasks(max_tasks=1, raise_failures=True)
    return Upload.objects.latest("pk")


def post_words(client: Client, cast: Cast, upload: Upload | None, **words: str) -> HttpResponse:
    chosen = {} if upload is None else {"upload": str(upload.pk)}
    return client.post(reverse("submit", args=[cast.board.slug]), WORDS | chosen | words)


def accepted(cast: Cast, content: bytes = GOOD, *, team: Team | None = None, user: User | None = None) -> Upload:
    """A file that was checked, without the pages."""
    upload = make_upload(cast.board, team or cast.team, user or cast.participant, content)
    check_upload(upload.pk)
    upload.refresh_from_db()
    return upload


def settled(
    cast: Cast, name: str, rank: int, *, team: Team | None = None, user: User | None = None, **words: Any
) -> Submission:
    """A run on the board that finds every answer at this rank; the pages are not computed."""
    content = run_text(even_ranks(rank), name=name, team="" if team is None else team.slug)
    upload = accepted(cast, content, team=team, user=user)
    submission = submit(upload, RunCard(name=name, **words), by=user or cast.participant)
    score_submission(submission.pk)
    settle_board(cast.board.pk)
    submission.refresh_from_db()
    cast.board.refresh_from_db()
    return submission
