"""What the server says of itself: which workers there are, and by which version the tables were brought up to date."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class WorkerSeen(models.Model):
    """A worker, and when it last looked for something to do."""

    worker = models.CharField(max_length=80, primary_key=True)
    seen_at = models.DateTimeField(db_index=True)


class SchemaDigest(models.Model):
    """The schema that ``toprung migrate`` last made, in a single row."""

    digest = models.CharField(max_length=80)
    toprung = models.CharField(max_length=40)
    """The version that made it."""
    at = models.DateTimeField(default=timezone.now)
