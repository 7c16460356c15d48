"""A pilot gives out as many tasks as its organiser says, and no more, until they say go on."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, work
from tests.web.judging.walking import Walker

from toprung.web.core.models.judging import Campaign, CampaignAccess, CampaignState
from toprung.web.core.models.people import User
from toprung.web.services.judging.campaigns.live import watch
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.money import most_tasks


def post(cast: Cast, campaign: Campaign, **fields: str) -> str:
    """The page after it, without line breaks."""
    client = Client()
    client.force_login(cast.organiser)
    page = client.post(reverse("start_campaign", args=[cast.board.slug, campaign.slug]), fields, follow=True)
    campaign.refresh_from_db()
    return " ".join(page.text.split())


@pytest.mark.django_db
def test_as_many_tasks_as_the_organiser_says(cast: Cast) -> None:
    campaign = draft(cast)
    page = post(cast, campaign, pilot="1", tasks="3")
    assert (campaign.state, campaign.pilot_tasks, most_tasks(campaign)) == (CampaignState.PILOT, 3, 3)
    assert "pilot of 3 tasks" in page
    assert "Started a pilot of 3 tasks of second-look" in [each.what for each in cast.board.audit.all()]
    page = post(cast, campaign, pilot="0")
    assert (campaign.state, most_tasks(campaign)) == (CampaignState.RUNNING, 200), "$400 at $2.00 a task"
    assert "pilot of" not in page


@pytest.mark.django_db
def test_when_all_of_it_is_given_out_organiser_and_assessors_are_told(cast: Cast) -> None:
    campaign = start(draft(cast, access=CampaignAccess.INVITED), by=cast.organiser, pilot=2)
    done = work(campaign, "first")
    assert done is not None
    walker = Walker(campaign)
    walker.client.force_login(cast.assessor)
    assert "Votes are still wanted on 40 queries." in spare(campaign, cast.assessor)
    walker.begin()
    assert "are given out; 1 is still in hand" in live(cast, campaign)
    assert "You have begun a task." in spare(campaign, cast.assessor)
    assert "All work is given out for now." in (page := spare(campaign, cast.organiser))
    assert walker.home not in page, "it leads to nothing"
    walker.judge_all_as("left")
    walker.post("hand-in/")
    assert "The pilot is over, and nobody is given work." in live(cast, campaign)
    assert "All work is given out for now." in spare(campaign, cast.assessor)
    post(cast, campaign, pilot="0")
    assert "The pilot is over" not in live(cast, campaign)
    assert walker.home in spare(campaign, cast.assessor)


def live(cast: Cast, campaign: Campaign) -> str:
    """The page of the campaign, once a task has looked."""
    watch(campaign.pk)
    client = Client()
    client.force_login(cast.organiser)
    return " ".join(client.get(reverse("campaign", args=[cast.board.slug, campaign.slug])).text.split())


def spare(campaign: Campaign, user: User) -> str:
    watch(campaign.pk)
    client = Client()
    client.force_login(user)
    return client.get(reverse("spare_minutes", args=[campaign.board.slug])).text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        ("0", "Found 0; expected 1 or more."),
        ("", "Found nothing; expected a number."),
        ("ten", "Found no whole number"),
    ],
)
def test_a_pilot_of_no_number_does_not_start(cast: Cast, tasks: str, said: str) -> None:
    campaign = draft(cast)
    assert said in post(cast, campaign, pilot="1", tasks=tasks)
    assert campaign.state == CampaignState.DRAFT
