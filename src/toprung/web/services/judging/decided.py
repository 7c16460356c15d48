"""Votes came or went: who sees what that decides? A task, where the campaign keeps labels current."""

from __future__ import annotations

from toprung.web.core.models.judging import Campaign
from toprung.web.core.queue import enqueue_once, keep_labels_current


def look_what_is_decided(campaign: Campaign) -> None:
    """Call it once the votes are kept: a task that waits already sees them."""
    if campaign.is_standing:
        enqueue_once(keep_labels_current, campaign.pk)
