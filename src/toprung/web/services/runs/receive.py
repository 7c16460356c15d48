"""How does a file come in? Whole or not at all, under a name of our own, its check enqueued in the same transaction."""

from __future__ import annotations

import hashlib
import secrets
import shutil
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from toprung.errors import InputError
from toprung.web.core.access.final import say_not_open
from toprung.web.core.access.labels import LACKS_LABELS
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import Upload
from toprung.web.core.queue import forget_old
from toprung.web.core.store.upload_cap import is_too_large
from toprung.web.services.runs.forget import forget_surplus, old_partials, old_uploads
from toprung.web.services.runs.turns import queue_next, waiting_files
from toprung.words.visible import in_one_line
from toprung.words.wording import say_count

MEGABYTE = 1 << 20
MOST_WAITING = 3
"""Files of a person or a team that may wait for their check at once."""
MOST_IN_AN_HOUR = 30
MOST_ENDED = 3
"""Of those in an hour that took more than a file may, or ended what read them: each keeps a worker for minutes."""
SPARE_UPLOADS = 2
"""The disk keeps room for so many of the largest uploads; what is stored beside them needs it too."""
LONGEST_NAME = 200


class FileRefusedError(InputError):
    """Nothing was stored, and why."""

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY) -> None:
        super().__init__(message)
        self.status = status


def receive_file(request: HttpRequest, *, board: Board, team: Team | None, by: User) -> Upload:
    """Store what was posted and queue its check; a FileRefusedError leaves nothing behind. No team: a baseline."""
    file = _find_file(request)
    check_sender(board, team, by)
    return keep_file(file, file_name=file.name or "", digest=digest_of(file), board=board, team=team, by=by)


def check_sender(board: Board, team: Team | None, by: User) -> None:
    """Whether a file may come at all: asked before it is stored, and what is counted once more when it is."""
    if board.lacks_labels:
        raise FileRefusedError(LACKS_LABELS)
    if team is not None and not board.is_open:
        raise FileRefusedError(say_not_open(board))
    _check_counts(team, by)
    check_room()


def keep_file(
    file: UploadedFile[Any],
    *,
    file_name: str,
    digest: str,
    board: Board,
    team: Team | None,
    by: User,
    then: Callable[[Upload], None] = lambda _: None,
) -> Upload:
    """Store a whole file and queue its check; ``then`` is done in the same transaction, and may refuse it too."""
    upload = Upload(
        board=board, team=team, user=by, file_name=shown_name(file_name), size=file.size or 0, digest=digest
    )
    upload.original.save(secrets.token_hex(16), file, save=False)
    try:
        _keep(upload, then)
    except BaseException:
        upload.original.storage.delete(upload.original.name or "")
        raise
    forget_surplus(upload)  # whatever comes of that, this file was taken
    return upload


def shown_name(name: str) -> str:
    """As the sender called it, without folders and in one line: to be read, never to be opened."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return in_one_line(last).strip()[:LONGEST_NAME] or "run"


def digest_of(file: UploadedFile[Any]) -> str:
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return f"sha256:{digest.hexdigest()}"


def too_large() -> FileRefusedError:
    cap = settings.ENVIRONMENT.max_upload_bytes // MEGABYTE
    return FileRefusedError(
        f"Found more than {cap:,} MB; expected a file of at most that. Pack it with gzip, bzip2 or zstd.",
        HTTPStatus.CONTENT_TOO_LARGE,
    )


def _find_file(request: HttpRequest) -> UploadedFile[Any]:
    if is_too_large(request):
        raise too_large()
    file = request.FILES.get("file")
    if file is None:  # so Django leaves out one that was cut short
        raise FileRefusedError("Found no whole file; expected a run file. If one was cut short, send it again.")
    if not file.size:
        raise FileRefusedError("Found an empty file; expected at least one line. Was it written completely?")
    return file


def _keep(upload: Upload, then: Callable[[Upload], None]) -> None:
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=upload.user_id)  # counts and adds one at a time
        if upload.team is not None:
            Team.objects.select_for_update(no_key=True).get(pk=upload.team.pk)
        _check_counts(upload.team, upload.user)
        upload.save()
        then(upload)
        queue_next(upload.user_id)
        if old_uploads().exists() or old_partials().exists():
            forget_old.enqueue()


def _check_counts(team: Team | None, by: User) -> None:
    sent = _sent_by(team, by)
    waiting = sent.filter(pk__in=waiting_files()).count()
    if waiting >= MOST_WAITING:
        raise FileRefusedError(
            f"Found {say_count(waiting, 'file')} of yours waiting for a check; expected fewer than {MOST_WAITING}. "
            "Wait until one is done.",
            HTTPStatus.TOO_MANY_REQUESTS,
        )
    lately = sent.filter(sent_at__gt=timezone.now() - timedelta(hours=1))
    if lately.filter(report__ended_reader=True).count() >= MOST_ENDED:
        raise FileRefusedError(
            f"Found {MOST_ENDED} files in the last hour that took more than a file may, or ended what read them; "
            "expected fewer. Try again later, and see on your own machine what is in them: toprung validate run.txt.gz",
            HTTPStatus.TOO_MANY_REQUESTS,
        )
    if lately.count() >= MOST_IN_AN_HOUR:
        raise FileRefusedError(
            f"Found {MOST_IN_AN_HOUR} files in the last hour; expected fewer. Try again later, or check files on "
            "your own machine: toprung validate run.txt.gz",
            HTTPStatus.TOO_MANY_REQUESTS,
        )


def _sent_by(team: Team | None, by: User) -> QuerySet[Upload]:
    """By the person, or by their team."""
    return Upload.objects.filter(Q(user=by) if team is None else Q(user=by) | Q(team=team))


def check_room() -> None:
    """Whether the disk has room for what is about to come."""
    free = shutil.disk_usage(settings.ENVIRONMENT.data_folder).free
    if free < SPARE_UPLOADS * settings.ENVIRONMENT.max_upload_bytes:
        raise FileRefusedError(
            "Found no room for files on this server; tell the organisers. Nothing was stored.",
            HTTPStatus.INSUFFICIENT_STORAGE,
        )
