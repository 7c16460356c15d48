"""What does an organiser do about an assessor? Take work out of use, which is paid all the same; put it back; block."""

from __future__ import annotations

from django.utils import timezone

from toprung.labels.effort.store import JUDGMENTS
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.quality import restored_rows
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.access.reasons import check_reason
from toprung.web.core.models.judging import AssessorSeat, Campaign, JudgingNote
from toprung.web.core.models.people import User
from toprung.web.core.queue import enqueue_once, watch_campaign
from toprung.web.core.store.audit import record
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.core.store.locks import lock_board
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.web.services.judging.campaigns.quality import codes_of
from toprung.words.wording import say_count


def exclude(campaign: Campaign, assessor: str, *, reason: str, by: User) -> int:
    """Take all accepted work of an assessor out of use and ask its pairs of others; returns how many tasks.

    It is paid all the same.
    """
    reason = check_reason(reason)
    seat = seat_of(campaign, assessor)
    with lock_board(campaign.board_id) as board:
        sitting = Sitting(CampaignRecords(campaign))
        accepted = [
            each for each in sitting.desk.assignments_of(seat.assessor) if each.stage is AssignmentStage.ACCEPTED
        ]
        if not accepted:
            raise CampaignRefusedError(f"Found no task of {seat.code} that is in use; nothing was changed.")
        for each in accepted:
            sitting.move(each, AssignmentStage.EXCLUDED)
        what = f"Took {say_count(len(accepted), 'task')} of {seat.code} in {campaign.slug} out of use, paid"
        record(board, by, what, reason=reason)
    enqueue_once(watch_campaign, campaign.pk)
    return len(accepted)


def restore(campaign: Campaign, assessor: str, *, reason: str, by: User) -> int:
    """Put answers that were taken out of use back into it; returns how many."""
    reason = check_reason(reason)
    seat = seat_of(campaign, assessor)
    with lock_board(campaign.board_id) as board:
        store = CampaignRecords(campaign)
        with store.alone():
            sitting = Sitting(store)
            mine = sitting.desk.assignments_of(seat.assessor)
            excluded = [each for each in mine if each.stage is AssignmentStage.EXCLUDED]
            tasks = {each.task_id for each in excluded}
            of_assessor = [each for each in store.read_judgments().rows if each.assessor == seat.assessor]
            rows = restored_rows([each for each in of_assessor if each.task_id in tasks])
            if not rows:
                raise CampaignRefusedError(f"Found nothing of {seat.code} that is out of use; nothing was changed.")
            for each in excluded:
                sitting.move(each, AssignmentStage.ACCEPTED)
            store.append(JUDGMENTS, [row.to_record() for row in rows])
        what = f"Put {say_count(len(rows), 'answer')} of {seat.code} in {campaign.slug} back into use"
        record(board, by, what, reason=reason)
    enqueue_once(watch_campaign, campaign.pk)
    return len(rows)


def block(campaign: Campaign, assessor: str, *, reason: str, by: User) -> AssessorSeat:
    """Nothing more is given out to them; what they did stays as it is."""
    return _set_block(campaign, assessor, reason=check_reason(reason), by=by, is_blocked=True)


def unblock(campaign: Campaign, assessor: str, *, reason: str, by: User) -> AssessorSeat:
    return _set_block(campaign, assessor, reason=check_reason(reason), by=by, is_blocked=False)


def _set_block(campaign: Campaign, assessor: str, *, reason: str, by: User, is_blocked: bool) -> AssessorSeat:
    seat = seat_of(campaign, assessor)
    with lock_board(campaign.board_id) as board:
        seat.blocked_at = timezone.now() if is_blocked else None
        seat.block_reason = reason if is_blocked else ""
        seat.save(update_fields=["blocked_at", "block_reason"])
        verb = "Blocked" if is_blocked else "Unblocked"
        record(board, by, f"{verb} {seat.code} in {campaign.slug}", reason=reason)
    return seat


def write_note(campaign: Campaign, assessor: str, *, text: str, by: User) -> JudgingNote:
    """For the organisers, beside the assessor. That it was written is on record; its words go with the assessor."""
    text = check_reason(text)
    seat = seat_of(campaign, assessor)
    with lock_board(campaign.board_id) as board:
        note = JudgingNote.objects.create(campaign=campaign, assessor=seat.assessor, by=by, text=text)
        record(board, by, f"Wrote a note about {seat.code} in {campaign.slug}")
    return note


def seat_of(campaign: Campaign, assessor: str) -> AssessorSeat:
    """By the name in the records, or by what pages call them."""
    named = {code: name for name, code in codes_of(campaign).items()}
    seat = campaign.seats.filter(assessor=named.get(assessor, assessor)).first()
    if seat is None:
        raise CampaignRefusedError(f"Found no assessor '{assessor[:20]}' here; expected one who judged.")
    return seat
