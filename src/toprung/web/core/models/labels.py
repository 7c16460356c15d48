"""Which labels has a board? Sets in versions, each with its use, and who opened hidden ones."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from toprung.web.core.models.boards import Board


class LabelUse(models.TextChoices):
    """What a set of labels is for."""

    OFFICIAL = "official", "the public leaderboard"
    PRIVATE = "private", "organisers only: does what is shown hold?"
    DEV = "dev", "dry runs without charge"
    EXTRA = "extra", "shown beside the official labels"


class LabelSource(models.TextChoices):
    """Where labels come from."""

    GIVEN = "given", "given by the organisers"
    PREFERENCE = "preference", "from preference judgments"


class LabelSet(models.Model):
    """Labels of one use in one version; which queries they are on is what makes queries public, private or dev.

    A version that is published is scored in the background first; when all runs have their scores it becomes current.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="label_sets")
    use = models.CharField(max_length=10, choices=LabelUse)
    name = models.CharField(max_length=60)
    version = models.PositiveSmallIntegerField(default=1)
    is_hidden = models.BooleanField(default=True)
    is_graded = models.BooleanField(default=False)
    is_current = models.BooleanField(default=True)
    source = models.CharField(max_length=10, choices=LabelSource, default=LabelSource.GIVEN)
    published_at = models.DateTimeField(default=timezone.now)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    current_since = models.DateTimeField(null=True, blank=True, default=timezone.now)
    """When runs began to be settled under it; None while it is being prepared, or if it was given up."""
    superseded_at = models.DateTimeField(null=True, blank=True)
    given_up_at = models.DateTimeField(null=True, blank=True)
    """When the organisers gave it up before it became current."""
    failure = models.TextField(blank=True)
    """Why it does not become current: what went wrong with which run."""
    changes = models.TextField(blank=True, max_length=5_000)
    """What is new in it, for everyone, in safe Markdown."""
    difference = models.JSONField(default=dict, blank=True)
    """Against the version before, in counts; exact, so for organisers."""
    n_queries = models.PositiveIntegerField()
    digest = models.CharField(max_length=80)
    file = models.FileField(upload_to="labels/")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["board", "use", "name", "version"], name="version_once")
        ]

    def __str__(self) -> str:
        return f"labels v{self.version}, {self.published_at:%Y-%m-%d}"

    @property
    def is_being_prepared(self) -> bool:
        """Runs are scored on it, and nothing is shown of it yet."""
        return self.current_since is None and self.given_up_at is None


class LabelAccess(models.Model):
    """Someone looked at hidden labels, and why."""

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="label_accesses")
    label_set = models.ForeignKey(LabelSet, on_delete=models.PROTECT)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    what = models.CharField(max_length=200)
    reason = models.TextField()
