"""Ten minutes to spare? What an invited assessor reads there, with work, without it, and as one who takes part."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.cast import Cast, make_upload
from tests.web.judging.campaigns import draft, judge_all
from tests.web.judging.walking import Walker
from tests.web.judging.world import make_campaign

from toprung.web.core.models.campaigns import CampaignReport
from toprung.web.core.models.judging import Campaign, CampaignAccess, CampaignState
from toprung.web.core.models.people import Membership, User
from toprung.web.services.judging import refusals
from toprung.web.services.judging.access import boards_to_judge
from toprung.web.services.judging.campaigns.live import RENEWED_AFTER
from toprung.web.services.judging.campaigns.start import start

NOTHING = "Nothing is to be judged on this board now."


def read(cast: Cast, user: User) -> str:
    client = Client()
    client.force_login(user)
    page = client.get(reverse("spare_minutes", args=[cast.board.slug]))
    assert page.status_code == 200
    return page.text


def way_in(campaign: Campaign) -> str:
    return f'href="{reverse("judging", args=[campaign.key])}"'


@pytest.mark.django_db
def test_what_waits_is_counted_anew_when_people_have_judged(cast: Cast) -> None:
    assert NOTHING in read(cast, cast.assessor)
    campaign = start(draft(cast, access=CampaignAccess.INVITED), by=cast.organiser)
    assert "Work may be waiting." in read(cast, cast.assessor), "no task has counted yet"
    run_tasks(raise_failures=True)
    page = read(cast, cast.assessor)
    assert "Votes are still wanted on 40 queries." in page
    assert "About 8 minutes a task." in page
    assert way_in(campaign) in page

    judge_all(campaign)
    CampaignReport.objects.update(computed_at=timezone.now() - RENEWED_AFTER - timedelta(seconds=1))
    read(cast, cast.assessor)  # nobody else has looked since
    run_tasks(raise_failures=True)
    assert "Nothing waits now; new runs bring new questions." in read(cast, cast.assessor)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields",
    [
        {"access": CampaignAccess.OPEN},
        {"access": CampaignAccess.PROLIFIC},
        {"access": CampaignAccess.INVITED, "state": CampaignState.PAUSED},
        {"access": CampaignAccess.INVITED, "state": CampaignState.CLOSED},
    ],
    ids=["open", "prolific", "paused", "closed"],
)
def test_campaigns_that_have_no_work_for_the_invited_are_not_there(cast: Cast, fields: dict[str, str]) -> None:
    world = make_campaign(cast, **fields)
    page = read(cast, cast.assessor)
    assert NOTHING in page
    assert way_in(world.campaign) not in page


@pytest.mark.django_db
def test_who_is_in_a_team_of_the_board_is_told_and_sent_nowhere(cast: Cast) -> None:
    world = make_campaign(cast, access=CampaignAccess.INVITED)
    Membership.objects.create(team=cast.team, user=cast.assessor)
    assert way_in(world.campaign) in read(cast, cast.assessor), "its team has sent nothing here"
    make_upload(cast.board, cast.team, cast.participant, b"q01 Q0 d1 1 1.0 x\n")
    page = read(cast, cast.assessor)
    assert refusals.IS_PARTICIPANT in page
    assert (way_in(world.campaign) in page, "waiting" in page) == (False, False)
    assert way_in(world.campaign) in read(cast, cast.organiser)


@pytest.mark.django_db
def test_who_is_blocked_reads_why_and_can_write_to_the_organisers(cast: Cast) -> None:
    world = make_campaign(cast, access=CampaignAccess.INVITED)
    walker = Walker(world.campaign)
    walker.client.force_login(cast.assessor)
    walker.learn()
    assert way_in(world.campaign) in read(cast, cast.assessor)
    assert boards_to_judge(cast.assessor) == [cast.board]
    world.campaign.seats.update(blocked_at=timezone.now(), block_reason="only left")
    page = read(cast, cast.assessor)
    assert refusals.BLOCKED in page
    assert refusals.BLOCKED in walker.get("ready/").text, "the same sentence at the desk"
    assert way_in(world.campaign) not in page
    tell = reverse("judging_tell", args=[world.campaign.key])
    assert f'href="{tell}"' in page
    assert walker.client.get(tell).status_code == 200
    assert boards_to_judge(cast.assessor) == [], "nor does it wait for them elsewhere"
