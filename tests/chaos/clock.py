"""A clock that is set: processes of a board that are told of a file add to the time what it says, in seconds.

So does SQLite, which asks the machine's clock in the process; that of PostgreSQL is of a machine of its own, and stays.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db.models.functions import Now
from django.utils import timezone

VARIABLE = "CHAOS_CLOCK"
_true_now = timezone.now


def set_clock(file: Path, seconds: float) -> None:
    """Ahead of the true time, or behind it."""
    beside = file.with_suffix(".new")
    beside.write_text(str(seconds))
    beside.replace(file)


def follow_clock() -> None:
    """Have Django's clock in this process go by the file, where there is one; and SQLite's, by which leases go."""
    if VARIABLE in os.environ:
        timezone.now = _now
        Now.as_sqlite = _as_sqlite  # type: ignore[method-assign]


def _now() -> datetime:
    return _true_now() + timedelta(seconds=_seconds_ahead())


def _as_sqlite(now: Now, compiler: Any, connection: Any, **context: Any) -> Any:
    """As Django says it, and by how much it was set."""
    template = f"STRFTIME('%%%%Y-%%%%m-%%%%d %%%%H:%%%%M:%%%%f', 'NOW', '{_seconds_ahead():+.3f} seconds')"
    return now.as_sql(compiler, connection, template=template, **context)


def _seconds_ahead() -> float:
    return float(Path(os.environ[VARIABLE]).read_text())
