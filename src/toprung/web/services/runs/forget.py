"""Which files are kept? Those submitted, and for some days those that may still be; the disk is not for the rest."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from functools import partial

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from toprung.web.core.models.runs import PIECES_FOLDER, PartialUpload, Upload, UploadState

KEPT_FOR = timedelta(days=7)
UNFINISHED_FOR = timedelta(days=1)
"""How long one may take to go on with a file that comes in pieces."""
MOST_KEPT = 5
"""Accepted files of a team on a board that it has not submitted, the latest."""


def unsubmitted() -> QuerySet[Upload]:
    """Neither a run nor in the history of one."""
    return Upload.objects.filter(submission=None, before=None)


def old_uploads() -> QuerySet[Upload]:
    """What is being checked is kept for twice as long: the next file of its sender waits for it."""
    now = timezone.now()
    old = unsubmitted().filter(sent_at__lt=now - KEPT_FOR)
    return old.exclude(state=UploadState.CHECKING, sent_at__gt=now - 2 * KEPT_FOR)


def old_partials() -> QuerySet[PartialUpload]:
    """Files in pieces that nobody went on with."""
    return PartialUpload.objects.filter(upload=None, touched_at__lt=timezone.now() - UNFINISHED_FOR)


def forget_surplus(upload: Upload) -> None:
    """Of the team that sent this one: the files beyond those that are kept. What was sent still counts for the hour."""
    accepted = unsubmitted().filter(board=upload.board_id, team=upload.team_id, state=UploadState.ACCEPTED)
    for each in accepted.order_by("-sent_at", "-pk")[MOST_KEPT:]:
        put_aside(each, accepted)


def put_aside(upload: Upload, among: QuerySet[Upload]) -> bool:
    """Delete its files and keep its row, which counts for the hour; False where it is none of these any more."""
    with transaction.atomic():
        locked = hold(upload, among)
        if locked is not None:
            locked.state = UploadState.FORGOTTEN
            forget_files(locked)
            locked.save()
    return locked is not None


def forget_old() -> None:
    """Delete files that nobody submitted in time, and pieces of files that nobody went on with."""
    forget_old_uploads()
    forget_old_partials()


def forget_old_uploads() -> int:
    """Delete what nobody submitted in time; returns how many."""
    uploads = list(old_uploads())
    for upload in uploads:
        forget(upload, old_uploads())
    return len(uploads)


def forget_old_partials() -> int:
    """Delete pieces that nobody goes on with; returns of how many files."""
    partials = list(old_partials())
    for partial_upload in partials:
        with transaction.atomic():
            locked = old_partials().select_for_update(no_key=True).filter(pk=partial_upload.pk).first()
            if locked is not None:
                forget_pieces(locked)
                locked.delete()
    return len(partials)


def forget_pieces(partial_upload: PartialUpload) -> None:
    """Delete all that lies in its folder once that is saved, also what was never counted; call it in a transaction.

    What was saved stands, also where the storage fails then: the pieces are stray, and go with the next turn.
    """
    transaction.on_commit(partial(_empty, partial_upload.folder), robust=True)


def forget_stray_pieces() -> int:
    """Delete pieces of files that are whole or forgotten; returns in how many folders. The row is there before them."""
    try:
        names, _ = default_storage.listdir(PIECES_FOLDER)
    except FileNotFoundError:  # no piece came yet
        return 0
    unfinished = set(PartialUpload.objects.filter(upload=None).values_list("folder", flat=True))
    stray = {f"{PIECES_FOLDER}/{name}" for name in names} - unfinished
    for folder in stray:
        _empty(folder)
    return len(stray)


def _empty(folder: str) -> None:
    try:
        _, names = default_storage.listdir(folder)
    except FileNotFoundError:  # no piece came
        return
    for name in names:
        default_storage.delete(f"{folder}/{name}")
    with suppress(OSError):  # a piece came just now, too late; who sent it takes it away
        default_storage.delete(folder)  # in a storage without folders there is none


def forget(upload: Upload, among: QuerySet[Upload] | None = None) -> None:
    """The row, then its files; nothing where it was submitted meanwhile, or is none of these any more."""
    with transaction.atomic():
        locked = hold(upload, unsubmitted() if among is None else among)
        if locked is not None:
            forget_files(locked)
            locked.delete()


def hold(upload: Upload, among: QuerySet[Upload]) -> Upload | None:
    """The row, locked for this transaction, if it still is one of these.

    That is asked once the lock is had, for who submits it has it meanwhile.
    """
    locked = Upload.objects.select_for_update(no_key=True).filter(pk=upload.pk).first()
    return among.filter(pk=upload.pk).first() if locked is not None else None


def forget_files(upload: Upload) -> None:
    """Take the files from the upload, and delete them once that is saved; call it in a transaction."""
    for file in (upload.original, upload.parquet):
        if file.name:
            transaction.on_commit(partial(file.storage.delete, file.name))
    upload.original, upload.parquet = "", ""
