"""How does a run do on each public query? Kept apart from hidden columns: this is read by pages."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission


class PublicColumn(models.Model):
    """Of a run on a set of public labels: for each query where it first answers, its score, and what it put first."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="public_columns")
    label_set = models.ForeignKey(LabelSet, on_delete=models.CASCADE, related_name="+")
    n_there = models.PositiveIntegerField()
    """Queries of the set that the run has at all; 0 where its file left them out."""
    packed = models.BinaryField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["submission", "label_set"], name="public_column_once")]
