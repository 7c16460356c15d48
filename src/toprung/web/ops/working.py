"""What does a worker of a board do beside its tasks? It says that it is there, and mends what a wrong clock left."""

from __future__ import annotations

import time
from typing import Any

from django_ox.worker import Worker

from toprung.web.core.work.workers import note_worker
from toprung.web.ops.housekeeping.wrong_clock import forget_the_future

SAID_EVERY, MENDED_EVERY = 5.0, 60.0
"""Seconds; by a clock that nobody can set."""


class BoardWorker(Worker):
    """The queue's own worker, which can be seen."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._said_at, self._mended_at = -SAID_EVERY, -MENDED_EVERY

    def dispatch_schedules(self) -> int:
        """Called every second or so by the loop that also looks for tasks, whether or not one is running."""
        if time.monotonic() - self._said_at >= SAID_EVERY:
            note_worker(self.worker_id)
            self._said_at = time.monotonic()
        if time.monotonic() - self._mended_at >= MENDED_EVERY:
            forget_the_future()
            self._mended_at = time.monotonic()
        return super().dispatch_schedules()
