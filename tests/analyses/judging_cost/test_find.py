"""What will it cost? The source's figures at $2.40 a task."""

from __future__ import annotations

from decimal import Decimal

import pytest

from toprung.analyses.judging_cost.find import Price, estimate_cost, show_money, to_fee, to_money
from toprung.errors import InputError


@pytest.mark.parametrize(
    ("pairs", "tasks", "total"),
    [(6_980, 698, "1675.20"), (4_210, 421, "1010.40"), (141_887, 14_189, "34053.60"), (0, 0, "0"), (1, 1, "2.40")],
)
def test_tasks_and_cost_of_pairs(pairs: int, tasks: int, total: str) -> None:
    assert Price().tasks(pairs) == tasks
    assert Price().total(pairs) == Decimal(total)


def test_a_task_costs_the_reward_and_the_fee() -> None:
    assert Price().per_task == Decimal("2.40")
    assert Price(reward=Decimal("0.33"), fee=Decimal("0.33")).per_task == Decimal("0.44")


def test_more_votes_are_more_tasks() -> None:
    assert Price(votes_per_pair=3).tasks(4_210) == 3 * 421


@pytest.mark.parametrize(("text", "fee"), [("20%", "0.2"), ("0.2", "0.2"), (" 7.5 % ", "0.075"), ("0", "0")])
def test_a_fee_is_read_as_people_write_it(text: str, fee: str) -> None:
    assert to_fee(text) == Decimal(fee)


def test_amounts_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match="reward: found 'two'; expected a number"):
        to_money("two")
    with pytest.raises(InputError, match="reward: found -1; expected zero or more"):
        Price(reward=Decimal(-1))
    with pytest.raises(InputError, match="fee: found NaN"):
        Price(fee=Decimal("NaN"))
    with pytest.raises(InputError, match="pairs_per_task: found 0"):
        Price(pairs_per_task=0)


def test_money_is_shown_to_the_cent() -> None:
    assert show_money(Decimal("34053.6")) == "$34,053.60"


def test_what_was_judged_is_not_paid_again() -> None:
    found = estimate_cost(100, n_judged=58)
    assert found.sentence == "42 pairs of 100 are still to judge: they fill 5 tasks of 10, which cost $12.00."
    assert found.table.rows == (("all pairs", "100", "10", "$24.00"), ("still to judge", "42", "5", "$12.00"))
    assert estimate_cost(100, n_judged=100).sentence == "Nothing is left to judge: 100 of 100 pairs decided."
    with pytest.raises(InputError, match="Found 5 judged of 4 pairs"):
        estimate_cost(4, n_judged=5)


def test_the_figures_are_tidy() -> None:
    found = estimate_cost(4_210)
    assert found.to_frame().rows() == [("all pairs", 4210, 421, 1010.4)]
    assert found.to_dict()["cost_per_task"] == 2.4
    assert found.notes[0] == "Cost: $2.40 a task ($2.00 and a fee of 20%), 1 vote on each pair."
