"""What is due when? Read by the settings, so nothing of Django is imported here."""

from __future__ import annotations

from typing import Any

LONGEST_BACKOFF = 600
"""Seconds that a task waits at most between two attempts."""


def _every(seconds: int, task: str) -> dict[str, Any]:
    return {"task": f"toprung.web.core.queue.{task}", "every": seconds}


SCHEDULES = {
    "try-again": _every(60, "try_again"),
    "keep-house": _every(3600, "keep_house"),
    "delete-orphans": _every(86_400, "delete_orphans"),
    "check-database": _every(86_400, "check_database"),
}
