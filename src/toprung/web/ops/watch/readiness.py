"""Can the board do its work now? Database, tables, files and a worker, each asked for itself."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django_ox.models import OxTask

from toprung.web.core.config.databases import is_damage, noted_damage
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.files import look_at_files
from toprung.web.core.work.running import find_trouble
from toprung.web.core.work.workers import is_worker_there
from toprung.web.ops.schema import is_digest_current

HOLDS_FOR = 10.0
"""Seconds: anyone may ask whether all is ready, and what costs more is not to be asked as often."""
READY, DAMAGED = "ok", "damaged"

_seen: dict[str, float] = {}
"""When this process last saw what is costly to look at to be ready."""


def find_state() -> dict[str, str]:
    """Each part with "ok" or what is not, in words that help nobody who means harm."""
    try:
        return _look()
    except Error as error:
        return {"database": DAMAGED if is_damage(error) else "not reachable"}


def _look() -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if not _was_seen("tables", _has_all_tables):
        return {"database": READY, "tables": "not up to date"}
    _read_rows()
    return {
        "database": DAMAGED if noted_damage(settings.ENVIRONMENT) else READY,
        "tables": READY,
        "files": READY if _was_seen("files", _has_files) else "not reachable",
        "worker": _say_worker(),
    }


def _read_rows() -> None:
    """The latest row of each table that most pages need: a question without a table is answered by a damaged file too.

    An empty board has rows of the first table only.
    """
    for model in (ContentType, User, Board, Submission, OxTask):
        model._default_manager.order_by("-pk").first()


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
    return READY if is_worker_there() else "not seen lately"
