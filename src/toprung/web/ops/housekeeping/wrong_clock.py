"""What does a clock leave behind that was ahead and is set back? Tasks that wait for hours, and turns of the future.

A task that failed is tried again after some minutes, one whose worker is dead is taken up when its lease ends, and a
turn of a schedule is taken once its time has come: times that were written by the wrong clock would keep them all for
as long as it was ahead.
"""

from __future__ import annotations

from datetime import timedelta

from django.db.models.functions import Now
from django.utils import timezone
from django_ox.models import OxScheduleTick, OxTask

from toprung.web.core.queue_names import LEASE_SECONDS
from toprung.web.core.work.workers import CLOCKS_APART
from toprung.web.ops.housekeeping.schedule import LONGEST_BACKOFF


def forget_the_future() -> int:
    """Let begin what waits or is held for longer than any is meant to, and forget turns that are not due; how many."""
    now = timezone.now()
    never_meant = now + timedelta(seconds=LONGEST_BACKOFF) + CLOCKS_APART
    waiting = OxTask.objects.filter(status=OxTask.Status.READY, run_after__gt=never_meant)
    turns = OxScheduleTick.objects.filter(scheduled_for__gt=now + CLOCKS_APART)
    return waiting.update(run_after=None) + turns.delete()[0] + _shorten_leases()


def _shorten_leases() -> int:
    """To what one is that is taken now: a worker that lives renews it before that, and a dead one loses it.

    By the clock of the database, which stamps them.
    """
    lease = timedelta(seconds=LEASE_SECONDS)
    held = OxTask.objects.filter(status=OxTask.Status.RUNNING, lease_expires_at__gt=Now() + lease + CLOCKS_APART)
    return held.update(locked_at=Now(), lease_expires_at=Now() + lease)
