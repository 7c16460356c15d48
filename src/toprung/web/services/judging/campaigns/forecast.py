"""How will a campaign end? Its plan is carried out on made votes from where it stands, course after course."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import fmean, stdev
from typing import Any

from toprung.labels.plans.plan import VotesPlan
from toprung.labels.plans.simulate import VotesFound, simulate_budgets
from toprung.web.services.judging.campaigns.standing import CampaignStanding

COURSES = 10
PARTS = (0.125, 0.25, 0.5, 0.75)
"""Of the votes that the courses use."""
ALL_OF_IT = 0.99
"""Courses that use this share of the votes that money buys end with the money."""
NINE_IN_TEN = 1.645
MOST_POOLS = 400


def forecast(standing: CampaignStanding, now: datetime) -> dict[str, Any] | None:
    """Queries decided by the votes to come: mean and band, and when they will be in; None if none are to come.

    A plan that stops when sure need not use all that the money buys: the end is where the courses end.
    """
    bought = standing.votes_left
    most = _most_wanted(standing) if bought is None else min(bought, _most_wanted(standing))
    if not most or not standing.asking:
        return None
    n = len(standing.several)
    ends = [course[0] for course in _courses(standing, [most])]
    votes = most if isinstance(standing.plan, VotesPlan) else _used(ends, n)
    before = zip(*_courses(standing, [part * votes for part in PARTS]), strict=True)
    points = [_point(part * votes, found, n) for part, found in zip(PARTS, before, strict=True)]
    ends_at = _expected_end(standing, votes, now)
    return {
        "votes": votes,
        "points": [*points, _point(votes, ends, n)],
        "ends_at": None if ends_at is None else ends_at.isoformat(),
        "ends_with_money": bought is not None and votes >= ALL_OF_IT * bought,
    }


def _used(ends: Sequence[VotesFound], n: int) -> int:
    """By courses that stop when sure, in the mean."""
    return max(1, round(n * fmean(end.n_votes for end in ends)))


def _most_wanted(standing: CampaignStanding) -> int:
    """So many votes the plan may ask at most, whatever they say."""
    if isinstance(standing.plan, VotesPlan):
        pairs = (pair for pool in standing.several for pair in pool.pairs())
        return sum(standing.plan.lacking(standing.outcomes.get(pair)) for pair in pairs)
    most = standing.adaptive.most_votes
    return sum(max(0, most - standing.posteriors[pool.query_id].n_votes) for pool in standing.several)


def _courses(standing: CampaignStanding, votes: Sequence[float]) -> list[list[VotesFound]]:
    """What so many votes find, course by course."""
    several = standing.several
    return [
        simulate_budgets(
            standing.adaptive,
            several,
            standing.outcomes,
            [each / len(several) for each in votes],
            prior=standing.prior,
            made=min(len(several), MOST_POOLS),
            seed=seed,
        )
        for seed in range(COURSES)
    ]


def _point(votes: float, found: Sequence[VotesFound], n: int) -> dict[str, float]:
    decided = [each.sure * n for each in found]
    mean, spread = fmean(decided), NINE_IN_TEN * stdev(decided)
    return {
        "votes": round(votes),
        "decided": round(mean, 1),
        "low": round(max(0.0, mean - spread), 1),
        "high": round(min(float(n), mean + spread), 1),
    }


def _expected_end(standing: CampaignStanding, votes: int, now: datetime) -> datetime | None:
    """At the pace so far."""
    handed_in, start = standing.handed_in(), standing.campaign.started_at
    if not handed_in or start is None or now <= start:
        return None
    tasks_left = votes / standing.design.pairs_per_task
    return now + timedelta(seconds=min(10**8, (now - start).total_seconds() * tasks_left / len(handed_in)))
