"""What does a task cost? The source's figures at $2.40 a task, and whose fee it is."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.errors import InputError
from toprung.labels.plans.price import PLATFORMS, Price, show_money, to_fee, to_money

OF_THE_SOURCE = Price(own_fee=Decimal("0.20"))


@pytest.mark.parametrize(
    ("pairs", "tasks", "total"),
    [(6_980, 698, "1675.20"), (4_210, 421, "1010.40"), (141_887, 14_189, "34053.60"), (0, 0, "0"), (1, 1, "2.40")],
)
def test_tasks_and_cost_of_pairs(pairs: int, tasks: int, total: str) -> None:
    assert OF_THE_SOURCE.tasks(pairs) == tasks
    assert OF_THE_SOURCE.total(pairs) == Decimal(total)


def test_a_task_costs_the_reward_and_the_fee() -> None:
    assert OF_THE_SOURCE.per_task == Decimal("2.40")
    assert Price(reward=Decimal("0.33"), own_fee=Decimal("0.33")).per_task == Decimal("0.44")
    assert Price().per_task == Decimal("2.67")  # 2.00 × 1.333
    assert Price(platform=PLATFORMS["prolific-business"]).per_task == Decimal("2.86")  # 2.00 × 1.428
    assert Price(platform=PLATFORMS["own"]).per_task == Decimal("2.00")


@given(cents=st.integers(1, 2_000), thousandths=st.integers(0, 999), money=st.integers(0, 2_000_000))
def test_tasks_that_money_pays_for_never_cost_more(cents: int, thousandths: int, money: int) -> None:
    """Whether a platform rounds its fee of each task, or the sum: $1.00 and 33.3% are $1.333, not $1.33."""
    reward, fee, budget = Decimal(cents) / 100, Decimal(thousandths) / 1000, Decimal(money) / 100
    n = Price(reward=reward, own_fee=fee).affordable_tasks(budget)
    assert n is not None
    assert n * reward * (1 + fee) <= budget
    assert n * (reward + (reward * fee).quantize(Decimal("0.01"), ROUND_HALF_UP)) <= budget


def test_a_fee_has_its_source_and_an_hour_its_pay() -> None:
    # Thirteen slots of 30 seconds are 390 seconds: 3600 / 390 × 2.00 = 18.46.
    assert Price().say_source() == (
        "Fee of 33.3%: Prolific for universities and non-profits (https://www.prolific.com/pricing, September 2026). "
        "At 30 seconds a pair an hour earns $18.46; $8.00 is the least."
    )
    assert OF_THE_SOURCE.say_source().startswith("Fee of 20%: as given.")


def test_pay_below_the_least_is_said() -> None:
    # 13 × 80 seconds are 1,040: 3600 / 1040 × 2.00 = 6.92.
    said = Price(seconds_per_pair=80).say_source()
    assert "an hour earns $6.92, less than the $8.00 that must be paid: raise the reward" in said
    assert "must be paid" not in Price(seconds_per_pair=80, platform=PLATFORMS["own"]).say_source()


def test_an_hour_counts_the_test_pairs_that_a_task_has() -> None:
    # Ten slots of 36 seconds are six minutes, twenty of them twelve: 2.00 an hour's tenth, and fifth.
    none, ten = Price(golds_per_task=0, seconds_per_pair=36), Price(golds_per_task=10, seconds_per_pair=36)
    assert (none.hourly, ten.hourly) == (Decimal("20.00"), Decimal("10.00"))
    assert (none.hours(195), ten.hours(195)) == (2.0, 4.0), "twenty tasks, the last one short"
    assert (
        Price(seconds_per_pair=480 / 13)
        .say_source()
        .endswith("At 36.9 seconds a pair an hour earns $15.00; $8.00 is the least.")
    )


def test_money_pays_for_whole_tasks() -> None:
    assert OF_THE_SOURCE.affordable_tasks(Decimal("11.99")) == 4
    assert Price(reward=Decimal(0)).affordable_tasks(Decimal(1)) is None


@pytest.mark.parametrize(
    "price", [Price(), OF_THE_SOURCE, Price(platform=PLATFORMS["own"], pairs_per_task=4, golds_per_task=0)]
)
def test_a_price_is_read_as_it_was_written(price: Price) -> None:
    assert Price.from_record(price.to_record()) == price


@pytest.mark.parametrize(
    "edit",
    [
        {"platform": "mturk"},
        {"reward": "1e99"},
        {"reward": True},
        {"reward": [0, [1], 0]},
        {"fee": False},
        {"pairs_per_task": float("inf")},
        {"seconds_per_pair": 10**400},
    ],
)
def test_a_price_that_is_none_is_refused(edit: dict[str, object]) -> None:
    with pytest.raises(InputError, match="which is no price"):
        Price.from_record({**Price().to_record(), **edit})


@pytest.mark.parametrize(("text", "fee"), [("20%", "0.2"), ("0.2", "0.2"), (" 7.5 % ", "0.075"), ("0", "0")])
def test_a_fee_is_read_as_people_write_it(text: str, fee: str) -> None:
    assert to_fee(text) == Decimal(fee)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"reward": Decimal(-1)}, "reward: found -1; expected a number from 0 to 1,000,000,000"),
        ({"reward": Decimal("1e30")}, r"reward: found 1E\+30"),
        ({"reward": Decimal("sNaN")}, "reward: found sNaN"),
        ({"own_fee": Decimal("NaN")}, "fee: found NaN"),
        ({"own_fee": Decimal("10.01")}, "fee: found 10.01; expected a number from 0 to 10"),
        ({"pairs_per_task": 0}, "pairs_per_task: found 0; expected a whole number from 1 to 1,000,000,000"),
        ({"golds_per_task": -1}, "golds_per_task: found -1; expected a whole number from 0 to 1,000,000,000"),
        ({"pairs_per_task": 10**40}, "pairs_per_task: found 1000"),
        ({"seconds_per_pair": 0}, "seconds_per_pair: found 0; expected seconds from 0.1 to 86,400"),
        ({"seconds_per_pair": 1e-300}, "seconds_per_pair: found 1e-300"),
        ({"seconds_per_pair": 86_401}, "seconds_per_pair: found 86401"),
        ({"seconds_per_pair": float("nan")}, "seconds_per_pair: found nan"),
    ],
)
def test_prices_beyond_reason_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Price(**given)


def test_the_highest_price_is_told_to_the_cent() -> None:
    dearest = Price(reward=Decimal(10**9), own_fee=Decimal(10), pairs_per_task=1, seconds_per_pair=0.1)
    assert show_money(dearest.total(10**9)) == "$11,000,000,000,000,000,000.00"  # 10⁹ × 10⁹ × (1 + 10)
    assert show_money(dearest.hourly) == "$9,000,000,000,000.00"  # 10⁹ × 3600 / (0.1 × (1 + 3))
    with pytest.raises(InputError, match="Found 1,000,000,001 pairs to price; expected 1,000,000,000 at most"):
        dearest.total(10**9 + 1)


@pytest.mark.parametrize("text", ["two", "1e30", "-1", "nan", "sNaN", "inf"])
def test_amounts_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"reward: found .*; expected a number"):
        to_money(text)
    with pytest.raises(InputError, match=r"fee: found .*; expected a number"):
        to_fee(f"{text}%")


def test_money_is_shown_to_the_cent() -> None:
    assert show_money(Decimal("34053.6")) == "$34,053.60"
