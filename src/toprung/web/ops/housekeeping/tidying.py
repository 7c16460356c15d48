"""What is kept for a while and then no more? Finished tasks, sessions, uploads that a stop cut short."""

from __future__ import annotations

import logging
from datetime import timedelta
from io import StringIO

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.utils import timezone
from django_ox.models import OxTask

from toprung.web.core.config.databases import find_damage, forget_damage, is_damage, note_damage
from toprung.web.core.config.folders import clear_incoming
from toprung.web.core.queue import try_again
from toprung.web.core.store.kept_pairs import forget_kept_pairs
from toprung.web.core.work.workers import forget_workers
from toprung.web.services.judging.privacy import forget_old_assessors

logger = logging.getLogger(__name__)
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


def check_database() -> None:
    """Read all of the database, and note what is damaged for the log, for readiness and for organisers."""
    environment = settings.ENVIRONMENT
    found = find_damage(environment.database) if environment.postgres is None else _find_unreadable_table()
    if not found:
        forget_damage(environment)
        return
    note_damage(environment, found)
    logger.error("The database is damaged: %s. Stop the server and restore the last good backup.", found)


def _find_unreadable_table() -> str:
    """Read each row of PostgreSQL, which checks what it reads where it has checksums. Indexes are not read."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            try:
                with (
                    connection.wrap_database_errors,
                    cursor.copy(f"COPY {connection.ops.quote_name(table)} TO STDOUT (FORMAT binary)") as rows,
                ):
                    for _ in rows:
                        pass
            except DatabaseError as error:
                if not is_damage(error):
                    raise
                return f"table {table}: {error}"
    return ""
