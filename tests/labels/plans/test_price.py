"""What does a task cost? The source's figures at $2.40 a task, and whose fee it is."""

from __future__ import annotations

from decimal import Decimal

import pytest

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


def test_money_pays_for_whole_tasks() -> None:
    assert OF_THE_SOURCE.affordable_tasks(Decimal("11.99")) == 4
    assert Price(reward=Decimal(0)).affordable_tasks(Decimal(1)) is None


@pytest.mark.parametrize("price", [Price(), OF_THE_SOURCE, Price(platform=PLATFORMS["own"], pairs_per_task=4)])
def test_a_price_is_read_as_it_was_written(price: Price) -> None:
    assert Price.from_record(price.to_record()) == price


def test_a_price_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="which is no price"):
        Price.from_record({**Price().to_record(), "platform": "mturk"})


@pytest.mark.parametrize(("text", "fee"), [("20%", "0.2"), ("0.2", "0.2"), (" 7.5 % ", "0.075"), ("0", "0")])
def test_a_fee_is_read_as_people_write_it(text: str, fee: str) -> None:
    assert to_fee(text) == Decimal(fee)


def test_amounts_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match="reward: found 'two'; expected a number"):
        to_money("two")
    with pytest.raises(InputError, match="reward: found -1; expected zero or more"):
        Price(reward=Decimal(-1))
    with pytest.raises(InputError, match="fee: found NaN"):
        Price(own_fee=Decimal("NaN"))
    with pytest.raises(InputError, match="pairs_per_task: found 0"):
        Price(pairs_per_task=0)
    with pytest.raises(InputError, match="seconds_per_pair: found 0"):
        Price(seconds_per_pair=0)


def test_money_is_shown_to_the_cent() -> None:
    assert show_money(Decimal("34053.6")) == "$34,053.60"
