"""What will it cost? The source's figures at $2.40 a task."""

from __future__ import annotations

from decimal import Decimal

import pytest

from toprung.analyses.judging_cost.find import estimate_cost
from toprung.errors import InputError
from toprung.labels.plans.price import Price

PRICE = Price(own_fee=Decimal("0.20"))


def test_more_votes_are_more_tasks() -> None:
    assert estimate_cost(4_210, votes=3).priced[0][2] == 3 * 421
    assert estimate_cost(15, votes=3).priced[0][2] == 5  # 45 votes, nobody waits for a round to end
    assert estimate_cost(15, votes=3, most_of_a_query=9).priced[0][2] == 9  # no query stands twice in a task
    with pytest.raises(InputError, match="votes: found 0"):
        estimate_cost(15, votes=0)


def test_what_was_judged_is_not_paid_again() -> None:
    found = estimate_cost(100, price=PRICE, n_judged=58)
    assert found.sentence == "42 pairs of 100 are still to judge: they fill 5 tasks of 10, which cost $12.00."
    assert found.table.rows == (("all pairs", "100", "10", "$24.00"), ("still to judge", "42", "5", "$12.00"))
    assert estimate_cost(100, n_judged=100).sentence == "Nothing is left to judge: 100 of 100 pairs decided."
    with pytest.raises(InputError, match="Found 5 judged of 4 pairs"):
        estimate_cost(4, n_judged=5)


def test_votes_that_pairs_have_are_not_paid_again() -> None:
    # Twenty pairs lack all three votes, twenty lack one: 80 votes.
    found = estimate_cost(100, price=PRICE, votes=3, n_judged=60, n_lacking=80)
    assert found.table.rows[1] == ("still to judge", "40", "8", "$19.20")


def test_the_figures_are_tidy() -> None:
    found = estimate_cost(4_210, price=PRICE)
    assert found.to_frame().rows() == [("all pairs", 4210, 421, 1010.4)]
    assert found.to_dict()["cost_per_task"] == 2.4
    assert found.notes[0] == "Cost: $2.40 a task ($2.00 and a fee of 20%), 1 vote on each pair."
