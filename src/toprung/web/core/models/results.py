"""What is shown? Results as tasks computed them, by audience and version of the labels."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from toprung.web.core.models.boards import Board


class Audience(models.TextChoices):
    """For whom a result is: what participants may see is made by the task, not by the page."""

    PUBLIC = "public", "everyone"
    ORGANISERS = "organisers", "organisers"


class StoredResult(models.Model):
    """A result as a task computed it, with its provenance; pages show it and compute nothing."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="results")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=60, blank=True)
    """Which, among several of a kind: such as "R32 R37" of comparisons."""
    audience = models.CharField(max_length=12, choices=Audience)
    labels_version = models.PositiveSmallIntegerField(default=1)
    """Of the official labels it was computed under; 0 for what does not depend on them or is kept for the latest."""
    content = models.JSONField()
    generation = models.PositiveIntegerField()
    """The board's `results_due` it was computed for."""
    made_of = models.CharField(max_length=64, blank=True)
    """A digest of all it was made of, where that is known: while it is the same, it is kept."""
    computed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["board", "labels_version", "kind", "key", "audience"], name="latest_result_once"
            )
        ]


class Standing(models.Model):
    """One row of the leaderboard as shown to one audience; the page fetches fifty of them.

    Rows under versions of the labels that were superseded stay as they were.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="standings")
    audience = models.CharField(max_length=12, choices=Audience)
    labels_version = models.PositiveSmallIntegerField(default=1)
    submission = models.ForeignKey("web.Submission", on_delete=models.CASCADE, related_name="standings")
    place = models.PositiveIntegerField()
    """By score; equal scores share it."""
    top_group = models.BooleanField()
    """Whether it may be best."""
    sorts = models.JSONField(default=dict)
    """Its figures by the keys of columns, as they are shown: what the database orders by, for little."""
    content = models.JSONField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["board", "audience", "labels_version", "submission"], name="stands_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["board", "audience", "labels_version", "place"])]
