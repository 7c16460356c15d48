"""What will a campaign take, and what will it buy? Computed by a task before anyone is paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils import timezone

from toprung.analyses.budget.find import SHARES, BudgetForecast, BudgetRow, forecast_budget
from toprung.analyses.pools.find import describe_pools
from toprung.errors import InputError
from toprung.labels.doubt.prior import StrengthPrior
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.plans.price import Price, show_money
from toprung.labels.plans.simulate import VotesFound, simulate_budgets
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import POOLS, add_pools
from toprung.web.core.models.campaigns import CampaignDesign, CampaignReport, GoldVerdict, PlanKind
from toprung.web.core.models.judging import Campaign, CampaignState
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.golds import PROPOSED_AT_ONCE, propose_golds
from toprung.web.services.judging.campaigns.material import PooledAnswers, gather_pools
from toprung.web.services.judging.campaigns.plan import adaptive_plan, price_of

ESTIMATE = "estimate"
CURVE = (0.125, 0.25, 0.375, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
"""Parts of the budget that the drawing shows."""


def estimate(campaign_pk: int) -> None:
    """Pool, price and forecast a draft, and propose golds; what is wrong stands in the report."""
    campaign = Campaign.objects.select_related("board", "label_set", "design").get(pk=campaign_pk)
    if campaign.state != CampaignState.DRAFT:
        return
    due = campaign.design.due
    try:
        gathered = gather_pools(campaign, campaign.design)
        content = tell_estimate(campaign, campaign.design, gathered)
    except InputError as error:
        _keep(campaign, {"fault": str(error)}, due)
        return
    if _keep(campaign, content, due):
        _keep_pools(campaign, gathered.pools)
        _propose_golds(campaign, gathered.pools)


def _keep(campaign: Campaign, content: dict[str, Any], due: int) -> bool:
    """Not where the choices have changed meanwhile: another task is on its way."""
    if not CampaignDesign.objects.filter(campaign=campaign, due=due).exists():
        return False
    CampaignReport.objects.update_or_create(
        campaign=campaign,
        kind=ESTIMATE,
        key="",
        defaults={"content": content, "made_of": str(due), "computed_at": timezone.now()},
    )
    return True


def _keep_pools(campaign: Campaign, pools: Sequence[Pool]) -> None:
    store = CampaignRecords(campaign)
    with store.alone():
        if Campaign.objects.get(pk=campaign.pk).state == CampaignState.DRAFT:
            store.rewrite(POOLS, lambda _: None)
            add_pools(store, pools)


def _propose_golds(campaign: Campaign, pools: Sequence[Pool]) -> None:
    """Anew, beside those that an organiser has looked at already."""
    campaign.proposed_golds.filter(verdict=GoldVerdict.PROPOSED).delete()
    propose_golds(campaign, pools, max(0, PROPOSED_AT_ONCE - campaign.proposed_golds.count()))


def tell_estimate(campaign: Campaign, design: CampaignDesign, gathered: PooledAnswers) -> dict[str, Any]:
    """Everything the page says of it."""
    price = price_of(campaign, design)
    votes = design.votes if design.plan == PlanKind.VOTES else 1
    pooled = describe_pools(gathered.pools, price=price, votes=votes)
    n_several = sum(bool(pool.n_pairs) for pool in gathered.pools)
    return {
        "n_queries": pooled.n_queries,
        "n_several": n_several,
        "n_pairs": pooled.n_pairs,
        "mean": round(pooled.mean, 2),
        "n_runs": len(gathered.runs),
        "n_without_text": gathered.n_without_text,
        "n_queries_without_text": gathered.n_queries_without_text,
        "said": gathered.said,
        "hourly": str(price.hourly),
        "least_hourly": str(price.platform.least_hourly),
        "is_underpaid": price.hourly < price.platform.least_hourly,
        "price": price.say(),
        "per_task": str(price.per_task),
        "source": price.say_source(),
    } | _tell_forecast(campaign, design, gathered.pools, price)


def _tell_forecast(campaign: Campaign, design: CampaignDesign, pools: Sequence[Pool], price: Price) -> dict[str, Any]:
    """At half, once and twice the money; where nobody is paid, at the money that a vote on each pair would cost."""
    plan = adaptive_plan(campaign, design)
    if not price.per_task:  # nobody is paid: work is counted in tasks instead
        return _tell_unpaid(design, pools, price)
    found = forecast_budget(plan, pools, seed=design.seed)
    curve = _curve(found, pools, price)
    found = replace(found, rows=(*_on_curve(found, curve, price), *found.rows[len(SHARES) :]))
    n = found.n_queries
    return {
        "budget": show_money(found.budget),
        "target": plan.target,
        "rows": [_tell_row(row, n, price) for row in found.rows],
        "curve": [[0.0, 0.0], *([float(found.budget) * part, each.sure * n] for part, each in curve.items())],
        "notes": [note for note in found.notes if "toprung labels" not in note],
        "sentence": _say(found),
        "is_adaptive": design.plan == PlanKind.ADAPTIVE,
    }


def _tell_row(row: BudgetRow, n: int, price: Price) -> dict[str, Any]:
    judgments = round(row.found.n_votes * n)
    return {
        "what": row.what,
        "money": show_money(row.money),
        "cost": show_money(row.cost),
        "amount": float(row.money),
        "judgments": judgments,
        "decided": round(row.found.sure * n),
        "right": round(row.found.right, 3),
        "given_up": round(row.found.hopeless * n),
        "hours": round(price.hours(judgments), 1),
    }


def _on_curve(found: BudgetForecast, curve: Mapping[float, VotesFound], price: Price) -> list[BudgetRow]:
    """Half, once and twice the money, as the curve has them: one course for the table and the drawing."""
    n = found.n_queries
    return [
        replace(
            row,
            found=curve[float(share)],
            cost=min(row.money, price.total(round(curve[float(share)].n_votes * n))),
        )
        for row, share in zip(found.rows, SHARES, strict=False)
    ]


def _curve(found: BudgetForecast, pools: Sequence[Pool], price: Price) -> dict[float, VotesFound]:
    """What parts of the money find."""
    n = found.n_queries
    sums = [float(found.budget) * part for part in CURVE]
    votes = [int(money / float(price.per_task)) * price.pairs_per_task / n for money in sums]
    made = simulate_budgets(found.plan, pools, {}, votes, prior=found.prior, seed=found.seed)
    return dict(zip(CURVE, made, strict=True))


def _say(found: BudgetForecast) -> list[str]:
    """What is bold, and the rest."""
    half, once, _ = found.rows[: len(SHARES)]
    n = found.n_queries
    return [
        f"For {show_money(once.money)}, about {round(once.found.sure * n):,} of {n:,} queries get a best answer you "
        "can rely on.",
        f"Half the money decides {round(half.found.sure * n):,}.",
    ]


def _tell_unpaid(design: CampaignDesign, pools: Sequence[Pool], price: Price) -> dict[str, Any]:
    several = [pool for pool in pools if pool.n_pairs]
    n, n_pairs = len(several), sum(pool.n_pairs for pool in several)
    plan = AdaptivePlan(target=design.target, most_votes=design.most_votes)
    parts = [part * n_pairs * 2 / n for part in (0.5, 1.0, 2.0)]
    made = simulate_budgets(plan, several, {}, parts, prior=StrengthPrior(), seed=design.seed)
    rows = [
        {
            "what": what,
            "money": "–",
            "cost": "–",
            "amount": each.n_votes * n,
            "judgments": round(each.n_votes * n),
            "decided": round(each.sure * n),
            "right": round(each.right, 3),
            "given_up": round(each.hopeless * n),
            "hours": round(price.hours(round(each.n_votes * n)), 1),
        }
        for what, each in zip(("half", "two votes a pair", "twice"), made, strict=True)
    ]
    return {
        "budget": "",
        "target": plan.target,
        "rows": rows,
        "curve": [[0.0, 0.0], *([row["amount"], row["decided"]] for row in rows)],
        "notes": ["Nobody is paid: work is counted in judgments."],
        "sentence": [
            f"With {rows[1]['judgments']:,} judgments, about {rows[1]['decided']:,} of {n:,} queries get a best "
            "answer you can rely on.",
            f"Half of them decide {rows[0]['decided']:,}.",
        ],
        "is_adaptive": design.plan == PlanKind.ADAPTIVE,
    }
