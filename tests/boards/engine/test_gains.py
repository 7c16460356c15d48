"""What could a claim see?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from tests.boards.engine.samples import scores_of

from toprung.boards.engine.gains import smallest_gain, usual_spread
from toprung.boards.engine.rules import Rule
from toprung.stats.sequences.online import SteadyGamma
from toprung.stats.tests.pair import pair_test


# STATISTICS section 5: s .42, n 5,793.
@pytest.mark.parametrize(("t", "gain"), [(1, 0.021524), (10, 0.022955), (50, 0.025357), (100, 0.026582)])
def test_the_smallest_gain_on_the_statistics_page(t: int, gain: float) -> None:
    level = 0.05 * SteadyGamma()(t)
    assert smallest_gain(0.42, 5_793, level=level) == pytest.approx(gain, abs=5e-7)
    assert smallest_gain(0.42, 5_793, level=2 * level, rule=Rule.NO_HARM) == pytest.approx(gain, abs=5e-7)


def test_a_gain_of_that_size_is_seen_four_times_in_five() -> None:
    level, n, spread = 0.002, 400, 0.3
    gain = smallest_gain(spread, n, level=level)
    drawn = np.random.default_rng(4).normal(gain, spread, (4_000, n))
    seen = stats.ttest_1samp(drawn, 0, axis=1).pvalue <= level
    assert seen.mean() == pytest.approx(0.8, abs=0.03)


def test_a_tiny_level_still_has_a_gain() -> None:
    quantile = stats.norm.isf(5e-21) + stats.norm.ppf(0.8)
    assert smallest_gain(1.0, 100, level=1e-20) == pytest.approx(quantile / 10)


@pytest.mark.parametrize(("spread", "n", "level"), [(0.4, 0, 0.01), (0.4, 10, 0.0), (math.nan, 10, 0.01)])
def test_where_nothing_can_be_seen_the_gain_is_infinite(spread: float, n: int, level: float) -> None:
    assert smallest_gain(spread, n, level=level) == math.inf


@pytest.mark.parametrize(("n", "rule"), [(9, Rule.MEASURE), (10, Rule.NO_HARM)])
def test_where_no_run_could_pass_no_gain_is_promised(n: int, rule: Rule) -> None:
    """Better on every query p is 2/2ⁿ: 0.0039 on 9, which the level of a first claim, 0.0022, does not reach."""
    level = 0.05 * SteadyGamma()(1)
    held_to = level / 2 if rule is Rule.NO_HARM else level
    assert pair_test(np.full(n, 1.0)).p > held_to > pair_test(np.full(n + 1, 1.0)).p
    assert smallest_gain(0.4, n, level=level, rule=rule) == math.inf
    assert smallest_gain(0.4, n + 1, level=level, rule=rule) < 1


def test_the_usual_spread_is_the_median_over_runs_against_the_holder() -> None:
    values = np.array([[0.0, 0.2, 0.9, 0.1], [0.0, 0.4, 0.1, 0.2], [0.0, 0.9, 0.5, 0.9]])
    scores = scores_of(values)
    spreads = [np.std(values[:, column], ddof=1) for column in (1, 2, 3)]
    assert usual_spread(scores, "r000", scores.runs) == pytest.approx(np.median(spreads))
    assert usual_spread(scores, "r000", ["r000", "r002"]) == pytest.approx(spreads[1])


def test_alone_or_on_one_query_there_is_no_spread() -> None:
    assert math.isnan(usual_spread(scores_of([[0.1, 0.2], [0.3, 0.2]]), "r000", ["r000"]))
    assert math.isnan(usual_spread(scores_of([[0.1, 0.2]]), "r000", ["r000", "r001"]))
