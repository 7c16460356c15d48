"""Which workers are there? Each says so every few seconds."""

from __future__ import annotations

from django.db import models


class WorkerSeen(models.Model):
    """A worker, and when it last looked for something to do."""

    worker = models.CharField(max_length=80, primary_key=True)
    seen_at = models.DateTimeField(db_index=True)
