"""What if the store or the database was away for longer than a task is tried? It is taken up again when it answers.

So is a task whose worker was killed each time. What kills a worker by itself, such as a file, is refused before.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django_ox.actions import retry
from django_ox.models import OxTask

AWAY = (
    "toprung.web.core.store.files.FilesAwayError",
    "django.db.utils.OperationalError",
    "django.db.utils.InterfaceError",
)
"""Faults of the surroundings: what failed by one of them can succeed as it is."""
LONGEST_WAIT = timedelta(hours=1)
GIVEN_UP_AFTER = timedelta(days=3)


def try_again() -> int:
    """Queue failed tasks once more, each later than the time before; returns how many."""
    now = timezone.now()
    ended = (OxTask.Status.FAILED, OxTask.Status.LOST)
    failed = OxTask.objects.filter(status__in=ended, enqueued_at__gt=now - GIVEN_UP_AFTER)
    due = [each for each in failed if _was_away(each) and _has_waited(each)]
    return sum(retry(each.pk) for each in due)


def _was_away(task: OxTask) -> bool:
    if task.status == OxTask.Status.LOST:
        return True
    return bool(task.errors) and task.errors[-1].get("exception_class_path") in AWAY


def _has_waited(task: OxTask) -> bool:
    """A minute for each attempt so far: its record grows with every one."""
    now = timezone.now()
    if task.finished_at is None or task.finished_at > now:  # by a clock that was ahead
        return True
    return now - task.finished_at >= min(timedelta(minutes=task.attempts), LONGEST_WAIT)
