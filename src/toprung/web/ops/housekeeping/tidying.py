"""What is kept for a while and then no more? Finished tasks, sessions, uploads that a stop cut short."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from django_ox.models import OxTask

from toprung.web.core.config.folders import clear_incoming
from toprung.web.core.queue import try_again
from toprung.web.core.store.kept_pairs import forget_kept_pairs
from toprung.web.core.work.workers import forget_workers
from toprung.web.services.judging.privacy import forget_old_assessors

TASKS_KEPT = "7d"
TURNS_KEPT = timedelta(hours=1)
"""Of the tasks that are due every minute and did what they had to."""


def tidy() -> None:
    call_command("ox_prune", older_than=TASKS_KEPT, include_failed=True, verbosity=0, stdout=StringIO())
    OxTask.objects.filter(
        task_path=try_again.module_path,
        status=OxTask.Status.SUCCESSFUL,
        finished_at__lt=timezone.now() - TURNS_KEPT,
    ).delete()
    call_command("clearsessions", verbosity=0)
    clear_incoming(settings.ENVIRONMENT.incoming)
    forget_kept_pairs()
    forget_workers()
    forget_old_assessors()
