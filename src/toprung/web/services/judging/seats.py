"""Where does someone sit who comes by the link? At their own seat, at the visit they began or at a new one."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from toprung.web.core.access.rights import Person
from toprung.web.core.models.judging import (
    AssessorSeat,
    Campaign,
    CampaignAccess,
    Ending,
    JudgingBook,
    JudgingVisit,
)
from toprung.web.core.models.people import User
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging import refusals
from toprung.web.services.judging.identity import digest_for, draw_id, forgotten_as
from toprung.web.services.judging.prolific import Arrival
from toprung.web.services.judging.refusals import MayNotJudgeError

CONSENTS = "consents"
"""Kind of records: who agreed to which version of the consent text."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """A seat, and the visit that goes on there."""

    campaign: Campaign
    seat: AssessorSeat
    visit: JudgingVisit


def take_place(campaign: Campaign, user: Person, *, arrival: Arrival | None = None) -> Place:
    """The place of who has just come: by the platform, by their account, or as nobody that is known."""
    if arrival is not None:
        return _place(campaign, take_seat(campaign, arrival.assessor), arrival.session)
    if campaign.access == CampaignAccess.INVITED and isinstance(user, User):
        return _place(campaign, take_seat(campaign, name_of(campaign, user), user), draw_id())
    return _place(campaign, take_seat(campaign, draw_id()), draw_id())


def name_of(campaign: Campaign, user: User) -> str:
    """What an invited assessor is called in the records."""
    return digest_for(campaign, "user", str(user.pk))


def has_seat(campaign: Campaign, arrival: Arrival) -> bool:
    """Whether who comes by the platform was here before."""
    return campaign.seats.filter(assessor=arrival.assessor).exists()


def find_place(campaign: Campaign, assessor: str, session: str) -> Place | None:
    """The place that a cookie tells of; None where it is gone."""
    visits = JudgingVisit.objects.select_related("seat")
    try:
        visit = visits.get(session=session, seat__campaign=campaign, seat__assessor=assessor)
    except JudgingVisit.DoesNotExist:
        return None
    return Place(campaign=campaign, seat=visit.seat, visit=visit)


def find_place_of(campaign: Campaign, user: Person) -> Place | None:
    """Where someone with an account was last, on whichever device."""
    visit = JudgingVisit.objects.select_related("seat").filter(seat__campaign=campaign, seat__user=user.pk).last()
    return None if visit is None else Place(campaign=campaign, seat=visit.seat, visit=visit)


def visit_again(place: Place) -> Place:
    """A new visit at the same seat, for one task more."""
    return _place(place.campaign, place.seat, draw_id())


def take_seat(campaign: Campaign, assessor: str, user: User | None = None) -> AssessorSeat:
    """Their own, or a new one with the next number; none for who asked to be forgotten.

    Numbers are counted in the book of the campaign: those of seats that are gone name nobody else.
    """
    found = campaign.seats.filter(assessor=assessor).first()
    if found is not None:
        return found
    with transaction.atomic():
        book = JudgingBook.objects.select_for_update(no_key=True).get(campaign=campaign)
        if was_forgotten(campaign, assessor):
            raise MayNotJudgeError(refusals.FORGOTTEN)
        number = book.n_seats + 1
        seat, is_new = campaign.seats.get_or_create(assessor=assessor, defaults={"user": user, "number": number})
        if is_new:
            book.n_seats = number
            book.save(update_fields=["n_seats"])
    return seat


def was_forgotten(campaign: Campaign, assessor: str) -> bool:
    """Whether they had their data deleted: nobody knows which pairs they saw, so none are asked of them again."""
    return campaign.forgotten.filter(digest=forgotten_as(campaign, assessor)).exists()


def _place(campaign: Campaign, seat: AssessorSeat, session: str) -> Place:
    visit, _ = JudgingVisit.objects.get_or_create(seat=seat, session=session)
    return Place(campaign=campaign, seat=seat, visit=visit)


def consent(place: Place) -> None:
    """Someone agreed to the consent text as it is now; who had refused before may."""
    store = CampaignRecords(place.campaign)
    with store.alone():
        _note_consent(place, store)
        place.seat.consented_version = place.campaign.consent_version
        place.seat.consented_at = timezone.now()
        place.seat.save(update_fields=["consented_version", "consented_at"])
        if place.visit.ended == Ending.NO_CONSENT:
            place.visit.ended, place.visit.ended_at = "", None
            place.visit.save(update_fields=["ended", "ended_at"])


def _note_consent(place: Place, store: CampaignRecords) -> None:
    """Once for each version: a consent is never changed into another."""
    version = place.campaign.consent_version
    if place.seat.consented_version != version:
        store.append(CONSENTS, [{"assessor": place.seat.assessor, "version": version}])


def end_visit(visit: JudgingVisit, ending: Ending) -> None:
    """How it ended; what ended stays so."""
    if not visit.ended:
        visit.ended, visit.ended_at = ending, timezone.now()
        visit.save(update_fields=["ended", "ended_at"])


def finish_training(place: Place) -> None:
    place.seat.trained_version = place.campaign.guidelines_version
    place.seat.save(update_fields=["trained_version"])
