"""A clock that is set: processes of a board that are told of a file add to the time what it says, in seconds."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone

VARIABLE = "CHAOS_CLOCK"
_true_now = timezone.now


def set_clock(file: Path, seconds: float) -> None:
    """Ahead of the true time, or behind it."""
    beside = file.with_suffix(".new")
    beside.write_text(str(seconds))
    beside.replace(file)


def follow_clock() -> None:
    """Have Django's clock in this process go by the file, where there is one."""
    if VARIABLE in os.environ:
        timezone.now = _now


def _now() -> datetime:
    return _true_now() + timedelta(seconds=float(Path(os.environ[VARIABLE]).read_text()))
