"""How will a campaign end? Its plan is carried out on made votes from where it stands, course after course."""

from __future__ import annotations

from datetime import datetime, timedelta
from statistics import fmean, stdev
from typing import Any

from toprung.labels.plans.simulate import simulate_budgets
from toprung.web.services.judging.campaigns.standing import CampaignStanding

COURSES = 10
PARTS = (0.125, 0.25, 0.5, 0.75, 1.0)
"""Of the votes that are left."""
NINE_IN_TEN = 1.645
MOST_POOLS = 400


def forecast(standing: CampaignStanding, now: datetime) -> dict[str, Any] | None:
    """Queries decided by the votes that are left: mean and band, and when they will be in; None if none are left."""
    votes, several = standing.votes_left, standing.several
    if votes is None:
        votes = sum(pool.n_pairs for pool in several)
    if not votes or not standing.asking:
        return None
    n = len(several)
    courses = [
        simulate_budgets(
            standing.adaptive,
            several,
            standing.outcomes,
            [part * votes / n for part in PARTS],
            prior=standing.prior,
            made=min(n, MOST_POOLS),
            seed=seed,
        )
        for seed in range(COURSES)
    ]
    points = [
        _point(part * votes, [course[place].sure * n for course in courses], n) for place, part in enumerate(PARTS)
    ]
    end = _expected_end(standing, votes, now)
    return {
        "votes": votes,
        "points": points,
        "ends_at": None if end is None else end.isoformat(),
        "has_budget": standing.votes_left is not None,
    }


def _point(votes: float, decided: list[float], n: int) -> dict[str, float]:
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
