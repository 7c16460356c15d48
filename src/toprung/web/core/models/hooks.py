"""Which addresses does a board call when something is new? Each belongs to a person; what was said is noted."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from toprung.web.core.models.boards import Board

LONGEST_ADDRESS = 500


class Hook(models.Model):
    """An address of somebody's program, called with what followers are mailed."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="hooks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hooks")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    seed = models.CharField(max_length=64)
    """With the key of the server it makes the secret, which is stored nowhere."""
    since = models.DateTimeField(default=timezone.now)
    """What happened before is not told."""
    failures = models.PositiveSmallIntegerField(default=0)
    """Tries in a row that came to nothing."""
    last_answer = models.CharField(max_length=40, blank=True)
    off_at = models.DateTimeField(null=True, blank=True)
    """From when on it is not called any more."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "user", "address"], name="hook_once")]


class HookCall(models.Model):
    """That one thing is told at an address: made before the call, so that of two workers one makes it."""

    hook = models.ForeignKey(Hook, on_delete=models.CASCADE, related_name="calls")
    event = models.CharField(max_length=60)
    """As the feed calls it."""
    at = models.DateTimeField(default=timezone.now)
    is_told = models.BooleanField(default=False)
    """Whether the call was answered; where it was not for a while, its worker died, and it is told again."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["hook", "event"], name="called_once")]
