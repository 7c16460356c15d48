"""A pilot gives out as many tasks as its organiser says, and no more, until they say go on."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft

from toprung.web.core.models.judging import Campaign, CampaignState
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
