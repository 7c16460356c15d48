"""How will a campaign end, and when? By the votes that its plan will really ask, not by those that the money buys."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, judge_all, work

from toprung.web.core.models.campaigns import PlanKind
from toprung.web.core.models.judging import Campaign
from toprung.web.services.judging.campaigns.live import tell_live, tell_queries, watch
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.web.services.judging.campaigns.start import start


def begun(cast: Cast, *, n_tasks: int = 2, **choices: Any) -> Campaign:
    campaign = start(draft(cast, **choices), by=cast.organiser)
    for number in range(n_tasks):
        work(campaign, f"early-{number}")
    return campaign


def told(campaign: Campaign, *, after: timedelta = timedelta(hours=2)) -> tuple[dict[str, Any], datetime]:
    """What the page says so long after the start."""
    assert campaign.started_at is not None
    now = campaign.started_at + after
    return tell_live(CampaignStanding.read(campaign), now, {}), now


@pytest.mark.django_db
def test_a_plan_that_stops_when_sure_ends_long_before_its_money(cast: Cast) -> None:
    """Of 40 queries with two answers each; the $4,000 would buy 20,000 votes, the plan asks 1,200 at most."""
    campaign = begun(cast, budget=Decimal("4000.00"))
    live, now = told(campaign)
    ahead = live["forecast"]
    assert not ahead["ends_with_money"]
    assert 100 < ahead["votes"] < 1_200
    assert ahead["ends_at"] == (now + timedelta(hours=2) * (ahead["votes"] / 10) / 2).isoformat(), "at the pace so far"
    votes = [point["votes"] for point in ahead["points"]]
    assert votes == [round(part * ahead["votes"]) for part in (0.125, 0.25, 0.5, 0.75, 1.0)]
    decided = [point["decided"] for point in ahead["points"]]
    assert decided == sorted(decided)
    assert decided[0] < 0.6 * decided[-1], "a course that rises, not one that has long ended"
    assert all(0 <= point["low"] <= point["decided"] <= point["high"] <= 40 for point in ahead["points"])
    last = ahead["points"][-1]
    assert live["sentence"][1] == (
        f"about {last['decided']:.0f} ({last['low']:.0f} to {last['high']:.0f}) when all are decided or given up, "
        f"after {ahead['votes']:,} more judgments, about {ahead['ends_at'][:10]}."
    )
    assert live["buys"].startswith(f"The next {votes[0]} judgments decide about ")

    n_before = live["n_votes"]
    judge_all(campaign, n_people=16, most=16)
    live, _ = told(campaign)
    assert live["forecast"] is None
    assert live["n_votes"] - n_before < ahead["votes"], "these people never err, as simulated ones do"


@pytest.mark.django_db
def test_where_the_money_is_short_it_is_the_end(cast: Cast) -> None:
    """$20 are ten tasks; two are done, so eight are to come: at two in two hours they take eight."""
    live, now = told(begun(cast, budget=Decimal("20.00")))
    ahead = live["forecast"]
    assert (ahead["ends_with_money"], ahead["votes"]) == (True, 80)
    assert ahead["ends_at"] == (now + timedelta(hours=8)).isoformat()
    assert " when the money ends, after 80 more judgments, about " in live["sentence"][1]


@pytest.mark.django_db
def test_without_a_budget_the_end_is_said_too(cast: Cast) -> None:
    live, _ = told(begun(cast, budget=None))
    ahead = live["forecast"]
    assert 100 < ahead["votes"] < 1_200
    assert live["sentence"][1].endswith(
        f"decided or given up, after {ahead['votes']:,} more judgments, about {ahead['ends_at'][:10]}."
    )


@pytest.mark.django_db
def test_before_anyone_has_judged_there_is_no_pace_and_no_day(cast: Cast) -> None:
    live, _ = told(begun(cast, n_tasks=0))
    assert live["forecast"]["ends_at"] is None
    assert live["sentence"][1].endswith(f"after {live['forecast']['votes']:,} more judgments.")


@pytest.mark.django_db
def test_a_plan_of_so_many_votes_ends_when_every_pair_has_them(cast: Cast) -> None:
    """Three votes on each of 40 pairs are 120; 20 are there."""
    live, _ = told(begun(cast, design={"plan": PlanKind.VOTES, "votes": 3}))
    assert live["forecast"]["votes"] == 100
    assert " when every pair has its votes, after 100 more judgments, about " in live["sentence"][1]


@pytest.mark.django_db
def test_a_plan_of_so_many_votes_asks_until_every_pair_has_them_and_no_longer(cast: Cast) -> None:
    """One vote on each of 40 pairs makes none of them sure; three make some sure before every pair has them."""
    campaign = begun(cast, n_tasks=0, design={"plan": PlanKind.VOTES, "votes": 1})
    live, _ = told(campaign)
    assert len(live["open"]) == 40
    judge_all(campaign)
    live, _ = told(campaign)
    assert (live["n_decided"], live["open"], live["forecast"]) == (0, [], None)
    assert live["buys"].startswith("No more votes are asked for")
    assert {each["why"] for each in tell_queries(CampaignStanding.read(campaign)).values()} == {"has had its votes"}


@pytest.mark.django_db
def test_a_query_that_is_sure_is_asked_on_where_every_pair_is_to_have_as_many_votes(cast: Cast) -> None:
    campaign = begun(cast, n_tasks=10, design={"plan": PlanKind.VOTES, "votes": 3, "target": 0.5})
    standing = CampaignStanding.read(campaign)
    lacking = [query_id for query_id in standing.decided if standing.count_votes(query_id) < 3]
    assert lacking, "two or three votes of forty pairs make some sure at P(best) of .5"
    asked = {row["query_id"] for row in told(campaign)[0]["open"]}
    assert set(lacking) <= asked
    page = Client()
    page.force_login(cast.organiser)
    watch(campaign.pk)
    shown = page.get(reverse("campaign_query", args=[cast.board.slug, campaign.slug, lacking[0]])).text
    assert "not every pair has its 3 votes" in " ".join(shown.split())
