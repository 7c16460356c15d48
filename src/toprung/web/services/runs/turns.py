"""Puts files and runs in the queue: of each person one at a time, and the next when that one is done.

The queue is first come, first served. So a person waits for one file of each other person at most, however many files
the others have sent, on however many boards and for however many teams; and one person never keeps two workers busy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.tasks import Task
from django.utils import timezone
from django_ox.models import OxTask

from toprung.web.core.models.people import User
from toprung.web.core.models.runs import RunState, Submission, Upload, UploadState
from toprung.web.core.queue import check, score, tasks_to_retry

type Turn = tuple[Task[[int], None], int]
"""A check with its upload, or a scoring with its submission."""
FILES = (UploadState.WAITING, UploadState.CHECKING)
RUNS = (RunState.QUEUED, RunState.SCORING)
LIVE = (OxTask.Status.READY, OxTask.Status.RUNNING)
CHECKED_BY_IMPORT = {"checked_by": "import"}
"""The report, until its check is over, of a file that an import of past runs checks in its own process."""
LONGEST_IMPORT = timedelta(days=1)
"""An import that began earlier was killed: its files are checked by workers then."""


def queue_next(user_pk: int, *, after: Turn | None = None) -> None:
    """Queue what waits of this person, unless something of theirs is queued or under way.

    Call it in the transaction in which something begins to wait, and once a turn is over. The turn that is over is
    named because its task still counts as running; if it failed, it is tried again beside the next one. What
    housekeeping will try again needs no second task, and holds nothing up. The row of the person is locked: two calls
    at once would else queue two turns, or none.
    """
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk=user_pk))
        waiting = [each for each in _waiting(user_pk) if each != after]
        if waiting and (chosen := _choose(waiting)):
            task, pk = chosen
            task.enqueue(pk)


def queue_after_file(upload_pk: int) -> None:
    """The check of a file is over."""
    for user_pk in Upload.objects.filter(pk=upload_pk).values_list("user_id", flat=True):
        queue_next(user_pk, after=(check, upload_pk))


def queue_after_run(submission_pk: int) -> None:
    """The scoring of a run is over."""
    for user_pk in Submission.objects.filter(pk=submission_pk).values_list("user_id", flat=True):
        queue_next(user_pk, after=(score, submission_pk))


def waiting_files() -> QuerySet[Upload]:
    """Files whose check is for a worker to do, or under way there."""
    since = timezone.now() - LONGEST_IMPORT
    return Upload.objects.filter(state__in=FILES).exclude(report=CHECKED_BY_IMPORT, sent_at__gt=since)


def queue_forgotten() -> None:
    """Queue what waits of people who have no task under way."""
    files = waiting_files().values_list("user_id", flat=True)
    runs = Submission.objects.filter(state__in=RUNS).values_list("user_id", flat=True)
    for user_pk in sorted({*files, *runs}):
        queue_next(user_pk)


def _waiting(user_pk: int) -> Iterator[Turn]:
    """Runs before files: claims are settled in the order of the runs, so runs of others may wait for this one."""
    runs = Submission.objects.filter(user=user_pk, state__in=RUNS).select_related("board").order_by("pk")
    yield from ((score, run.pk) for run in runs if not run.board.lacks_labels)
    files = waiting_files().filter(user=user_pk).order_by("sent_at", "pk")
    yield from ((check, pk) for pk in files.values_list("pk", flat=True))


def _choose(waiting: Sequence[Turn]) -> Turn | None:
    """The first that housekeeping will not try again; None while the task of any is queued or under way."""
    live = _named_by(OxTask.objects.filter(status__in=LIVE))
    if any((task.module_path, pk) in live for task, pk in waiting):
        return None
    retried = _named_by(tasks_to_retry())
    return next(((task, pk) for task, pk in waiting if (task.module_path, pk) not in retried), None)


def _named_by(tasks: QuerySet[OxTask]) -> set[tuple[str, int]]:
    """The files and runs that these tasks are for, each as the path of its task with its number."""
    of_turns = tasks.filter(task_path__in=[check.module_path, score.module_path])
    return {(path, *args) for path, args in of_turns.values_list("task_path", "args")}
