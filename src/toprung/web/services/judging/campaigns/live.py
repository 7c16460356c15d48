"""How far is a campaign? Judgments, money, queries decided and to come, computed by a task whenever it has moved."""

from __future__ import annotations

from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.utils import timezone

from toprung.labels.doubt.posterior import PoolPosterior
from toprung.labels.plans.ask import Finish
from toprung.labels.plans.plan import VotesPlan
from toprung.labels.plans.price import PLATFORMS, show_money
from toprung.labels.pools.pool import Pool
from toprung.web.core.models.campaigns import CampaignReport
from toprung.web.core.models.judging import Campaign, CampaignState, JudgingBook, JudgingRecord
from toprung.web.core.queue import enqueue_once, keep_labels_current, watch_campaign
from toprung.web.core.store import texts
from toprung.web.services.judging.campaigns.asked import new_answers, open_queries
from toprung.web.services.judging.campaigns.forecast import forecast
from toprung.web.services.judging.campaigns.gold_supply import warn_of_golds
from toprung.web.services.judging.campaigns.quality import tell_quality
from toprung.web.services.judging.campaigns.standing import CampaignStanding, decided_by, strength_intervals
from toprung.words.wording import say_count

LIVE, QUERIES, QUALITY = "live", "queries", "quality"
CHECKPOINTS = 12
MOST_POINTS = 200
"""Of the curve: then every second one is left out."""
RENEWED_AFTER = timedelta(seconds=20)
WHY_NOT_ASKED = {
    Finish.SETTLED: "one answer, nothing to compare",
    Finish.SURE: "sure enough",
    Finish.SPENT: "has had its votes",
    Finish.HOPELESS: "more votes would not help",
    Finish.NOTHING_FITS: "nothing to ask now",
}


def ask_for_news(campaign: Campaign) -> CampaignReport | None:
    """What a task computed last; another is asked for where the campaign has moved since."""
    report = campaign.reports.filter(kind=LIVE).first()
    if campaign.state == CampaignState.DRAFT:
        return report
    is_due = report is None or (
        report.made_of != made_of(campaign) and report.computed_at < timezone.now() - RENEWED_AFTER
    )
    if is_due:
        enqueue_once(watch_campaign, campaign.pk)
    return report


def made_of(campaign: Campaign) -> str:
    """What a report depends on, in short."""
    book = JudgingBook.objects.get(campaign=campaign)
    kinds = ("judgments", "assignments", "challenges", "pools", "golds")
    counts = "-".join(str(book.counts.get(kind, 0)) for kind in kinds)
    blocked = campaign.seats.exclude(blocked_at=None).count()
    target, asked_for = campaign.design.target, sum(campaign.design.asked_for.values())
    return f"{book.generation} {counts} {campaign.state} {campaign.budget} {target} {asked_for} {blocked}"[:80]


def watch(campaign_pk: int) -> None:
    """Compute all that the organiser's pages show."""
    campaign = Campaign.objects.select_related("board", "label_set", "design").get(pk=campaign_pk)
    basis = made_of(campaign)
    before = campaign.reports.filter(kind=LIVE).first()
    if before is not None and before.made_of == basis:
        CampaignReport.objects.filter(pk=before.pk).update(computed_at=timezone.now())
        return
    standing = CampaignStanding.read(campaign)
    content = tell_live(standing, timezone.now(), {} if before is None else before.content)
    for kind, found in (
        (QUALITY, tell_quality(standing)),
        (QUERIES, tell_queries(standing)),
        (LIVE, content),
    ):
        CampaignReport.objects.update_or_create(
            campaign=campaign,
            kind=kind,
            key="",
            defaults={"content": found, "made_of": basis, "computed_at": timezone.now()},
        )
    if campaign.is_standing:
        enqueue_once(keep_labels_current, campaign.pk)


