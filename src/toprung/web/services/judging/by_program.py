"""How does an invited assessor judge without a browser? The same steps at the same seat, asked for one by one.

Consent, guidelines with a pair to try, a task, its pairs, and the end: whoever began on the pages goes on here, and the
other way round.
"""

from __future__ import annotations

from enum import StrEnum

from django.http import Http404

from toprung.web.core.access.boards import get_board_for_viewer, is_organiser, role_on
from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.judging import GIVES_OUT_WORK, Campaign, CampaignAccess, CampaignState, Ending
from toprung.web.core.models.people import User
from toprung.web.services.judging import refusals
from toprung.web.services.judging.access import check_may_judge
from toprung.web.services.judging.answers import decline as leave_unagreed
from toprung.web.services.judging.answers import leave
from toprung.web.services.judging.examples import examples_of
from toprung.web.services.judging.offers import Work, take_work, why_no_work
from toprung.web.services.judging.refusals import JudgingRefusedError
from toprung.web.services.judging.seats import (
    Place,
    consent,
    find_place_of,
    finish_training,
    take_place,
    visit_again,
)


class DeskStep(StrEnum):
    """What comes next for someone."""

    CONSENT = "consent"
    GUIDELINES = "guidelines"
    TASK = "task"


def board_for_assessor(user: User, slug: str) -> Board:
    """For who was invited to judge; for others there is nothing."""
    board = get_board_for_viewer(user, slug)
    if role_on(board, user) is not Role.ASSESSOR and not is_organiser(board, user):
        raise Http404("There is no such page.")
    return board


def campaigns_for_assessor(user: User, slug: str) -> list[Campaign]:
    """Those that give out work to who was invited, the oldest first."""
    board = board_for_assessor(user, slug)
    found = board.campaigns.filter(state__in=GIVES_OUT_WORK, access=CampaignAccess.INVITED)
    return list(found.select_related("board", "label_set").order_by("pk"))


def campaign_for_assessor(user: User, slug: str, name: str) -> Campaign:
    """One by its name, also where it is paused or closed; a MayNotJudgeError says why somebody may not judge there."""
    board = board_for_assessor(user, slug)
    found = board.campaigns.filter(slug=name, access=CampaignAccess.INVITED).exclude(state=CampaignState.DRAFT)
    campaign = found.select_related("board", "label_set").first()
    if campaign is None:
        raise Http404("There is no such campaign.")
    check_may_judge(campaign, user)
    return campaign


def next_step(campaign: Campaign, place: Place | None) -> DeskStep:
    if place is None or place.seat.consented_version != campaign.consent_version:
        return DeskStep.CONSENT
    return DeskStep.TASK if place.seat.trained_version == campaign.guidelines_version else DeskStep.GUIDELINES


def get_place(campaign: Campaign, user: User) -> Place:
    """Where someone sits who has consented and read the guidelines."""
    place = find_place_of(campaign, user)
    step = next_step(campaign, place)
    if place is None or step is DeskStep.CONSENT:
        raise JudgingRefusedError(refusals.NO_CONSENT)
    if step is DeskStep.GUIDELINES:
        raise JudgingRefusedError(refusals.NO_GUIDELINES)
    return place


def agree(campaign: Campaign, user: User, *, version: int) -> None:
    """To the consent text of this version; a seat is theirs from then on."""
    if version != campaign.consent_version:
        raise JudgingRefusedError(refusals.OTHER_CONSENT)
    place = find_place_of(campaign, user)
    if place is None:
        if not campaign.gives_out_work:
            raise JudgingRefusedError(why_no_work(campaign))
        place = take_place(campaign, user)
    consent(place)


def decline(campaign: Campaign, user: User) -> None:
    """Nothing was asked; who has no seat gets none."""
    place = find_place_of(campaign, user)
    if place is not None:
        leave_unagreed(place)


def try_pair(campaign: Campaign, user: User, *, choice: str) -> bool:
    """The pair to try was answered; whether as it should be. From now on the guidelines are read."""
    place = find_place_of(campaign, user)
    if place is None or next_step(campaign, place) is DeskStep.CONSENT:
        raise JudgingRefusedError(refusals.NO_CONSENT)
    finish_training(place)
    return choice == examples_of(campaign)[-1].better


def take_task(campaign: Campaign, user: User) -> tuple[Place, Work | None]:
    """The task they have, or a new one; none where there is nothing left for them."""
    place = get_place(campaign, user)
    if place.visit.ended:
        place = visit_again(place)
    work = take_work(place)
    if work is not None and work.is_closed:  # it was open for too long
        leave(place)
    if place.visit.ended and place.visit.ended != Ending.NOTHING_LEFT:
        place = visit_again(place)
        work = take_work(place)
    return place, work
