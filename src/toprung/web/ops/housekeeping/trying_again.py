"""What if the store or the database was away for longer than a task is tried? It is taken up again when it answers.

So is a task whose worker was killed each time. What kills a worker by itself, such as a file, is refused before.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django_ox.actions import retry
from django_ox.models import OxTask

from toprung.web.core.queue import tasks_to_retry

LONGEST_WAIT = timedelta(hours=1)


def try_again() -> int:
    """Queue failed tasks once more, each later than the time before; returns how many."""
    return sum(retry(each.pk) for each in tasks_to_retry() if _has_waited(each))


def _has_waited(task: OxTask) -> bool:
    """A minute for each attempt so far: its record grows with every one."""
    now = timezone.now()
    if task.finished_at is None or task.finished_at > now:  # by a clock that was ahead
        return True
    return now - task.finished_at >= min(timedelta(minutes=task.attempts), LONGEST_WAIT)
