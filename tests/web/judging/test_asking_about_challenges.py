"""Every query is sure enough, and a new answer challenges the best one: what is still asked is said everywhere."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django_ox.testing import run_tasks
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, give_texts, send, work
from tests.web.reading import text_of

from toprung.web.core.models.campaigns import CampaignDesign
from toprung.web.core.models.judging import Campaign, CampaignAccess
from toprung.web.core.models.people import User
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.live import watch
from toprung.web.services.judging.campaigns.start import start

BETTER = "This one says in full how q01 is answered, and why."


def open_challenge(cast: Cast, *, has_one_answer: bool = False) -> Campaign:
    """On q01, in a campaign to which every query is sure enough from the start."""
    campaign = draft(cast, design={"target": 0.5}, is_standing=True, access=CampaignAccess.INVITED)
    if has_one_answer:
        CampaignRecords(campaign).rewrite("pools", with_label_alone)
    start(campaign, by=cast.organiser)
    give_texts(cast.board, cast, {"better-q01": BETTER})
    send(cast, lambda query: ("better-q01" if query == "q01" else f"rel-{query}", f"x-{query}"))
    run_tasks(raise_failures=True)
    watch(campaign.pk)
    return campaign


def with_label_alone(pool: dict[str, Any]) -> dict[str, Any]:
    if pool["query_id"] != "q01":
        return pool
    return pool | {"items": ["rel-q01"], "sources": {"rel-q01": pool["sources"]["rel-q01"]}}


def read(cast: Cast, user: User, name: str, *more: object) -> str:
    client = Client()
    client.force_login(user)
    page = client.get(reverse(name, args=[cast.board.slug, *more]))
    assert page.status_code == 200, (name, page.status_code)
    return text_of(page.text)


@pytest.mark.django_db
def test_an_open_challenge_is_asked_about_and_every_page_says_so(cast: Cast) -> None:
    campaign = open_challenge(cast)
    of_campaign = (cast.organiser, "campaign", campaign.slug)
    assert "Votes are still wanted on 1 query." in read(cast, cast.assessor, "spare_minutes")
    page = read(cast, *of_campaign)
    assert "1 new answer is put to the test." in page
    assert "1 still ask for votes" in page
    assert "Votes on them are still asked for." in page
    assert "1 new answer" in read(cast, cast.organiser, "campaign_open", campaign.slug)
    query = read(cast, cast.organiser, "campaign_query", campaign.slug, "q01")
    assert "Still asked: 1 new answer is put to the test." in query
    assert "won 0 of 0 votes against the best answer known" in query
    assert BETTER in query
    assert "Asked no more: sure enough." in read(cast, cast.organiser, "campaign_query", campaign.slug, "q02")
    done = work(campaign, "one", better=["better-q01"])
    assert done is not None, "it is really given out"
    watch(campaign.pk)
    assert "won 1 of 1 votes" in read(cast, cast.organiser, "campaign_query", campaign.slug, "q01")

    assert work(campaign, "two", better=["better-q01"]) is not None
    assert work(campaign, "three") is None, "nothing waits"
    watch(campaign.pk)
    run_tasks(raise_failures=True)
    assert "Nothing waits now" in read(cast, cast.assessor, "spare_minutes")
    page = read(cast, *of_campaign)
    assert ("put to the test" in page, "0 still ask for votes" in page) == (False, True)
    assert "Asked no more" in read(cast, cast.organiser, "campaign_query", campaign.slug, "q01")


@pytest.mark.django_db
def test_too_few_test_pairs_for_a_challenge_are_told_as_well(cast: Cast) -> None:
    campaign = open_challenge(cast)
    CampaignDesign.objects.filter(campaign=campaign).update(golds_per_task=20, target=0.51)
    watch(campaign.pk)
    page = read(cast, cast.organiser, "campaign", campaign.slug)
    assert "No work is given out: of the 20 test pairs that a task needs, 12 can be shown." in page


@pytest.mark.django_db
def test_a_query_with_one_answer_has_a_page_once_that_is_challenged(cast: Cast) -> None:
    campaign = open_challenge(cast, has_one_answer=True)
    query = read(cast, cast.organiser, "campaign_query", campaign.slug, "q01")
    assert "Still asked: 2 new answers are put to the test." in query
    assert BETTER in query
    assert "This is what rel-q01 says" in query
    assert "Ask for more votes" not in query, "there is nothing in the pool to compare"
    assert "q01" in read(cast, cast.organiser, "campaign_open", campaign.slug)
