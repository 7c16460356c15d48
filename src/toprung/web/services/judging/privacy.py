"""How is someone forgotten? Until labels are published, with their answers; afterwards their votes stay, and nobody's.

The pairs of deleted answers are asked of someone else. Pay is not affected.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from toprung.labels.effort.store import JUDGMENTS
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.desk_records import ASSIGNMENTS
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.data import TextAccess
from toprung.web.core.models.judging import AssessorSeat, Campaign, CampaignState, Ending, JudgingNote
from toprung.web.core.models.people import User
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.answers import HIGHLIGHTS, leave_assignment
from toprung.web.services.judging.decided import look_what_is_decided
from toprung.web.services.judging.desk import CampaignDesk
from toprung.web.services.judging.identity import draw_id
from toprung.web.services.judging.seats import end_visit


def delete_data_of(seat: AssessorSeat) -> None:
    """Delete what someone answered in a campaign or, once labels came of it, what leads from there to them."""
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=seat.campaign_id)
        store = CampaignRecords(campaign)
        with store.alone():
            if campaign.published_at is None:
                _delete_answers(campaign, store, seat)
            else:
                _cut_loose(campaign, store, [seat])
    look_what_is_decided(campaign)


def _delete_answers(campaign: Campaign, store: CampaignRecords, seat: AssessorSeat) -> None:
    desk = Sitting(store)
    _take_back(campaign, desk, seat.assessor)
    own = {each["judgment_id"] for each in store.read(JUDGMENTS) if each.get("assessor") == seat.assessor}
    store.rewrite(JUDGMENTS, lambda each: None if each["judgment_id"] in own else each)
    store.rewrite(HIGHLIGHTS, lambda each: None if each["judgment_id"] in own else each)
    JudgingNote.objects.filter(campaign=campaign, assessor=seat.assessor, by=None).delete()
    AssessorSeat.objects.filter(pk=seat.pk).update(consented_version=0, consented_at=None, trained_version=0)
    for visit in seat.visits.filter(ended=""):
        end_visit(visit, Ending.LEFT_EARLY)


def _take_back(campaign: Campaign, desk: CampaignDesk, assessor: str) -> None:
    """All of their work: what is open is left, what was accepted is excluded but paid, and asked of someone else."""
    with desk.alone():
        for each in desk.desk.assignments_of(assessor):
            if each.is_open:
                leave_assignment(campaign, desk, each)
            elif each.stage is AssignmentStage.ACCEPTED:
                desk.move(each, AssignmentStage.EXCLUDED)


def _cut_loose(campaign: Campaign, store: CampaignRecords, seats: list[AssessorSeat]) -> None:
    """Give assessors names that lead to nobody, and take their seats away."""
    names = {seat.assessor: draw_id() for seat in seats}

    def rename(record: dict[str, Any]) -> dict[str, Any]:
        named = record.get("assessor", "")
        return {**record, "assessor": names[named]} if named in names else record

    for kind in (JUDGMENTS, ASSIGNMENTS):
        store.rewrite(kind, rename)
    for before, after in names.items():
        TextAccess.objects.filter(board=campaign.board_id, assessor=before).update(assessor=after)
    JudgingNote.objects.filter(campaign=campaign, assessor__in=names, by=None).delete()
    JudgingNote.objects.filter(campaign=campaign, assessor__in=names).update(assessor="")
    AssessorSeat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()


def delete_data_of_user(user: User) -> None:
    """All that an account judged: asked for there, or done when it is deleted."""
    for seat in AssessorSeat.objects.filter(user=user).order_by("campaign"):
        delete_data_of(seat)
    AssessorSeat.objects.filter(user=user).update(user=None)


def forget_old_assessors() -> None:
    """Campaigns that ended so long ago keep their votes, and nothing that leads to a person."""
    due = Campaign.objects.filter(state=CampaignState.CLOSED, forgotten_at=None).exclude(closed_at=None)
    for campaign in due:
        since = campaign.closed_at
        if since is not None and since + timedelta(days=campaign.retention_days) < timezone.now():
            _forget_all(campaign)


def _forget_all(campaign: Campaign) -> None:
    with transaction.atomic():
        store = CampaignRecords(campaign)
        with store.alone():
            _cut_loose(campaign, store, list(campaign.seats.all()))
        Campaign.objects.filter(pk=campaign.pk).update(forgotten_at=timezone.now())
