"""Does a year of unchanged code stay green, and is a loss caught as often as the gate says?

``pytest -m slow -s tests/analyses/gate/test_years.py`` prints the figures that docs/howto/gate.md tells.
"""

from __future__ import annotations

import math
from itertools import product

import pytest
from tests.analyses.gate.years import share_caught, share_of_red_years

KINDS = {True: "RR@10", False: "graded"}


def test_a_few_short_years_stay_green() -> None:
    assert share_of_red_years(years=20, requests=25, n=50, is_rank=True, is_merged=True) <= 0.1


def test_with_one_level_for_all_a_year_would_turn_red() -> None:
    assert share_of_red_years(years=10, requests=100, n=50, is_rank=False, is_merged=True, has_state=False) >= 0.5


@pytest.mark.parametrize("before", [0, 100])
def test_the_loss_that_the_gate_says_it_sees_is_caught_four_times_in_five(before: int) -> None:
    changes = 400
    _, caught = share_caught(before=before, changes=changes, n=200, is_rank=True)
    assert caught == pytest.approx(0.8, abs=3 * math.sqrt(0.8 * 0.2 / changes))


@pytest.mark.slow
@pytest.mark.parametrize(("is_rank", "is_merged"), [*product([True, False], repeat=2)])
def test_at_most_one_year_in_twenty_ever_turns_red(*, is_rank: bool, is_merged: bool) -> None:
    share = share_of_red_years(years=400, requests=200, n=100, is_rank=is_rank, is_merged=is_merged)
    baseline = "the last merged run" if is_merged else "one run all year"
    print(f"\n{KINDS[is_rank]}, baseline {baseline}: {share:.2%} of 400 years of 200 requests are ever red")
    assert share <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize(("n", "is_rank"), [*product([100, 400], [True, False])])
def test_planted_losses_are_caught_at_the_stated_power(n: int, *, is_rank: bool) -> None:
    for before in (0, 10, 100):
        loss, caught = share_caught(before=before, changes=2_000, n=n, is_rank=is_rank)
        print(f"\n{KINDS[is_rank]}, {n} queries, after {before}: a loss of {loss:.3f} is caught in {caught:.1%}")
        assert caught == pytest.approx(0.8, abs=0.03)
