"""How fine a figure on hidden labels may be: ten of their queries at least, and a number that a reader counts in."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.boards.disclosure.resolution import decimals_of_step, resolution, round_down, round_up

STEPS = [Decimal(first).scaleb(zeros) for zeros in range(-8, 3) for first in (1, 2, 5)]
"""All that a step may be, from the finest."""


@given(st.integers(50, 1_000_000))
def test_a_step_is_ten_queries_or_the_next_round_number_above(n_queries: int) -> None:
    """Exactly, in fractions of ten: no float of ten over n tells otherwise."""
    wanted = next(step for step in STEPS if step * n_queries >= 10)
    assert Decimal(str(resolution(n_queries))) == wanted


@given(st.integers(1, 10_000), st.integers(50, 10_000))
def test_a_query_that_moves_a_figure_more_makes_steps_larger(each: int, n_queries: int) -> None:
    wanted = next((step for step in STEPS if step * n_queries >= 10 * each), None)
    if wanted is not None:
        assert Decimal(str(resolution(n_queries, each=each))) == wanted


@given(st.decimals("0.00001", "90", places=5))
def test_up_and_down_are_the_round_numbers_on_either_side(step: Decimal) -> None:
    assert Decimal(str(round_up(float(step)))) == next(each for each in STEPS if each >= step)
    assert Decimal(str(round_down(float(step)))) == next(each for each in reversed(STEPS) if each <= step)


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_a_multiple_of_a_step_is_written_whole_and_with_no_zero_too_many(step: Decimal) -> None:
    decimals = decimals_of_step(float(step))
    assert Decimal(f"{float(3 * step):.{decimals}f}") == 3 * step
    assert decimals == 0 or Decimal(f"{float(step):.{decimals - 1}f}") != step


def test_of_no_query_at_all_nothing_can_be_told() -> None:
    assert resolution(0) == resolution(1) == 10.0
