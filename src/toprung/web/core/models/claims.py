"""What was claimed? Claims to the top rung, as tested."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet


class Claim(models.Model):
    """A claim to the top rung, as tested: never changed, at most voided in public."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="claims")
    submission = models.OneToOneField("web.Submission", on_delete=models.PROTECT, related_name="claim")
    holder = models.ForeignKey("web.Submission", on_delete=models.PROTECT, related_name="+")
    label_set = models.ForeignKey(LabelSet, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    passed = models.BooleanField()
    p = models.FloatField(null=True)
    level = models.FloatField(null=True)
    smallest_gain = models.FloatField(null=True)
    """What it could see four times in five."""
    verdict = models.CharField(max_length=12, blank=True)
    grade = models.CharField(max_length=20, blank=True)
    evidence = models.JSONField(default=dict)
    """The measure, the rule and the parts of the pair as tested, in numbers: its words are made when they are shown."""
    recorded_at = models.DateTimeField(default=timezone.now)
    voided_at = models.DateTimeField(null=True, blank=True)
    voided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    void_reason = models.TextField(blank=True)
    was_shown = models.BooleanField(null=True)
    """Whether the release policy showed its run when the labels it was tested on were superseded; None before that."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "number"], name="claim_number_once")]
        ordering: ClassVar = ["number"]
