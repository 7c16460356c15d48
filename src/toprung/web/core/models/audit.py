"""What was done to a board? A chain of entries."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from toprung.web.core.models.boards import Board


class AuditEntry(models.Model):
    """One thing that was done to a board; each entry carries the digest of the one before."""

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="audit")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    who = models.CharField(max_length=200)
    what = models.TextField()
    details = models.JSONField(default=dict)
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "number"], name="audit_number_once")]
        ordering: ClassVar = ["number"]


class AuditHead(models.Model):
    """The last entry of a board, kept apart from the entries: without it a chain cut short would look whole."""

    board = models.OneToOneField(Board, on_delete=models.CASCADE, related_name="audit_head")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
