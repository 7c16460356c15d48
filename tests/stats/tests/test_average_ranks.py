"""Are the ranks, and the tests made of them, those of SciPy?"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from toprung.stats.tests.average_ranks import AverageRanks, two_sided_p
from toprung.stats.tests.paired_t import paired_t_test
from toprung.stats.tests.rank_sum import rank_sum_test
from toprung.stats.tests.signed_rank import signed_rank_test

values = st.lists(st.one_of(st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.floats(-5, 5)), max_size=60)
pairs = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 1.0]), st.floats(0, 1)), min_size=2, max_size=60)


@given(values)
def test_ranks_and_ties_are_those_of_scipy(given_values: list[float]) -> None:
    found = AverageRanks.of(np.array(given_values, dtype=np.float64))
    assert found.ranks.tolist() == stats.rankdata(given_values).tolist()
    _, sizes = np.unique(given_values, return_counts=True)
    assert found.tie_term == float((sizes.astype(float) ** 3 - sizes).sum())


@given(pairs)
def test_the_rank_sum_and_its_twin_are_those_of_scipy(given_pairs: list[tuple[float, float]]) -> None:
    a, b = np.array(given_pairs).T
    found, plain = rank_sum_test(a, b), stats.ranksums(b, a)
    assert (found.statistic, found.p) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-12, abs=1e-15)
    if np.ptp(np.concatenate([a, b])):
        twin = stats.mannwhitneyu(b, a, method="asymptotic")
        assert found.tie_corrected_p == pytest.approx(twin.pvalue, rel=1e-12)
        assert found.superiority == pytest.approx(twin.statistic / len(a) ** 2, rel=1e-12)


def test_of_large_samples_t_and_signed_rank_are_those_of_scipy() -> None:
    rng = np.random.default_rng(7)
    a = rng.choice([0, 0.1, 0.2, 0.5, 1], size=400)
    b = np.where(rng.random(400) < 0.4, a, rng.choice([0, 0.1, 0.2, 0.5, 1], size=400))
    t, wilcoxon = stats.ttest_rel(b, a), stats.wilcoxon((b - a).round(10), correction=False, method="asymptotic")
    found = paired_t_test(a, b)
    assert (found.statistic, found.p) == pytest.approx((t.statistic, t.pvalue), rel=1e-12)
    by_rank = signed_rank_test(a, b)
    assert by_rank.p == pytest.approx(wilcoxon.pvalue, rel=1e-12)
    assert abs(by_rank.statistic) == pytest.approx(abs(wilcoxon.zstatistic), rel=1e-12)


def test_a_p_value_of_both_sides() -> None:
    assert two_sided_p(-1.959963984540054) == pytest.approx(0.05, rel=1e-12)
