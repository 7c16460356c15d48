"""How is someone forgotten? Answers that are in no labels are deleted; votes that are in some stay, and are nobody's.

The pairs of deleted answers are asked of someone else. What is due is paid: until the days of retention are over it is
kept under a name of its own, which leads to no judgment. Whoever is forgotten in time leaves all answers, and no more.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from toprung.labels.effort.store import JUDGMENTS
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.desk_records import ASSIGNMENTS
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.campaigns import CampaignReport, LabelOrigin
from toprung.web.core.models.judging import (
    AssessorSeat,
    Campaign,
    CampaignAccess,
    CampaignState,
    ForgottenAssessor,
    JudgingNote,
)
from toprung.web.core.models.people import User
from toprung.web.core.queue import enqueue_once, watch_campaign
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.data.opening import forget_assessor
from toprung.web.services.judging.answers import HIGHLIGHTS, leave_assignment
from toprung.web.services.judging.campaigns.live import QUALITY
from toprung.web.services.judging.campaigns.plan import RELEASE_HOURS
from toprung.web.services.judging.decided import look_what_is_decided
from toprung.web.services.judging.desk import CampaignDesk
from toprung.web.services.judging.identity import draw_id, forgotten_as
from toprung.web.services.judging.money import PAID, pay_due
from toprung.web.services.judging.seats import CONSENTS

NAMING = (JUDGMENTS, ASSIGNMENTS, CONSENTS)
"""Kinds of records in which assessors are named."""


def delete_data_of(seat: AssessorSeat) -> None:
    """Delete what someone answered in a campaign but for what is in labels, and all that leads from there to them."""
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=seat.campaign_id)
        store = CampaignRecords(campaign)
        with store.alone():
            desk = Sitting(store)
            stays = _in_labels(campaign, store, seat.assessor)
            _leave_open(campaign, desk, seat.assessor)
            _take_back(desk, seat.assessor, stays)
            _note_due(campaign, desk, seat)
            _delete_answers(store, seat.assessor, {each.task_id for each in stays})
            _cut_loose(campaign, store, [seat])
    look_what_is_decided(campaign)


def votes_stay(seat: AssessorSeat) -> bool:
    """Whether votes of theirs are in labels, so that these stay."""
    return bool(_in_labels(seat.campaign, CampaignRecords(seat.campaign), seat.assessor))


def _in_labels(campaign: Campaign, store: CampaignRecords, assessor: str) -> list[Assignment]:
    """Work that was in use when labels were made that are published, and were not given up."""
    made = LabelOrigin.objects.filter(campaign=campaign, label_set__given_up_at=None)
    moments = list(made.values_list("counted_until", flat=True))
    events = [Assignment.from_record(each) for each in store.read(ASSIGNMENTS) if each["assessor"] == assessor]
    found: dict[str, Assignment] = {}
    for moment in moments:
        then = {each.assignment_id: each for each in events if each.since <= moment}
        found |= {name: each for name, each in then.items() if each.stage is AssignmentStage.ACCEPTED}
    return list(found.values())


def _leave_open(campaign: Campaign, desk: CampaignDesk, assessor: str) -> None:
    """What they have in hand is paid by its share, and asked of someone else."""
    with desk.alone():
        for each in desk.desk.assignments_of(assessor):
            if each.is_open:
                leave_assignment(campaign, desk, each)


def _take_back(desk: CampaignDesk, assessor: str, stays: Collection[Assignment]) -> None:
    """What is accepted, and in no labels, is excluded but paid, and asked of someone else."""
    kept = {each.assignment_id for each in stays}
    with desk.alone():
        for each in desk.desk.assignments_of(assessor):
            if each.stage is AssignmentStage.ACCEPTED and each.assignment_id not in kept:
                desk.move(each, AssignmentStage.EXCLUDED)


def _note_due(campaign: Campaign, desk: CampaignDesk, seat: AssessorSeat) -> None:
    """For the lists of the platform, and to know who was forgotten; who came by an open link is found by neither."""
    if campaign.access == CampaignAccess.OPEN:
        return
    work = desk.desk.assignments_of(seat.assessor)
    ForgottenAssessor.objects.create(
        campaign=campaign,
        digest=forgotten_as(campaign, seat.assessor),
        has_handed_in=any(each.stage in PAID for each in work),
        amount=sum((pay_due(campaign, desk, each) for each in work), Decimal(0)),
        on=timezone.now().date(),
    )


def _delete_answers(store: CampaignRecords, assessor: str, stays: Collection[str]) -> None:
    """All but those to these tasks; where none stays, nobody needs to know what was agreed to."""
    own = {
        each["judgment_id"]
        for each in store.read(JUDGMENTS)
        if each.get("assessor") == assessor and each.get("task_id") not in stays
    }
    for kind in (JUDGMENTS, HIGHLIGHTS):
        store.rewrite(kind, lambda each: None if each["judgment_id"] in own else each)
    if not stays:
        store.rewrite(CONSENTS, lambda each: None if each["assessor"] == assessor else each)


def _cut_loose(campaign: Campaign, store: CampaignRecords, seats: Collection[AssessorSeat]) -> None:
    """Give assessors names that lead to nobody, and take their seats away with all that tells of them."""
    names = {seat.assessor: draw_id() for seat in seats}

    def rename(record: dict[str, Any]) -> dict[str, Any]:
        named = record.get("assessor", "")
        return {**record, "assessor": names[named]} if named in names else record

    for kind in NAMING:
        store.rewrite(kind, rename)
    for name in names:
        forget_assessor(campaign.board_id, name)
    JudgingNote.objects.filter(campaign=campaign, assessor__in=names).delete()
    AssessorSeat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    CampaignReport.objects.filter(campaign=campaign, kind=QUALITY).delete()  # it tells of each by their name
    enqueue_once(watch_campaign, campaign.pk)


def delete_data_of_user(user: User) -> None:
    """All that an account judged: done when it is deleted."""
    for seat in AssessorSeat.objects.filter(user=user).order_by("campaign"):
        delete_data_of(seat)


def forget_old_assessors() -> None:
    """After so many days votes stay, and nothing that leads to a person."""
    for campaign in Campaign.objects.order_by("pk"):
        before = timezone.now() - timedelta(days=campaign.retention_days)
        if campaign.is_standing:
            _forget(campaign, _not_here_since(campaign, before))
            campaign.forgotten.filter(on__lt=before.date()).delete()
        elif campaign.state == CampaignState.CLOSED and campaign.closed_at is not None and campaign.closed_at < before:
            _forget(campaign, campaign.seats.all())
            campaign.forgotten.all().delete()


def _not_here_since(campaign: Campaign, before: datetime) -> QuerySet[AssessorSeat]:
    """A standing campaign has no end, so that everyone's days begin with their last visit."""
    came = campaign.seats.filter(visits__isnull=False).distinct()
    return came.exclude(visits__started_at__gte=before).exclude(visits__ended_at__gte=before)


def _forget(campaign: Campaign, due: QuerySet[AssessorSeat]) -> None:
    """But for who is in the middle of a task, unless it was left open for longer than a task may be."""
    if not due.exists():
        return
    with transaction.atomic():
        store = CampaignRecords(campaign)
        with store.alone():
            desk = Sitting(store)
            seats = [seat for seat in due.order_by("pk") if not _is_at_work(desk, seat)]
            for seat in seats:
                _leave_open(campaign, desk, seat.assessor)
            if seats:
                _cut_loose(campaign, store, seats)


def _is_at_work(desk: CampaignDesk, seat: AssessorSeat) -> bool:
    since = timezone.now() - timedelta(hours=RELEASE_HOURS)
    return any(each.is_open and each.since > since for each in desk.desk.assignments_of(seat.assessor))