def tell_live(standing: CampaignStanding, now: datetime, before: dict[str, Any]) -> dict[str, Any]:
    """All figures of the page; ``before`` is what it said last, whose curve goes on."""
    campaign, decided = standing.campaign, standing.decided
    n_votes = sum(outcome.n for outcome in standing.outcomes.values())
    to_come = forecast(standing, now)
    return {
        "n_queries": len(standing.several),
        "n_decided": len(decided),
        "n_votes": n_votes,
        "n_people": len({each.assessor for each in standing.judgments.rows}),
        "a_minute": _a_minute(campaign, now),
        "spent": show_money(standing.spent),
        "promised": show_money(standing.promised) if standing.promised else "",
        "budget": "" if campaign.budget is None else show_money(campaign.budget),
        "left": "" if standing.money_left is None else show_money(standing.money_left),
        "per_judgment": show_money(standing.spent / n_votes) if n_votes and standing.spent else "",
        "hourly": "" if (hourly := _hourly(standing)) is None else f"${hourly:,.2f}",
        "least_hourly": _least_hourly(standing, hourly),
        "golds": warn_of_golds(standing),
        "tasks_left": standing.tasks_left,
        "pilot": _say_pilot(standing),
        "n_new": sum(_is_new(standing, query_id) for query_id in decided),
        "curve": _go_on(standing, before.get("curve", []), len(decided), n_votes, now),
        "forecast": to_come,
        "sentence": _say(standing, len(decided), to_come, now),
        "target": standing.design.target,
        "penalty": round(standing.prior.penalty, 3),
        "open": open_queries(standing),
        "buys": _say_buys(standing, len(decided), to_come),
    }


def _a_minute(campaign: Campaign, now: datetime) -> float:
    """Answers in the last ten minutes, by the minute."""
    rows = JudgingRecord.objects.filter(campaign=campaign, kind="judgments", at__gte=now - timedelta(minutes=10))
    return round(rows.count() / 10, 1)


def _hourly(standing: CampaignStanding) -> float | None:
    """What an hour earns at the median pace so far; None where nobody is paid or was timed."""
    taken = [each.ms / 1000 for each in standing.judgments.rows if each.ms]
    slots = standing.design.pairs_per_task + standing.design.golds_per_task
    if not taken or not standing.campaign.reward:
        return None
    return float(standing.campaign.reward) * 3600 / (median(taken) * slots)


def _least_hourly(standing: CampaignStanding, hourly: float | None) -> str:
    """What the platform asks for, where people earn less."""
    least = PLATFORMS[standing.design.platform].least_hourly
    return show_money(least) if hourly is not None and hourly < least else ""


def _say_pilot(standing: CampaignStanding) -> str:
    """That all of a pilot is given out, and what comes next; nothing before."""
    if standing.campaign.state != CampaignState.PILOT or standing.tasks_left != 0:
        return ""
    n_in_hand = len(standing.sitting.desk.open_assignments())
    if n_in_hand:
        be = "is" if n_in_hand == 1 else "are"
        return f"All tasks of the pilot are given out; {n_in_hand:,} {be} still in hand. Nobody is given another."
    return (
        "The pilot is over, and nobody is given work. See how long people took and how often they agree; then go on "
        "after the pilot, or close it."
    )


def _is_new(standing: CampaignStanding, query_id: str) -> bool:
    pool = next(pool for pool in standing.several if pool.query_id == query_id)
    return pool.label is None or standing.posteriors[query_id].best != pool.represent(pool.label)


def _go_on(
    standing: CampaignStanding, curve: list[Any], n_decided: int, n_votes: int, now: datetime
) -> list[list[Any]]:
    """When, votes and queries decided; a campaign that was never watched is followed from its start."""
    points = curve or _replay(standing)
    if not points or points[-1][1:] != [n_votes, n_decided]:
        points = [*points, [now.isoformat(), n_votes, n_decided]]
    return points if len(points) <= MOST_POINTS else [*points[:-1:2], points[-1]]


def _replay(standing: CampaignStanding) -> list[list[Any]]:
    start = standing.campaign.started_at or standing.campaign.created_at
    points: list[list[Any]] = [[start.isoformat(), 0, 0]]
    rows = standing.judgments.rows
    times = list(
        JudgingRecord.objects.filter(campaign=standing.campaign, kind="judgments")
        .order_by("number")
        .values_list("at", flat=True)
    )
    for part in range(1, CHECKPOINTS):
        n = len(rows) * part // CHECKPOINTS
        if n and n <= len(times):
            counted = sum(each.is_vote for each in rows[:n])
            points.append(
                [times[n - 1].isoformat(), counted, decided_by(rows[:n], standing.several, standing.design.target)]
            )
    return points


