"""Do two halves of the queries say the same?"""

from __future__ import annotations

import statistics
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from tests.stats.samples import make_ranks, reciprocal

from toprung.stats.pairs.split_half import (
    AGGREGATES,
    COLUMNS,
    Aggregate,
    TestName,
    conclude,
    draw_halves,
    read_counts,
    tally,
    tally_split,
)

type Floats = NDArray[np.float64]

SIGN_MEAN, SIGN_MEDIAN = COLUMNS.index(("sign", "mean")), COLUMNS.index(("sign", "median"))


def two_runs(differences: list[float]) -> Floats:
    """A is 0 throughout; B is ahead by these differences."""
    return np.array([[0.0, difference] for difference in differences])


def compare(first: Floats, second: Floats) -> NDArray[np.int64]:
    halves = (conclude(half, alpha=0.05, method="asymptotic") for half in (first, second))
    return tally(*halves).counts


# B wins 6 of 6 (sign test p = .03125); 5 of 6 (p = .21875); loses 6 of 6; wins 1 of 6 and loses 5.
WINS, LEANS = [1.0, 2, 3, 4, 5, 6], [1.0, 2, 3, 4, 5, -1]
LOSES, LEANS_BACK = [-each for each in WINS], [-each for each in LEANS]


@pytest.mark.parametrize(
    ("first", "second", "cell", "by_text", "by_table"),
    [
        (WINS, WINS, (0, 2), "agree", "agree"),
        (LEANS, LEANS, (0, 0), "agree", "agree"),
        (WINS, LEANS, (0, 1), "partial", "disagree"),
        (LEANS, LEANS_BACK, (1, 0), "partial", "partial"),
        (WINS, LEANS_BACK, (1, 1), "disagree", "partial"),
        (WINS, LOSES, (1, 2), "disagree", "partial"),
    ],
)
def test_each_kind_of_pair_is_counted_and_read_as_defined(
    first: list[float], second: list[float], cell: tuple[int, int], by_text: str, by_table: str
) -> None:
    counts = compare(two_runs(first), two_runs(second))[SIGN_MEAN]
    assert counts.sum() == counts[cell] == 1
    assert getattr(read_counts(counts, "text"), by_text) == 1
    assert getattr(read_counts(counts, "table4ab"), by_table) == 1
    assert read_counts(counts, "text").significant == (cell[1] > 0)


def test_the_mean_and_the_median_may_favour_different_runs() -> None:
    # medians 0 and 1, means 0 and −1; then medians and means both favour B
    counts = compare(two_runs([1, 1, 1, -7]), two_runs([1, 1, 1, 1]))
    assert counts[SIGN_MEAN].tolist() == [[0, 0, 0], [1, 0, 0]]
    assert counts[SIGN_MEDIAN].tolist() == [[1, 0, 0], [0, 0, 0]]


def test_the_median_is_of_each_run_not_of_the_differences() -> None:
    # A: 0, 0, 9 and B: 1, 1, 0: medians 0 and 1; the differences 1, 1, −9 have the median 1, the mean is below 0
    first = conclude(np.array([[0.0, 1.0], [0.0, 1.0], [9.0, 0.0]]), alpha=0.05, method="asymptotic")
    # A: 0, 2, 5 and B: 1, 3, 2: medians 2 and 2; the median difference is 1
    second = conclude(np.array([[0.0, 1.0], [2.0, 3.0], [5.0, 2.0]]), alpha=0.05, method="asymptotic")
    assert (first.directions["median"].tolist(), first.directions["mean"].tolist()) == ([1], [-1])
    assert second.directions["median"].tolist() == [0]


def test_no_direction_is_a_direction_of_its_own() -> None:
    equal, ahead = two_runs([1, -1]), two_runs([1, 2])
    assert compare(equal, equal)[SIGN_MEAN].tolist() == [[1, 0, 0], [0, 0, 0]]
    assert compare(equal, ahead)[SIGN_MEAN].tolist() == [[0, 0, 0], [1, 0, 0]]


def test_pairs_without_a_direction_are_counted_over_both_halves() -> None:
    # Runs 0, 0, 1 in one half: one of three pairs is equal. All equal in the other: three are.
    first = conclude(np.array([[0.0, 0.0, 1.0]] * 2), alpha=0.05, method="asymptotic")
    second = conclude(np.zeros((2, 3)), alpha=0.05, method="asymptotic")
    assert tally(first, second).undirected.tolist() == [4, 4]


def test_rounding_errors_favour_nobody() -> None:
    # 0.1 + 0.2 and 0.3 differ in the last bit
    found = conclude(np.array([[0.1 + 0.2, 0.3], [0.1 + 0.2, 0.3]]), alpha=0.05, method="asymptotic")
    assert found.directions["mean"].tolist() == [0]
    assert found.directions["median"].tolist() == [0]


