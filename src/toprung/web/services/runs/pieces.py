"""How does a file come in pieces? Each at the place where the last one ended; the last makes it an upload.

A piece is stored first, under a name that nobody else uses, and counted in a short locked transaction: of two that were
sent for the same place one is counted, and the other is told how much is there. The last piece is counted in the
transaction that makes the upload, so whoever does not learn how it ended may send it again.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Sequence
from http import HTTPStatus

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import PartialUpload, Upload
from toprung.web.core.queue import forget_old
from toprung.web.core.store.upload_cap import NAME_ON_DISK
from toprung.web.services.runs.forget import forget_pieces, old_partials
from toprung.web.services.runs.receive import (
    FileRefusedError,
    check_room,
    check_sender,
    digest_of,
    keep_file,
    shown_name,
    too_large,
)

LARGEST_PIECE = 8 << 20
MOST_PIECES = 1_000
MOST_OPEN = 3
"""Files of a person that come in pieces at the same time."""


class WrongPlaceError(FileRefusedError):
    """The piece does not begin where the last one ended; nothing was stored."""

    def __init__(self, received: int) -> None:
        super().__init__(
            f"Found a piece for another place; expected one from byte {received:,} on.", HTTPStatus.CONFLICT
        )
        self.received = received


def start_file(
    board: Board, team: Team, *, by: User, file_name: str, size: int, digest: str
) -> tuple[PartialUpload, bool]:
    """The file to go on with, and whether it is new: an unfinished one of the same content is gone on with."""
    if not size:
        raise FileRefusedError("Found an empty file; expected at least one line. Was it written completely?")
    if size > settings.ENVIRONMENT.max_upload_bytes:
        raise too_large()
    found = _unfinished(by).filter(board=board, team=team, size=size, digest=digest).first()
    if found is not None:
        return found, False
    check_sender(board, team, by)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=by.pk)  # counts and adds one at a time
        found = _unfinished(by).filter(board=board, team=team, size=size, digest=digest).first()
        if found is not None:
            return found, False
        if _unfinished(by).count() >= MOST_OPEN:
            raise FileRefusedError(
                f"Found {MOST_OPEN} files of yours that are not there completely; expected fewer. Go on with one of "
                "them, or wait a day.",
                HTTPStatus.TOO_MANY_REQUESTS,
            )
        started = PartialUpload.objects.create(
            board=board, team=team, user=by, file_name=shown_name(file_name), size=size, digest=digest
        )
        _have_old_forgotten()
    return started, True


def receive_piece(partial: PartialUpload, content: bytes, *, offset: int) -> PartialUpload:
    """Add a piece; the last one makes the upload and queues its check. A FileRefusedError changes nothing."""
    _check_piece(partial, content, offset)
    check_room()  # many may have begun while there was room for each
    name = _store(partial, content)
    try:
        if offset + len(content) == partial.size:
            return _complete(partial, name, offset)
        return _count(partial, name, offset, len(content))
    except BaseException:
        default_storage.delete(name)
        raise


def _unfinished(user: User) -> QuerySet[PartialUpload]:
    open_ones = PartialUpload.objects.filter(user=user, upload=None)
    return open_ones.exclude(pk__in=old_partials().values("pk")).order_by("-started_at", "-pk")


def _check_piece(partial: PartialUpload, content: bytes, offset: int) -> None:
    if offset != partial.received:
        raise WrongPlaceError(partial.received)
    if not content:
        raise FileRefusedError("Found an empty piece; expected the next bytes of the file.")
    if offset + len(content) > partial.size:
        raise FileRefusedError(
            f"Found {len(content):,} bytes from byte {offset:,} on; expected a file of {partial.size:,}."
        )
    if len(partial.pieces) >= MOST_PIECES:
        raise FileRefusedError(f"Found more than {MOST_PIECES:,} pieces; expected larger ones. Start anew.")


def _store(partial: PartialUpload, content: bytes) -> str:
    try:
        return default_storage.save(f"{partial.folder}/{secrets.token_hex(8)}", ContentFile(content))
    except FileNotFoundError:  # the folder was emptied just now: somebody else sent the last piece
        raise _told_anew(partial) from None


def _count(partial: PartialUpload, name: str, offset: int, size: int) -> PartialUpload:
    with transaction.atomic():
        held = _hold(partial, offset)
        held.received = offset + size
        held.pieces = [*held.pieces, name]
        held.touched_at = timezone.now()
        held.save()
    return held


def _complete(partial: PartialUpload, last: str, offset: int) -> PartialUpload:
    """Put the pieces together, see whether they are the file that was announced, and keep it as any other."""
    check_sender(partial.board, partial.team, partial.user)
    with TemporaryUploadedFile(NAME_ON_DISK, "", partial.size, "") as file:
        _put_together(partial, [*partial.pieces, last], file)
        digest = digest_of(file)
        if digest != partial.digest:
            _forget(partial)
            raise FileRefusedError(
                f"Found {digest}; expected {partial.digest}, as it was announced. Nothing was kept: send it anew."
            )
        done: list[PartialUpload] = []

        def finish(upload: Upload) -> None:
            held = _hold(partial, offset)
            held.received, held.pieces, held.upload, held.touched_at = held.size, [], upload, timezone.now()
            held.save()
            forget_pieces(held)
            done.append(held)

        keep_file(
            file,
            file_name=partial.file_name,
            digest=digest,
            board=partial.board,
            team=partial.team,
            by=partial.user,
            then=finish,
        )
    return done[0]


def _put_together(partial: PartialUpload, names: Sequence[str], file: TemporaryUploadedFile) -> None:
    for name in names:
        try:
            with default_storage.open(name) as piece:
                shutil.copyfileobj(piece, file)
        except FileNotFoundError:
            raise _say_missing(partial) from None
    file.seek(0)


def _say_missing(partial: PartialUpload) -> FileRefusedError:
    """Somebody else completed the file or it was forgotten a moment ago; else the piece is lost, and all with it."""
    if not PartialUpload.objects.filter(pk=partial.pk, upload=None, received=partial.received).exists():
        return _told_anew(partial)
    _forget(partial)
    return FileRefusedError("Found a piece missing; expected all of them. Nothing was kept: send it anew.")


def _told_anew(partial: PartialUpload) -> FileRefusedError:
    now = PartialUpload.objects.filter(pk=partial.pk).first()
    if now is None:
        return FileRefusedError(
            "Found a file that is not kept any more; expected one to go on with.", HTTPStatus.NOT_FOUND
        )
    return WrongPlaceError(now.received)


def _hold(partial: PartialUpload, offset: int) -> PartialUpload:
    """The row as it is now, locked; a WrongPlaceError where somebody else was faster."""
    held = PartialUpload.objects.select_for_update(no_key=True).filter(pk=partial.pk).first()
    if held is None or held.received != offset:
        raise _told_anew(partial)
    return held


def _forget(partial: PartialUpload) -> None:
    with transaction.atomic():
        held = PartialUpload.objects.select_for_update(no_key=True).filter(pk=partial.pk, upload=None).first()
        if held is not None:
            forget_pieces(held)
            held.delete()


def _have_old_forgotten() -> None:
    if old_partials().exists():
        forget_old.enqueue()
