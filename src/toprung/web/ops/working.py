"""What does a worker of a board do beside its tasks? It says every few seconds that it is there."""

from __future__ import annotations

import time
from typing import Any

from django_ox.worker import Worker

from toprung.web.core.work.workers import note_worker

SAID_EVERY = 5.0
"""Seconds."""


class BoardWorker(Worker):
    """The queue's own worker, which can be seen."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._said_at = -SAID_EVERY

    def dispatch_schedules(self) -> int:
        """Called every second or so by the loop that also looks for tasks, whether or not one is running."""
        if time.monotonic() - self._said_at >= SAID_EVERY:
            note_worker(self.worker_id)
            self._said_at = time.monotonic()
        return super().dispatch_schedules()
