"""What does a clock leave behind that was ahead and is set back? Tasks that wait for hours, and turns of the future.

A task that failed is tried again after some minutes, and a turn of a schedule is taken once its time has come: times
that were written by the wrong clock would keep both for as long as it was ahead.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django_ox.models import OxScheduleTick, OxTask

from toprung.web.ops.housekeeping.schedule import LONGEST_BACKOFF

CLOCKS_APART = timedelta(minutes=1)
"""What the clocks of two machines may differ by."""


def forget_the_future() -> int:
    """Let tasks begin that wait for longer than any is meant to, and forget turns that are not due; how many it was."""
    now = timezone.now()
    never_meant = now + timedelta(seconds=LONGEST_BACKOFF) + CLOCKS_APART
    waiting = OxTask.objects.filter(status=OxTask.Status.READY, run_after__gt=never_meant)
    turns = OxScheduleTick.objects.filter(scheduled_for__gt=now + CLOCKS_APART)
    return waiting.update(run_after=None) + turns.delete()[0]