@pytest.mark.parametrize("n", [4, 5, 50, 51])
def test_halves_share_out_the_queries(n: int) -> None:
    first, second = draw_halves(n, np.random.default_rng(n))
    assert (len(first), len(second)) == (n // 2, n - n // 2)
    assert sorted([*first, *second]) == list(range(n))


def test_every_query_is_as_often_in_the_first_half() -> None:
    rng = np.random.default_rng(0)
    often = np.zeros(10)
    for _ in range(2_000):
        often[draw_halves(10, rng)[0]] += 1
    assert np.all(np.abs(often / 2_000 - 0.5) < 0.06)


def plain_conclusions(values: Floats, test: TestName, aggregate: Aggregate, alpha: float) -> list[tuple[int, bool]]:
    """Direction and significance of every pair, one after the other, by SciPy and the standard library."""
    found = []
    for i, j in combinations(range(values.shape[1]), 2):
        a, b = values[:, i], values[:, j]
        d = np.round(b - a, 10)
        p = {
            "sign": lambda d=d: stats.binomtest(int((d > 0).sum()), max(1, int((d != 0).sum()))).pvalue,
            "wrs": lambda a=a, b=b: stats.ranksums(b, a).pvalue,
            "wsr": lambda d=d: stats.wilcoxon(d, correction=False, method="asymptotic").pvalue,
            "t": lambda a=a, b=b: stats.ttest_rel(b, a).pvalue,
        }[test]()
        centre = statistics.fmean if aggregate == "mean" else statistics.median
        ahead = round(centre(b.tolist()) - centre(a.tolist()), 12)
        found.append((int(ahead > 0) - int(ahead < 0), bool(p <= alpha)))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_split_is_tallied_as_by_a_plain_loop_over_scipy(seed: int) -> None:
    values = reciprocal(make_ranks(41, 6, seed=seed))
    halves = draw_halves(len(values), np.random.default_rng(seed))
    found = tally_split(values, np.random.default_rng(seed), alpha=0.2, method="asymptotic")
    for column, (test, aggregate) in enumerate(COLUMNS):
        expected = np.zeros((2, 3), dtype=np.int64)
        undirected = 0
        first, second = (plain_conclusions(values[rows], test, aggregate, 0.2) for rows in halves)
        for (g1, s1), (g2, s2) in zip(first, second, strict=True):
            expected[int(g1 != g2), s1 + s2] += 1
            undirected += (g1 == 0) + (g2 == 0)
        assert found.counts[column].tolist() == expected.tolist(), (test, aggregate)
        assert found.undirected[AGGREGATES.index(aggregate)] == undirected


def test_every_split_permutes_anew_and_both_its_halves_alike() -> None:
    """14 equal wins in each half, whichever they are: a flip of all signs, p = 2⁻¹³, is drawn in some splits only."""
    signed_rank = COLUMNS.index(("wsr", "mean"))
    values = two_runs([1.0] * 28)
    found = [
        tally_split(values, rng, alpha=1.5e-4, method="auto").counts[signed_rank]
        for rng in np.random.default_rng(0).spawn(20)
    ]
    n_significant = [counts[0].tolist() for counts in found]
    assert [1, 0, 0] in n_significant
    assert [0, 0, 1] in n_significant
    assert [0, 1, 0] not in n_significant


matrices = st.integers(2, 5).flatmap(
    lambda runs: st.lists(
        st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0]), min_size=runs, max_size=runs), min_size=4, max_size=24
    )
)


@settings(max_examples=40)
@given(rows=matrices, seed=st.integers(0, 2**32))
def test_what_holds_for_every_split(rows: list[list[float]], seed: int) -> None:
    values = np.array(rows)
    halves = draw_halves(len(values), np.random.default_rng(seed))
    first, second = (conclude(values[half], alpha=0.3, method="asymptotic") for half in halves)
    found = tally(first, second)
    n_pairs = values.shape[1] * (values.shape[1] - 1) // 2
    assert (found.counts.sum(axis=(1, 2)) == n_pairs).all()
    for reading in ("text", "table4ab"):
        rates = read_counts(found.counts, reading)
        np.testing.assert_allclose(rates.agree + rates.partial + rates.disagree, 1, rtol=1e-12)
    swapped = tally(second, first)
    assert (swapped.counts == found.counts).all()
    assert (swapped.undirected == found.undirected).all()
    assert_directions_flip_equally_often_for_every_test(found.counts)
    assert_significance_does_not_depend_on_the_aggregate(found.counts)
    backwards = tally(*(conclude(values[half][:, ::-1], alpha=0.3, method="asymptotic") for half in halves))
    assert (backwards.counts == found.counts).all()


def assert_directions_flip_equally_often_for_every_test(counts: NDArray[np.int64]) -> None:
    flips = counts[:, 1].sum(axis=1)
    for aggregate in AGGREGATES:
        assert len({int(flip) for flip, (_, by) in zip(flips, COLUMNS, strict=True) if by == aggregate}) == 1


def assert_significance_does_not_depend_on_the_aggregate(counts: NDArray[np.int64]) -> None:
    for test in ("sign", "wrs", "wsr"):
        by_mean, by_median = (counts[COLUMNS.index((test, by))].sum(axis=0).tolist() for by in AGGREGATES)
        assert by_mean == by_median


def test_counts_of_many_splits_are_read_at_once() -> None:
    counts = np.array([[[4, 0, 0], [0, 0, 0]], [[0, 2, 0], [1, 1, 0]]])
    assert read_counts(counts, "text").agree.tolist() == [1, 0]
    assert read_counts(counts, "text").partial.tolist() == [0, 0.75]
    assert read_counts(counts, "table4ab").disagree.tolist() == [0, 0.5]


def test_few_queries_get_exact_p_values_when_asked() -> None:
    # five differences of one sign: exact p = .0625, by the normal approximation .0431
    five = two_runs([1.0, 2, 3, 4, 5])
    asymptotic, exact = (conclude(five, alpha=0.05, method=method) for method in ("asymptotic", "auto"))
    assert asymptotic.is_significant["wsr"].tolist() == [True]
    assert exact.is_significant["wsr"].tolist() == [False]
