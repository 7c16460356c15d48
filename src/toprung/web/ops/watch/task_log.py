"""What is noted of a task? Which it was, how it ended and how long it took; never what it worked on."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.tasks import TaskResult
from django.tasks.signals import task_finished
from django.utils import timezone

from toprung.web.ops.logs import FACTS

logger = logging.getLogger("toprung.tasks")


def log_tasks() -> None:
    """From now on, in this process."""
    task_finished.connect(_log, dispatch_uid="toprung.tasks")


def _log(sender: Any, task_result: TaskResult[Any, Any], **kwargs: Any) -> None:  # noqa: ARG001 - Django calls it so
    """Failures with their traceback are noted by the queue itself."""
    name, outcome = task_result.task.module_path, str(task_result.status).lower()
    began = task_result.last_attempted_at
    ended = task_result.finished_at or timezone.now()
    took = (ended - began) / timedelta(milliseconds=1) if began else None
    facts = {
        "task": name,
        "task_id": task_result.id,
        "outcome": outcome,
        "attempt": task_result.attempts,
        "duration_ms": round(took, 1) if took is not None else None,
    }
    logger.info("%s %s", name.rpartition(".")[2], outcome, extra={FACTS: facts})
