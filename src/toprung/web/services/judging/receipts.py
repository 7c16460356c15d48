"""What is someone told at the end? How many pairs, how long, what it pays; the same words whatever the checks said."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from toprung.data.judgments import Choice
from toprung.labels.tasks.assignments import Assignment
from toprung.web.core.models.judging import CampaignAccess
from toprung.web.services.judging.desk import CampaignDesk, at_desk
from toprung.web.services.judging.money import pay_due, pays_for_more
from toprung.web.services.judging.offers import find_assignment
from toprung.web.services.judging.seats import Place


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What someone did in a visit."""

    n_slots: int = 0
    n_answered: int = 0
    minutes: int = 0
    pay: Decimal = Decimal("0.00")
    is_money_left: bool = False
    """Whether another task could be given out."""
    is_one_a_session: bool = False
    """Whether the platform pays one task a session: the next begins there."""


def receipt_for(place: Place) -> Receipt:
    with at_desk(place.campaign) as desk:
        held = find_assignment(desk, place)
        if held is None:
            return Receipt()
        return Receipt(
            n_slots=len(desk.tasks[held.task_id].slots),
            n_answered=_n_given(desk, held),
            minutes=_minutes(place),
            pay=pay_due(place.campaign, desk, held),
            is_money_left=pays_for_more(place.campaign, desk),
            is_one_a_session=place.campaign.access == CampaignAccess.PROLIFIC,
        )


def _n_given(desk: CampaignDesk, assignment: Assignment) -> int:
    """Pairs that were chosen in, also where the answers were voided since."""
    given = desk.desk.given((assignment.task_id, assignment.assessor))
    return len({each.slot for each in given if each.choice is not Choice.SKIP})


def _minutes(place: Place) -> int:
    ended = place.visit.ended_at
    return 0 if ended is None else max(1, round((ended - place.visit.started_at).total_seconds() / 60))