def _say(standing: CampaignStanding, n_decided: int, to_come: dict[str, Any] | None, now: datetime) -> list[str]:
    """What is bold, and the rest."""
    campaign, n = standing.campaign, len(standing.several)
    since = campaign.started_at or now
    money = f" and {show_money(standing.spent)}" if standing.spent else ""
    bold = f"{n_decided:,} of {n:,} queries are decided after {_say_time(now - since)}{money}"
    if campaign.state == CampaignState.CLOSED:
        return [f"{bold}.", ""]
    if to_come is None:
        return [f"{bold}.", _say_tested(standing)]
    last = to_come["points"][-1]
    expected = f"about {last['decided']:.0f} ({last['low']:.0f} to {last['high']:.0f})"
    more = say_count(to_come["votes"], "more judgment")
    when = f", about {to_come['ends_at'][:10]}" if to_come["ends_at"] else ""
    return [f"{bold};", f"{expected} {_say_end(standing, to_come)}, after {more}{when}."]


def _say_end(standing: CampaignStanding, to_come: dict[str, Any]) -> str:
    if to_come["ends_with_money"]:
        return "when the money ends"
    if isinstance(standing.plan, VotesPlan):
        return "when every pair has its votes"
    return "when all are decided or given up"


def _say_time(taken: timedelta) -> str:
    minutes = max(1, round(taken.total_seconds() / 60))
    if minutes < 120:
        return say_count(minutes, "minute")
    return say_count(minutes // 60, "hour") if minutes < 48 * 60 else say_count(taken.days, "day")


def _say_tested(standing: CampaignStanding) -> str:
    """Of answers that challenge the labels; nothing where none does."""
    n = sum(len({each.challenger for each in found}) for found in standing.open_challenges.values())
    return f"{say_count(n, 'new answer')} {'is' if n == 1 else 'are'} put to the test." if n else ""


def _say_buys(standing: CampaignStanding, n_decided: int, to_come: dict[str, Any] | None) -> str:
    """What the next votes buy, and the last."""
    if to_come is None and standing.open_challenges and standing.votes_left != 0:
        return f"Every query is decided or given up. {_say_tested(standing)} Votes on them are still asked for."
    if to_come is None:
        return "No more votes are asked for: no money is left, or every query is decided or given up."
    points = [{"votes": 0, "decided": float(n_decided)}, *to_come["points"]]
    first, last = points[1], points[-1]
    gained = max(0.0, first["decided"] - n_decided)
    late = max(0.0, last["decided"] - points[-2]["decided"])
    return (
        f"The next {first['votes']:,} judgments decide about {gained:.0f} queries, "
        f"the last {last['votes'] - points[-2]['votes']:,} about {late:.0f}."
    )


def tell_queries(standing: CampaignStanding) -> dict[str, Any]:
    """Of each query its answers, strengths and votes, who leads, and why it is still asked or not."""
    pools = [pool for pool in standing.pools if pool.n_pairs or pool.query_id in standing.open_challenges]
    asked = texts.queries(standing.campaign.board, [pool.query_id for pool in pools])
    return {pool.query_id: _tell_query(standing, pool) | {"text": asked.get(pool.query_id, "")} for pool in pools}


def _tell_query(standing: CampaignStanding, pool: Pool) -> dict[str, Any]:
    why, new = standing.why_not_asked(pool), new_answers(standing, pool.query_id)
    posterior = standing.posteriors.get(pool.query_id)
    return {
        "why": WHY_NOT_ASKED[why] if why and not new else "",
        "is_in_doubt": why is None and posterior is not None,
        "new": new,
        "label": "" if pool.label is None else pool.represent(pool.label),
        "answers": [] if posterior is None else _answers(standing, pool, posterior),
        "votes": standing.count_votes(pool.query_id),
    }


def _answers(standing: CampaignStanding, pool: Pool, posterior: PoolPosterior) -> list[dict[str, Any]]:
    rows = []
    strengths = strength_intervals(posterior)
    for place, item in enumerate(posterior.items):
        met = [
            (outcome.wins_a if pair.a == item else outcome.wins_b, outcome.n)
            for pair, outcome in standing.outcomes_of.get(pool.query_id, {}).items()
            if item in (pair.a, pair.b)
        ]
        mean, low, high = strengths[place]
        rows.append(
            {
                "item": item,
                "p_best": round(posterior.p_best[place], 3),
                "strength": round(mean, 2),
                "low": round(low, 2),
                "high": round(high, 2),
                "won": round(sum(won for won, _ in met)),
                "shown": sum(n for _, n in met),
                "sources": list(pool.sources_of_class.get(item, ())),
            }
        )
    return sorted(rows, key=lambda row: -row["p_best"])
