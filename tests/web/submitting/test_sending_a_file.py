"""A file is sent: whole or not at all, never under the name its sender gave it, and within bounds."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings
from tests.web.cast import PASSWORD, Cast
from tests.web.runs import GOOD, send

from toprung.web.core.models.boards import BoardRole, Role
from toprung.web.core.models.runs import Charge, Submission, Upload, UploadState
from toprung.web.services.runs import receive as receiving
from toprung.web.services.runs.receive import shown_name

BOUNDARY = "a-boundary"


@pytest.fixture
def participant(client: Client, cast: Cast) -> Client:
    client.force_login(cast.participant)
    return client


def stored_files() -> set[Path]:
    return {path for path in settings.ENVIRONMENT.files.rglob("*") if path.is_file()}


def multipart(cast: Cast, *, until: int | None = None) -> bytes:
    """The form as it travels, or only its first bytes."""
    fields = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="team"\r\n\r\n{cast.team.slug}\r\n'
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="run.txt"\r\n\r\n'
    last = f"\r\n--{BOUNDARY}--\r\n"
    return (fields + head).encode() + GOOD[:until] + (b"" if until is not None else last.encode())


def test_a_file_waits_for_its_check_and_costs_nothing(participant: Client, cast: Cast) -> None:
    response = send(participant, cast)
    upload = Upload.objects.get()
    assert response.url == f"/b/web-docs/submit/?team=kestrel-lab&upload={upload.pk}"
    assert (upload.state, upload.size, upload.user) == (UploadState.WAITING, len(GOOD), cast.participant)
    with upload.original.open() as file:
        assert file.read() == GOOD
    assert not Submission.objects.exists()
    assert not Charge.objects.exists()


def test_with_script_the_panel_comes_back_and_the_address_changes(participant: Client, cast: Cast) -> None:
    response = send(participant, cast, headers={"HX-Request": "true"})
    assert response.status_code == 200
    assert response["HX-Push-Url"].endswith(f"upload={Upload.objects.get().pk}")
    assert b"Queued" in response.content
    assert b"<html" not in response.content


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\runs\\best.txt", "best.txt"),
        ("a\u202etxt.exe", "a[U+202E]txt.exe"),
        ("two\nlines.txt", "two lines.txt"),
        ("\x1b[31mred", "[U+001B][31mred"),
        ("/", "run"),
        ("x" * 300, "x" * 200),
    ],
)
def test_the_name_of_a_file_is_only_shown(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def test_a_name_with_folders_leads_nowhere(participant: Client, cast: Cast) -> None:
    send(participant, cast, name="../../../../tmp/evil<script>.txt")
    upload = Upload.objects.get()
    assert upload.file_name == "evil<script>.txt"
    path = Path(upload.original.path)
    assert path.is_relative_to(settings.ENVIRONMENT.files / "uploads")
    assert "evil" not in path.name
    page = participant.get(reverse("submit", args=["web-docs"]), {"upload": upload.pk}).content.decode()
    assert "evil&lt;script&gt;.txt" in page
    assert "evil<script>" not in page


def test_no_file_is_a_message(participant: Client, cast: Cast) -> None:
    response = participant.post("/b/web-docs/uploads/", {"team": cast.team.slug})
    assert response.status_code == 422
    assert b"Found no whole file; expected a run file." in response.content


def test_an_empty_file_is_a_message(participant: Client, cast: Cast) -> None:
    response = send(participant, cast, b"")
    assert response.status_code == 422
    assert not Upload.objects.exists()


def test_a_file_over_the_cap_is_refused_and_leaves_nothing(participant: Client, cast: Cast, settings: Settings) -> None:
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, max_upload_bytes=1 << 20)
    before = stored_files()
    response = send(participant, cast, b"x" * ((1 << 20) + 1))
    assert response.status_code == 413
    assert b"Found more than 1 MB" in response.content
    assert not Upload.objects.exists()
    assert stored_files() == before


def test_a_file_may_be_called_as_no_file_on_the_server_could_be(participant: Client, cast: Cast) -> None:
    """Its ending alone is longer than a name may be on the disk."""
    name = "run." + "\u00e9" * 190
    assert send(participant, cast, name=name).status_code == 302
    assert Upload.objects.get().file_name == name


@pytest.mark.parametrize("until", [0, 1, 500])
def test_an_upload_that_was_cut_short_is_refused(participant: Client, cast: Cast, until: int) -> None:
    """The connection was lost within the file: what arrived must not pass for a run with fewer queries."""
    before = stored_files()
    response = participant.post(
        "/b/web-docs/uploads/", multipart(cast, until=until), content_type=f"multipart/form-data; boundary={BOUNDARY}"
    )
    assert response.status_code == 422
    assert b"If one was cut short, send it again." in response.content
    assert not Upload.objects.exists()
    assert stored_files() == before


@pytest.mark.parametrize("length", ["10", "500", "0", "", "abc", "-5"])
def test_a_wrong_content_length_is_no_fault_of_the_server(participant: Client, cast: Cast, length: str) -> None:
    response = participant.post(
        "/b/web-docs/uploads/",
        multipart(cast),
        content_type=f"multipart/form-data; boundary={BOUNDARY}",
        CONTENT_LENGTH=length,
    )
    assert response.status_code in (400, 404, 422)
    assert not Upload.objects.exists()


def test_a_whole_upload_is_taken(participant: Client, cast: Cast) -> None:
    """The control of the two tests before."""
    response = participant.post(
        "/b/web-docs/uploads/", multipart(cast), content_type=f"multipart/form-data; boundary={BOUNDARY}"
    )
    assert response.status_code == 302
    assert Upload.objects.get().size == len(GOOD)


def test_who_is_not_signed_in_uploads_nothing(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking for the token reads the form before any view is asked: nothing of it may reach the disk."""
    monkeypatch.setattr("django.core.files.uploadhandler.TemporaryUploadedFile", lambda *_: pytest.fail("written"))
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    assert send(client, cast).status_code == 403
    response = send(Client(), cast)
    assert response.url.startswith("/accounts/login/")
    assert not Upload.objects.exists()


