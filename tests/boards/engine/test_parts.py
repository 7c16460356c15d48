"""In which parts do two runs differ?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.boards.engine.samples import (
    ANSWERS_MORE,
    AT_A_COST,
    CONFLICT,
    NO_HARM,
    NONE_SHARED,
    TEN_QUERIES,
    Counted,
    ranks_of,
    scores_of,
)

from toprung.boards.engine.margins import Margins
from toprung.boards.engine.parts import differences_of, find_parts
from toprung.errors import InputError
from toprung.stats.tests.pair import PairTest


def p_and_side(found: PairTest | None) -> tuple[float, int]:
    assert found is not None
    return found.p, found.favours


# STATISTICS section 5, pairs i to vi: P_m, P_a, P_r with the side they favour.
@pytest.mark.parametrize(
    ("counted", "measure", "answered", "ranking"),
    [
        (ANSWERS_MORE, (0.551758, 1), (0.0078125, 1), (0.125, -1)),
        (NO_HARM, (0.000488, 1), (0.000488, 1), (1.0, 0)),
        (AT_A_COST, (6.151e-6, 1), (1.907e-6, -1), None),
        (CONFLICT, (1.0, 0), (1.863e-9, 1), (0.000488, -1)),
        (NONE_SHARED, (0.003761, 1), (0.009355, 1), (1.0, 0)),
        (TEN_QUERIES, (0.703125, 1), None, (0.625, 1)),
    ],
)
def test_the_parts_of_the_pairs_on_the_statistics_page(
    counted: list[Counted], measure: tuple[float, int], answered: tuple[float, int], ranking: tuple[float, int]
) -> None:
    found = find_parts(ranks_of(counted), "a", "b")
    assert p_and_side(found.measure) == (pytest.approx(measure[0], rel=2e-3, abs=5e-7), measure[1])
    for part, expected in ((found.answered, answered), (found.ranking, ranking)):
        if expected is not None:
            assert p_and_side(part) == (pytest.approx(expected[0], rel=2e-3, abs=0), expected[1])


@pytest.mark.parametrize(
    ("counted", "digits"),
    [
        (ANSWERS_MORE, "0.551758"),
        (NO_HARM, "0.000488"),
        (AT_A_COST, "0.000006"),
        (CONFLICT, "1.000000"),
        (NONE_SHARED, "0.003761"),
        (TEN_QUERIES, "0.703125"),
    ],
)
def test_the_measure_is_tested_to_the_printed_digits(counted: list[Counted], digits: str) -> None:
    assert f"{find_parts(ranks_of(counted), 'a', 'b').measure.p:.6f}" == digits


@pytest.mark.parametrize(
    ("counted", "answered_low", "ranking_low"),
    [
        (ANSWERS_MORE, None, -0.886129),
        (NO_HARM, 0.019611, -0.011598),
        (AT_A_COST, -0.068571, None),
        (NONE_SHARED, None, -math.inf),
    ],
)
def test_the_harm_bounds_on_the_statistics_page(
    counted: list[Counted], answered_low: float | None, ranking_low: float | None
) -> None:
    found = find_parts(ranks_of(counted), "a", "b")
    for bounds, expected in ((found.answered_harm, answered_low), (found.ranking_harm, ranking_low)):
        if expected is not None:
            assert bounds is not None
            assert bounds.low == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("counted", "n_shared", "p_values", "is_harm_excluded"),
    [
        ([(0, 0, 9)], 0, (1.0, 1.0, 1.0), False),  # nobody answers anything
        ([(0, 1, 3), (1, 0, 3)], 0, (1.0, 1.0, 1.0), False),
        ([(2, 1, 1), (0, 0, 40)], 1, (1.0, 1.0, 1.0), False),
        ([(2, 1, 2), (0, 0, 40)], 2, (0.5, 1.0, 0.5), False),  # two shared answers prove nothing
        ([(3, 3, 215)], 215, (1.0, 1.0, 1.0), True),  # all equal, and enough queries to say so
        ([(3, 3, 20)], 20, (1.0, 1.0, 1.0), False),
        ([(5, 1, 1)], 1, (1.0, 1.0, 1.0), False),  # one query
        ([(2, 1, 16)], 16, (2.0**-15, 1.0, 2.0**-15), None),  # a constant difference
        ([(2, 1, 17)], 17, (2.0**-16, 1.0, 2.0**-16), None),
    ],
)
def test_degenerate_pairs(
    counted: list[Counted], n_shared: int, p_values: tuple[float, float, float], is_harm_excluded: bool | None
) -> None:
    found = find_parts(ranks_of(counted), "a", "b")
    assert found.answered is not None
    assert found.ranking is not None
    assert (found.measure.p, found.answered.p, found.ranking.p) == pytest.approx(p_values)
    assert found.ranking.n == n_shared
    assert found.answered.n == found.measure.n == sum(count for _, _, count in counted)
    if is_harm_excluded is not None:
        assert found.is_harm_excluded(1) is found.is_harm_excluded(-1) is is_harm_excluded


def test_scores_have_the_measure_and_nothing_else() -> None:
    found = find_parts(scores_of([[0.1, 0.2], [0.3, 0.6]]), "r000", "r001")
    assert found.measure.mean == pytest.approx(0.2)
    assert not found.has_ranks
    assert found.answered is found.ranking is found.answered_harm is found.ranking_harm is None
    assert not found.is_harm_excluded(1)


def test_where_lower_is_better_the_lower_run_is_favoured() -> None:
    values = np.column_stack([np.arange(1.0, 9), np.arange(1.0, 9) / 2])
    lower, higher = (find_parts(scores_of(values, measure=measure), "r000", "r001") for measure in ("ESL", "nDCG@10"))
    assert (lower.measure.favours, higher.measure.favours) == (1, -1)
    assert lower.measure.p == higher.measure.p == 2.0**-7
    assert lower.measure.mean == -higher.measure.mean
    assert differences_of(scores_of(values, measure="ESL"), "r000", ["r001"]).mean() == pytest.approx(2.25)


def test_margins_of_a_board_reach_the_bounds() -> None:
    margins = Margins(answered=0.2, ranking=0.3)
    found = find_parts(ranks_of(AT_A_COST), "a", "b", margins=margins)
    assert found.answered_harm is not None
    assert found.ranking_harm is not None
    assert (found.answered_harm.margin, found.ranking_harm.margin) == (0.2, 0.3)
    assert found.is_harm_excluded(1)
    assert not find_parts(ranks_of(AT_A_COST), "a", "b").is_harm_excluded(1)


@pytest.mark.parametrize("margin", [0.0, -0.1, 1.5, math.nan])
def test_a_margin_that_makes_no_sense_is_refused(margin: float) -> None:
    with pytest.raises(InputError, match=r"margin of ranking: found .*; expected more than 0, up to 1"):
        Margins(ranking=margin)
    with pytest.raises(InputError, match="margin of answered"):
        Margins(answered=margin)


ranks = st.sampled_from([0, 0, 1, 2, 3, 7, 100])
pairs = st.lists(st.tuples(ranks, ranks), min_size=1, max_size=60)


@given(rows=pairs)
def test_each_part_is_what_its_own_test_says(rows: list[tuple[int, int]]) -> None:
    found = find_parts(ranks_of([(a, b, 1) for a, b in rows]), "a", "b")
    only_b, only_a = sum(a == 0 < b for a, b in rows), sum(b == 0 < a for a, b in rows)
    both = [(1 / a, 1 / b) for a, b in rows if a and b]
    assert found.answered is not None
    assert found.ranking is not None
    mcnemar = stats.binomtest(only_b, only_a + only_b).pvalue if only_a + only_b else 1.0
    assert found.answered.p == pytest.approx(mcnemar, rel=1e-9)
    assert found.answered.favours == np.sign(only_b - only_a)
    assert found.ranking.n == len(both)
    if both:
        assert found.ranking.mean == pytest.approx(np.mean([b - a for a, b in both]), abs=1e-12)


@given(rows=pairs)
def test_exchanging_the_runs_mirrors_every_part(rows: list[tuple[int, int]]) -> None:
    found = find_parts(ranks_of([(a, b, 1) for a, b in rows]), "a", "b")
    turned = find_parts(ranks_of([(a, b, 1) for a, b in rows]), "b", "a")
    for name in ("measure", "answered", "ranking"):
        one, other = getattr(found, name), getattr(turned, name)
        assert other.p == pytest.approx(one.p, rel=1e-9)
        assert other.favours == -one.favours
    for name in ("answered_harm", "ranking_harm"):
        one, other = getattr(found, name), getattr(turned, name)
        assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-12)
    assert turned.is_harm_excluded(1) is found.is_harm_excluded(-1)
