"""Can the board do its work now? Database, tables, files and a worker, each asked for itself."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from toprung.web.core.store.files import look_at_files
from toprung.web.core.work.running import find_trouble
from toprung.web.core.work.workers import is_worker_there
from toprung.web.ops.schema import is_digest_current

HOLDS_FOR = 10.0
"""Seconds: anyone may ask whether all is ready, and what costs more is not to be asked as often."""
READY = "ok"

_seen: dict[str, float] = {}
"""When this process last saw what is costly to look at to be ready."""


def find_state() -> dict[str, str]:
    """Each part with "ok" or what is not, in words that help nobody who means harm."""
    if not _is_so(_has_database):
        return {"database": "not reachable"}
    if not _was_seen("tables", lambda: _is_so(_has_all_tables)):
        return {"database": READY, "tables": "not up to date"}
    return {
        "database": READY,
        "tables": READY,
        "files": READY if _was_seen("files", _has_files) else "not reachable",
        "worker": _say_worker(),
    }


def _is_so(holds: Callable[[], bool]) -> bool:
    try:
        return holds()
    except Error:
        return False


def _has_database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _has_all_tables() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes()) and is_digest_current()


def _has_files() -> bool:
    try:
        look_at_files()
    except OSError:
        return False
    return True


def _was_seen(part: str, holds: Callable[[], bool]) -> bool:
    """Whether it holds, or did some seconds ago; what does not hold is looked at every time."""
    if time.monotonic() - _seen.get(part, -HOLDS_FOR) < HOLDS_FOR:
        return True
    if holds():
        _seen[part] = time.monotonic()
        return True
    return False


def _say_worker() -> str:
    """What keeps dying is started again and again, and seen for a moment each time."""
    if find_trouble(settings.ENVIRONMENT.data_folder):
        return "ends again and again"
    return READY if _is_so(is_worker_there) else "not seen lately"