def test_nobody_sends_for_a_team_they_are_not_in(client: Client, cast: Cast) -> None:
    client.force_login(cast.stranger)
    assert send(client, cast).status_code == 404
    assert not Upload.objects.exists()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ASSESSOR])
def test_who_looks_on_or_judges_sends_nothing(participant: Client, cast: Cast, role: Role) -> None:
    BoardRole.objects.create(board=cast.board, user=cast.participant, role=role)
    assert send(participant, cast).status_code == 404


def test_a_board_that_is_closed_takes_no_file(participant: Client, cast: Cast) -> None:
    cast.board.closes_at = timezone.now()
    cast.board.save()
    response = send(participant, cast)
    assert response.status_code == 422
    assert b"is closed since" in response.content


def test_only_a_few_files_wait_at_once(participant: Client, cast: Cast) -> None:
    statuses = [send(participant, cast).status_code for _ in range(4)]
    assert statuses == [302, 302, 302, 429]
    assert Upload.objects.count() == 3


def test_the_files_of_team_mates_count_together(client: Client, cast: Cast) -> None:
    for user in (cast.participant, cast.mate, cast.participant):
        client.force_login(user)
        send(client, cast)
    client.force_login(cast.mate)
    assert send(client, cast).status_code == 429


def test_files_are_counted_by_the_hour(participant: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "MOST_IN_AN_HOUR", 2)
    for _ in range(2):
        send(participant, cast)
    Upload.objects.update(state=UploadState.REFUSED)
    response = send(participant, cast)
    assert response.status_code == 429
    assert b"files in the last hour" in response.content
    Upload.objects.update(sent_at=timezone.now() - timedelta(hours=1, seconds=1))
    assert send(participant, cast).status_code == 302


def test_a_full_disk_is_said(participant: Client, cast: Cast, settings: Settings) -> None:
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, max_upload_bytes=1 << 60)
    response = send(participant, cast)
    assert response.status_code == 507
    assert not Upload.objects.exists()


def test_a_file_that_cannot_be_recorded_is_not_kept(
    participant: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(upload: Upload, then: object) -> None:
        raise OSError("no database")

    monkeypatch.setattr(receiving, "_keep", fail)
    before = stored_files()
    with pytest.raises(OSError, match="no database"):
        send(participant, cast)
    assert stored_files() == before


def test_without_a_csrf_token_nothing_is_taken(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.login(email=cast.participant.email, password=PASSWORD)
    assert send(client, cast).status_code == 403
    assert not Upload.objects.exists()
