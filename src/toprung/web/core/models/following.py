"""Who follows a board, and what is there to tell them? Announcements, and since when each run may be best."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from toprung.web.core.models.boards import Board

LONGEST_HEADLINE, LONGEST_ANNOUNCEMENT = 120, 2_000


class Follow(models.Model):
    """A person who wants to hear of a board; by mail only where they asked for it."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="follows")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    since = models.DateTimeField(default=timezone.now)
    by_mail = models.BooleanField(default=False)
    mail_since = models.DateTimeField(null=True, blank=True)
    """What happened before is not told."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "user"], name="follows_once")]


class FollowMail(models.Model):
    """That a follower was told of one thing: made before the mail is sent, so that none is sent twice."""

    follow = models.ForeignKey(Follow, on_delete=models.CASCADE, related_name="mails")
    event = models.CharField(max_length=60)
    """As the feed calls it, such as "claim-3"."""
    sent_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["follow", "event"], name="told_once")]


class TopGroupEntry(models.Model):
    """When a run was first among those that may be best, as everyone sees the board."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="top_group_entries")
    submission = models.OneToOneField("web.Submission", on_delete=models.CASCADE, related_name="top_group_entry")
    at = models.DateTimeField(default=timezone.now)


class Announcement(models.Model):
    """What an organiser tells everyone who looks at the board: a headline, and a few words in safe Markdown."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="announcements")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    headline = models.CharField(max_length=LONGEST_HEADLINE)
    text = models.TextField(blank=True, max_length=LONGEST_ANNOUNCEMENT)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
