"""What does a budget buy?"""

from __future__ import annotations

from decimal import Decimal

import pytest

from toprung.analyses.budget.find import forecast_budget
from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.plans.price import Price
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.report.render import OutputFormat, render

POOLS = [Pool(query_id=f"q{i}", items=tuple("ABCD")) for i in range(20)]
PRICE = Price(own_fee=Decimal("0.20"))


def test_half_the_money_once_and_twice_beside_all_pairs() -> None:
    found = forecast_budget(AdaptivePlan(budget=Decimal(48), price=PRICE), POOLS, made=60)
    assert [row.what for row in found.rows] == [
        "half the budget",
        "the budget",
        "twice the budget",
        "each pair once",
        "each pair 3 times",
    ]
    assert [row.money for row in found.rows] == [Decimal(each) for each in ("24", "48", "96", "28.80", "86.40")]
    half, once, twice, *_ = found.rows
    assert half.found.n_votes == pytest.approx(5, abs=0.1)  # ten tasks of ten, for 20 queries
    assert half.found.sure <= once.found.sure <= twice.found.sure
    sure = [f"{row.found.sure:.0%}" for row in (once, half, twice)]
    assert found.sentence == (
        f"$48.00 would make the best answer 90% sure or more in {sure[0]} of 20 queries, $24.00 in {sure[1]}, "
        f"$96.00 in {sure[2]}."
    )


def test_without_a_budget_it_is_what_each_pair_once_costs() -> None:
    found = forecast_budget(AdaptivePlan(price=PRICE), POOLS, made=20)
    assert found.budget == Decimal("28.80")  # 120 pairs, twelve tasks


def test_votes_so_far_count_and_are_not_paid_again() -> None:
    pairs = [Pair(pool.query_id, "A", other) for pool in POOLS for other in "BCD"]
    clear = {pair: PairOutcome(pair=pair, wins_a=30, wins_b=0, ties=0, n=30) for pair in pairs}
    found = forecast_budget(AdaptivePlan(price=PRICE, most_votes=200), POOLS, clear, made=20)
    assert len(found.rows) == 3
    assert {(row.cost, row.found.sure) for row in found.rows} == {(Decimal(0), 1.0)}


def test_what_cannot_be_forecast_is_refused() -> None:
    with pytest.raises(InputError, match="Found no pool of two answers or more"):
        forecast_budget(AdaptivePlan(), [Pool(query_id="q", items=("A",))])
    with pytest.raises(InputError, match="Found tasks that cost nothing"):
        forecast_budget(AdaptivePlan(price=Price(reward=Decimal(0))), POOLS)


@pytest.mark.parametrize("output_format", OutputFormat)
def test_it_is_written_in_every_format(output_format: OutputFormat) -> None:
    assert "budget" in render(forecast_budget(AdaptivePlan(price=PRICE), POOLS[:3], made=6), output_format)
