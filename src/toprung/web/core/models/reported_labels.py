"""Which labels look wrong to those who take part? What they said of one, and what the organisers answered."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from toprung.web.core.models.boards import Board


class ReportedLabel(models.Model):
    """Somebody says that the label of a public query looks wrong; never of a hidden one."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="reported_labels")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    query_id = models.CharField(max_length=200)
    why = models.TextField(max_length=1_000)
    at = models.DateTimeField(default=timezone.now)
    answer = models.TextField(blank=True, max_length=1_000)
    """Empty until an organiser said something."""
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["board", "user", "query_id"], name="label_reported_once")
        ]
