"""Which files are kept? Those submitted, and for some days those that may still be; the disk is not for the rest."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from toprung.web.submissions.models import Upload, UploadState

KEPT_FOR = timedelta(days=7)
MOST_KEPT = 5
"""Accepted files of a team on a board that it has not submitted, the latest."""


def unsubmitted() -> QuerySet[Upload]:
    """Neither a run nor in the history of one."""
    return Upload.objects.filter(submission=None, before=None)


def old_uploads() -> QuerySet[Upload]:
    return unsubmitted().filter(sent_at__lt=timezone.now() - KEPT_FOR)


def forget_surplus(upload: Upload) -> None:
    """Of the team that sent this one: the files beyond those that are kept. What was sent still counts for the hour."""
    accepted = unsubmitted().filter(board=upload.board_id, team=upload.team_id, state=UploadState.ACCEPTED)
    for each in accepted.order_by("-sent_at", "-pk")[MOST_KEPT:]:
        with transaction.atomic():
            locked = accepted.select_for_update().filter(pk=each.pk).first()
            if locked is not None:
                locked.state = UploadState.FORGOTTEN
                forget_files(locked)
                locked.save()


def forget_old_uploads() -> int:
    """Delete what nobody submitted in time; returns how many."""
    uploads = list(old_uploads())
    for upload in uploads:
        forget(upload)
    return len(uploads)


def forget(upload: Upload) -> None:
    """The row, then its files; nothing where it was submitted meanwhile."""
    with transaction.atomic():
        locked = unsubmitted().select_for_update().filter(pk=upload.pk).first()
        if locked is not None:
            forget_files(locked)
            locked.delete()


def forget_files(upload: Upload) -> None:
    """Take the files from the upload, and delete them once that is saved; call it in a transaction."""
    for file in (upload.original, upload.parquet):
        if file.name:
            transaction.on_commit(partial(file.storage.delete, file.name))
    upload.original, upload.parquet = "", ""
