"""Files that nobody submits are not kept: the refused at once, the accepted for some days."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from django_ox.testing import run_tasks
from pytest_django import DjangoCaptureOnCommitCallbacks
from tests.web.cast import Cast
from tests.web.runs import accepted, checked, post_words, send, settled

from toprung.web.core.models.runs import Submission, Upload, UploadState
from toprung.web.services.runs.forget import MOST_KEPT, forget, forget_old_uploads, old_uploads

pytestmark = pytest.mark.postgres

WEEK_AND_MORE = timedelta(days=7, minutes=1)


def test_an_old_file_is_forgotten_with_what_was_made_of_it(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    old, new = accepted(cast), accepted(cast)
    Upload.objects.filter(pk=old.pk).update(sent_at=timezone.now() - WEEK_AND_MORE)
    with django_capture_on_commit_callbacks(execute=True):
        assert forget_old_uploads() == 1
    assert Upload.objects.get() == new
    assert not Path(old.original.path).exists()
    assert not Path(old.parquet.path).exists()
    assert Path(new.original.path).exists()


def test_an_old_file_that_is_being_checked_is_kept_for_a_week_more(cast: Cast) -> None:
    """Without its row the next file of its sender would be checked beside it."""
    old = accepted(cast)
    Upload.objects.update(state=UploadState.CHECKING, sent_at=timezone.now() - WEEK_AND_MORE)
    assert forget_old_uploads() == 0
    forget(old, old_uploads())
    assert Upload.objects.get() == old
    Upload.objects.update(sent_at=timezone.now() - 2 * WEEK_AND_MORE)
    assert forget_old_uploads() == 1
    assert not Upload.objects.exists()


def test_a_submitted_file_is_kept_for_good(cast: Cast) -> None:
    run = settled(cast, "first", 4)
    Upload.objects.update(sent_at=timezone.now() - 100 * WEEK_AND_MORE)
    assert forget_old_uploads() == 0
    forget(run.upload)
    assert Path(Submission.objects.get().upload.original.path).exists()


def test_what_was_refused_on_the_way_to_a_run_stays_in_its_history(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    refused = checked(client, cast, b"no run\n")
    post_words(client, cast, checked(client, cast))
    Upload.objects.update(sent_at=timezone.now() - WEEK_AND_MORE)
    assert forget_old_uploads() == 0
    assert list(Submission.objects.get().refused_uploads.all()) == [refused]


def test_what_is_sent_brings_the_old_to_an_end(client: Client, cast: Cast) -> None:
    old = accepted(cast)
    Upload.objects.update(sent_at=timezone.now() - WEEK_AND_MORE)
    client.force_login(cast.participant)
    send(client, cast)
    run_tasks(raise_failures=True)
    assert not Upload.objects.filter(pk=old.pk).exists()
    assert Upload.objects.get().state == UploadState.ACCEPTED


def test_only_the_latest_accepted_files_are_kept(
    client: Client, cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    first, *others = [accepted(cast) for _ in range(MOST_KEPT + 1)]
    elsewhere = accepted(cast, team=cast.other_team, user=cast.stranger)
    client.force_login(cast.participant)
    with django_capture_on_commit_callbacks(execute=True):
        send(client, cast)
    kept = set(Upload.objects.filter(state=UploadState.ACCEPTED).values_list("pk", flat=True))
    assert kept == {each.pk for each in (*others, elsewhere)}
    assert not Path(first.original.path).exists()
    assert not Path(first.parquet.path).exists()
    assert Upload.objects.filter(user=cast.participant).count() == MOST_KEPT + 2, "all of them count for the hour"
    page = client.get("/b/web-docs/submit/", {"upload": first.pk}).content.decode()
    assert "This file is not kept any more; send it again." in page
