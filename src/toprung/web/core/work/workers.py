"""Was a worker seen lately, and what waits for it?"""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Max, Min, Q
from django.utils import timezone
from django_ox.models import OxTask

from toprung.web.core.models.runs import RunState, Submission, Upload, UploadState
from toprung.web.core.models.work import WorkerSeen
from toprung.web.core.queue import check, score
from toprung.web.core.queue_names import LEASE_SECONDS, URGENT

SILENT_AFTER = 30.0
"""Seconds without a word from any worker, after which people are told."""
FORGOTTEN_AFTER = timedelta(days=1)
CLOCKS_APART = timedelta(minutes=1)
"""What the clocks of two machines may differ by. What lies further ahead was written before a clock was set back."""


def note_worker(name: str) -> None:
    """Write down that this worker is there, now."""
    WorkerSeen.objects.update_or_create(worker=name[:80], defaults={"seen_at": timezone.now()})


def forget_workers() -> None:
    """Those that are long gone."""
    WorkerSeen.objects.filter(seen_at__lt=timezone.now() - FORGOTTEN_AFTER).delete()


def seconds_since_worker() -> float | None:
    """Since any worker was seen; None where none ever was. One that lives is seen again soon after a clock was set."""
    now = timezone.now()
    seen = WorkerSeen.objects.filter(seen_at__lte=now + CLOCKS_APART)
    latest = seen.aggregate(latest=Max("seen_at"))["latest"]
    return None if latest is None else max(0.0, (now - latest).total_seconds())


def is_worker_there() -> bool:
    """One that was seen, or that works on something and says so."""
    seconds = seconds_since_worker()
    if seconds is not None and seconds < SILENT_AFTER:
        return True
    now = timezone.now()
    leases = (now, now + timedelta(seconds=LEASE_SECONDS) + CLOCKS_APART)
    return OxTask.objects.filter(status=OxTask.Status.RUNNING, lease_expires_at__range=leases).exists()


def waiting_work() -> tuple[int, float]:
    """Checks and scorings that could begin now, with those that wait behind another of the same person.

    Returns how many they are, and how many seconds the oldest in the queue has waited.
    """
    now = timezone.now()
    queued = OxTask.objects.filter(status=OxTask.Status.READY, queue_name=URGENT)
    urgent = queued.filter(Q(run_after=None) | Q(run_after__lte=now))
    n_behind = _files_and_runs() - queued.filter(task_path__in=[check.module_path, score.module_path]).count()
    oldest = urgent.aggregate(oldest=Min("enqueued_at"))["oldest"]
    n_waiting = urgent.count() + max(0, n_behind)
    return n_waiting, 0.0 if oldest is None else max(0.0, (now - oldest).total_seconds())


def _files_and_runs() -> int:
    """Those that nobody has begun with, on boards that have their labels."""
    runs = Submission.objects.filter(state=RunState.QUEUED).select_related("board")
    n_runs = sum(not run.board.lacks_labels for run in runs)
    return n_runs + Upload.objects.filter(state=UploadState.WAITING).count()
