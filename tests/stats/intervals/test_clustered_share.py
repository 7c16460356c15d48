from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.errors import InputError
from toprung.stats.intervals.clustered_share import clustered_share
from toprung.stats.intervals.proportions import wilson_share


def test_groups_that_are_all_alike_count_as_one_trial_each() -> None:
    # five groups of ten, each all or nothing: 3 of 5 groups
    found = clustered_share([10, 10, 10, 0, 0], [10] * 5)
    assert (found.successes, found.trials) == (30, 50)
    narrow = wilson_share(30, 50)
    assert found.low < narrow.low
    assert found.high > narrow.high
    # share .6, effective trials .24 / (5/4 · (3·16 + 2·36) / 2500) = 4, times (z / t with 4 degrees of freedom)²
    n = 4 * (1.959964 / 2.776445) ** 2
    z2 = 1.959964**2
    centre = (0.6 + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2) * math.sqrt(0.24 / n + z2 / (4 * n * n)) / (1 + z2 / n)
    assert (found.low, found.high) == pytest.approx((centre - half, centre + half), abs=1e-6)


def test_groups_of_one_give_wilsons_interval_nearly() -> None:
    found, plain = clustered_share([1] * 30 + [0] * 20, [1] * 50), wilson_share(30, 50)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=0.005)  # 46.6 effective trials of 50


def test_groups_less_alike_than_chance_do_not_count_for_more_than_they_are() -> None:
    # every group half right: no variance between them that could be seen
    assert clustered_share([5, 5, 5], [10, 10, 10]).low <= wilson_share(15, 30).low


@pytest.mark.parametrize(("successes", "ends"), [([3, 4], (None, 1.0)), ([0, 0], (0.0, None))])
def test_a_share_of_all_or_nothing_still_has_a_width(successes: list[int], ends: tuple[float, float]) -> None:
    found = clustered_share(successes, [3, 4])
    assert found.high - found.low > 0.5
    assert found.high == ends[1] or found.low == ends[0]


def test_without_trials_there_is_no_share() -> None:
    found = clustered_share([], [])
    assert found.trials == 0
    assert math.isnan(found.low)
    assert math.isnan(found.estimate)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12))
def test_the_interval_holds_the_share_and_stays_within_0_and_1(counts: list[tuple[int, int]]) -> None:
    won = np.array([min(pair) for pair in counts])
    n = np.array([max(pair) for pair in counts])
    found = clustered_share(won, n)
    if found.trials:
        assert 0 <= found.low <= found.estimate + 1e-12
        assert found.estimate - 1e-12 <= found.high <= 1


@pytest.mark.parametrize(("successes", "trials"), [([2], [1]), ([1, 1], [1]), ([-1], [1])])
def test_counts_that_do_not_fit_are_refused(successes: list[int], trials: list[int]) -> None:
    with pytest.raises(InputError, match="one count for each group"):
        clustered_share(successes, trials)


def test_groups_that_vary_less_than_chance_count_as_the_trials_they_are() -> None:
    found, plain = clustered_share([5, 6] * 50, [10] * 100), wilson_share(550, 1000)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=1e-12)


def test_however_unlike_groups_are_they_tell_as_much_as_one_trial() -> None:
    # effective .25 / .25 = 1, and less by the factor for two groups; Wilson with ½ of 1: ½ ± ½ √(z² / (1 + z²))
    found = clustered_share([10, 0], [10, 10])
    z2 = 1.959964**2
    assert found.high == pytest.approx(0.5 + 0.5 * math.sqrt(z2 / (1 + z2)), abs=1e-6)


@pytest.mark.parametrize(("groups", "share", "likeness"), [(3, 0.6, 0.2), (5, 0.8, 0.3), (10, 0.8, 0.3)])
def test_few_groups_are_covered_too(groups: int, share: float, likeness: float) -> None:
    """95% promised; without the factor of Student's t these were 84%, 87% and 91%."""
    rng = np.random.default_rng(5)
    rest = (1 - likeness) / likeness
    chances = rng.beta(share * rest, (1 - share) * rest, (1_500, groups))
    found = [clustered_share(won, np.full(groups, 20)) for won in rng.binomial(20, chances)]
    assert np.mean([each.low <= share <= each.high for each in found]) > 0.93
