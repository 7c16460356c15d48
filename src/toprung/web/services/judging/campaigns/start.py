"""When is work given out? Once a draft has pools, test pairs that somebody looked at, and money for a task."""

from __future__ import annotations

from django.utils import timezone

from toprung.labels.tasks.desk_records import GOLDS
from toprung.web.core.models.judging import Campaign, CampaignState
from toprung.web.core.models.people import User
from toprung.web.core.queue import enqueue_once, watch_campaign
from toprung.web.core.store.audit import record
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.core.store.locks import lock_board
from toprung.web.services.judging.campaigns.estimate import ESTIMATE
from toprung.web.services.judging.campaigns.golds import count_golds, kept_golds
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError, check_who_reads, manifest_of
from toprung.web.services.judging.prolific import what_is_missing
from toprung.words.wording import say_count


def why_not_startable(campaign: Campaign) -> str:
    """What is missing; nothing where it can begin."""
    report = campaign.reports.filter(kind=ESTIMATE).first()
    if report is None or report.made_of != str(campaign.design.due):
        return "What it will buy is still being computed."
    if "fault" in report.content:
        return str(report.content["fault"])
    if missing := what_is_missing(campaign):
        return missing
    counted, needed = count_golds(campaign), campaign.design.golds_per_task
    if counted["kept"] < needed:
        found = f"Found {say_count(counted['kept'], 'test pair')} kept; expected at least {needed}"
        return f"{found}: look at them first, and have more proposed where these are not enough."
    if counted["open"]:
        return f"Found {say_count(counted['open'], 'test pair')} not looked at; expected each kept or refused."
    return ""


def start(campaign: Campaign, *, by: User, pilot: int = 0) -> Campaign:
    """Give out work, only so many tasks in a pilot; a draft puts its golds to use."""
    with lock_board(campaign.board_id) as board:
        held = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        if held.state == CampaignState.DRAFT:
            _begin(held)
        elif held.state != CampaignState.PILOT or pilot:
            raise CampaignRefusedError(f"Found a campaign that is {held.get_state_display()}; expected a draft.")
        held.state = CampaignState.PILOT if pilot else CampaignState.RUNNING
        held.pilot_tasks = pilot
        held.started_at = held.started_at or timezone.now()
        held.save(update_fields=["state", "pilot_tasks", "started_at"])
        what = f"Started a pilot of {say_count(pilot, 'task')} of {held.slug}" if pilot else f"Started {held.slug}"
        record(board, by, what, consent=held.consent_version, guidelines=held.guidelines_version)
    enqueue_once(watch_campaign, held.pk)
    return held


def _begin(campaign: Campaign) -> None:
    missing = why_not_startable(campaign)
    if missing:
        raise CampaignRefusedError(missing)
    check_who_reads(campaign)
    store = CampaignRecords(campaign)
    store.note(manifest_of(campaign, campaign.design))
    store.append(GOLDS, [gold.to_record() for gold in kept_golds(campaign)])
