import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_np
from scipy import stats
from tests.stats.samples import RANKS_A, RANKS_B, RR_A, RR_B, Floats, free_values, make_ranks, reciprocal, tied_values

from toprung.errors import InputError
from toprung.stats.pairs.difference_bins import BinnedDifferences
from toprung.stats.pairs.encoded import encode_runs
from toprung.stats.pairs.pairwise import choose_kernel, iter_pair_tests, pair_facets, pair_outcomes, pair_tests
from toprung.stats.pairs.results import PairedTs, Pairs, PairTests, SignedRanks, all_pairs
from toprung.stats.tests.counts import sign_test
from toprung.stats.tests.paired_t import paired_t_test
from toprung.stats.tests.rank_sum import rank_sum_test
from toprung.stats.tests.signed_rank import Method, signed_rank_test
from toprung.stats.tests.small_samples import USED_METHODS

Z_AND_RANKS = 1e-9  # relative, on p of WRS and WSR
T = 2e-14  # absolute, on p of t


def assert_equal_to_scipy(values: Floats, found: PairTests) -> None:
    """Every pair against SciPy itself; no sample may be constant or without differences."""
    for i, (first, second) in enumerate(zip(found.pairs.first, found.pairs.second, strict=True)):
        a, b = values[:, first], values[:, second]
        d = np.round(b - a, 10)
        signed = stats.wilcoxon(d, zero_method="wilcox", correction=False, method="asymptotic")
        assert found.signed_rank.p[i] == pytest.approx(signed.pvalue, rel=Z_AND_RANKS)
        assert min(found.signed_rank.w_plus[i], found.signed_rank.w_minus[i]) == signed.statistic
        ranks = stats.ranksums(b, a)
        assert found.rank_sum.p[i] == pytest.approx(ranks.pvalue, rel=Z_AND_RANKS)
        assert found.rank_sum.statistic[i] == pytest.approx(ranks.statistic, rel=1e-12, abs=1e-14)
        t = stats.ttest_rel(b, a)
        assert found.t.p[i] == pytest.approx(t.pvalue, abs=T, rel=0)
        assert found.t.statistic[i] == pytest.approx(t.statistic, rel=1e-11, abs=1e-13)
        wins, losses = int((d > 0).sum()), int((d < 0).sum())
        assert (found.sign.wins[i], found.sign.losses[i]) == (wins, losses)
        assert found.sign.p[i] == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=Z_AND_RANKS)


def assert_equal_to_single_tests(values: Floats, found: PairTests, method: Method) -> None:
    for i, (first, second) in enumerate(zip(found.pairs.first, found.pairs.second, strict=True)):
        a, b = values[:, first], values[:, second]
        assert_same_t(found.t, i, a, b)
        assert_same_signed_rank(found.signed_rank, i, a, b, method)
        ranks, wins = rank_sum_test(a, b), sign_test(a, b)
        assert found.rank_sum.p[i] == pytest.approx(ranks.p, rel=Z_AND_RANKS)
        assert found.rank_sum.direction[i] == ranks.direction
        assert found.sign.p[i] == pytest.approx(wins.p, rel=Z_AND_RANKS)
        assert found.sign.direction[i] == wins.direction


def assert_same_t(found: PairedTs, i: int, a: Floats, b: Floats) -> None:
    t = paired_t_test(a, b)
    assert found.p[i] == pytest.approx(t.p, rel=1e-9, abs=T)
    assert [found.mean[i], found.sd[i]] == pytest.approx([t.mean, t.sd], rel=1e-11, abs=1e-10, nan_ok=True)
    assert (found.direction[i], found.is_constant[i]) == (t.direction, t.is_constant)


def assert_same_signed_rank(found: SignedRanks, i: int, a: Floats, b: Floats, method: Method) -> None:
    signed = signed_rank_test(a, b, method=method)
    assert found.p[i] == pytest.approx(signed.p, rel=Z_AND_RANKS)
    assert found.statistic[i] == pytest.approx(signed.statistic, rel=1e-12, abs=1e-14)
    assert (found.w_plus[i], found.w_minus[i]) == (signed.w_plus, signed.w_minus)
    assert (found.direction[i], USED_METHODS[found.method[i]]) == (signed.direction, signed.method)


def is_binned(values: Floats) -> bool:
    return isinstance(choose_kernel(encode_runs(values)), BinnedDifferences)


def test_few_levels_equal_scipy_pair_by_pair():
    values = reciprocal(make_ranks(2000, 8, seed=1))
    assert is_binned(values)
    assert_equal_to_scipy(values, pair_tests(values))


def test_many_levels_equal_scipy_pair_by_pair():
    rng = np.random.default_rng(2)
    values = np.round(rng.beta(1, 3, (700, 6)), 4)
    values[rng.random(values.shape) < 0.2] = 0
    assert not is_binned(values)
    assert_equal_to_scipy(values, pair_tests(values))


def test_more_levels_than_histograms_are_kept_for_equal_scipy():
    values = np.random.default_rng(3).random((1500, 5))
    assert_equal_to_scipy(values, pair_tests(values))


matrices = st.tuples(st.integers(0, 60), st.integers(2, 4), st.sampled_from([tied_values, free_values])).flatmap(
    lambda shape: st_np.arrays(np.float64, shape[:2], elements=shape[2])
)


@settings(max_examples=60)
@given(matrices, st.sampled_from(["auto", "asymptotic", "permutation"]))
def test_any_matrix_equals_the_single_tests(values: Floats, method: Method):
    assert_equal_to_single_tests(values, pair_tests(values, method=method), method)


@pytest.mark.parametrize("n", [0, 1, 2, 49, 50])
@pytest.mark.parametrize("levels", [3, 10**6])
def test_equal_constant_and_tiny_columns_equal_the_single_tests(n: int, levels: int):
    rng = np.random.default_rng(n)
    base = rng.integers(0, levels, n) / levels
    values = np.column_stack([base, base, base + 0.25, base - 1 / 3, rng.permutation(base), np.zeros(n)])
    assert_equal_to_single_tests(values, pair_tests(values), "auto")


def test_a_nearly_constant_difference_keeps_its_digits():
    rng = np.random.default_rng(5)
    base = rng.integers(0, 4, 300) / 4
    values = np.column_stack([base, base + 10 + rng.integers(0, 2, 300) / 1024])
    assert is_binned(values)
    found, expected = pair_tests(values), stats.ttest_rel(values[:, 1], values[:, 0])
    assert found.t.statistic[0] == pytest.approx(expected.statistic, rel=1e-12)


def test_levels_that_only_nearly_share_a_difference_are_not_binned():
    values = np.array([[0.0, 0.3, 0.6 + 2e-11, 0.9]] * 100).T.repeat(3, axis=0)
    assert not is_binned(values)


def test_the_worked_example():
    found = pair_tests(np.column_stack([RR_A, RR_B]), method="asymptotic")
    assert found.rank_sum.p[0] == pytest.approx(0.820596, abs=5e-7)
    assert found.signed_rank.p[0] == pytest.approx(0.553404, abs=5e-7)
    assert found.t.p[0] == pytest.approx(0.724430, abs=5e-7)
    assert found.sign.p[0] == pytest.approx(0.453125)
    facets = pair_facets(np.column_stack([RANKS_A, RANKS_B]), method="asymptotic")
    outcomes = facets.outcomes
    assert [outcomes.neither[0], outcomes.only_a[0], outcomes.only_b[0], outcomes.both[0]] == [1, 1, 1, 7]
    assert [facets.mean_a[0], facets.mean_b[0]] == pytest.approx([17.285714, 9.142857], abs=5e-7)
    assert facets.signed_rank.p[0] == pytest.approx(0.104059, abs=5e-7)
    assert facets.t.p[0] == pytest.approx(0.289827, abs=5e-7)


def test_the_cycle_of_the_statistics_page():
    rows = [((3, 3, 3), 50), ((50, 0, 1), 12), ((0, 1, 50), 12), ((2, 0, 0), 66), ((0, 2, 0), 38), ((0, 0, 2), 45)]
    ranks = np.array([ranks for ranks, count in rows for _ in range(count)])
    found = pair_facets(
        ranks, Pairs(first=np.array([1, 2, 0]), second=np.array([0, 1, 2]))
    )  # A over B, B over C, C over A
    assert found.outcomes.p[0] == pytest.approx(0.01667, abs=5e-6)
    assert found.t.p[1:] == pytest.approx([3.09e-4, 3.09e-4], abs=5e-7)
    assert found.outcomes.p[2] == pytest.approx(0.471, abs=5e-4)
    assert (found.outcomes.direction[0], found.t.direction[1], found.t.direction[2]) == (1, -1, -1)


@pytest.mark.parametrize("depth", [10, 100, 3000])
def test_facets_equal_the_single_tests_over_the_queries_both_answer(depth: int):
    ranks = make_ranks(160, 6, seed=depth, depth=depth)
    ranks[:, 4] = 0  # answers nothing
    ranks[::2, 5] = 0
    found = pair_facets(ranks)
    for i, (first, second) in enumerate(zip(found.outcomes.pairs.first, found.outcomes.pairs.second, strict=True)):
        a, b = ranks[:, first], ranks[:, second]
        outcomes = found.outcomes
        counts = (outcomes.neither[i], outcomes.only_a[i], outcomes.only_b[i], outcomes.both[i])
        both = (a > 0) & (b > 0)
        only_a, only_b, neither = (a > 0) & (b == 0), (a == 0) & (b > 0), (a == 0) & (b == 0)
        assert counts == (neither.sum(), only_a.sum(), only_b.sum(), both.sum())
        assert_same_t(found.t, i, a[both].astype(float), b[both].astype(float))
        assert_same_signed_rank(found.signed_rank, i, a[both].astype(float), b[both].astype(float), "auto")
        if both.any():
            assert [found.mean_a[i], found.mean_b[i]] == pytest.approx([a[both].mean(), b[both].mean()])
            assert outcomes.phi[i] == pytest.approx(np.corrcoef(a > 0, b > 0)[0, 1])
        else:
            assert np.isnan([found.mean_a[i], found.mean_b[i], outcomes.phi[i]]).all()


def test_swapping_mirrors_every_column():
    values = reciprocal(make_ranks(600, 5, seed=7))
    pairs = all_pairs(5)
    one, other = pair_tests(values, pairs), pair_tests(values, Pairs(first=pairs.second, second=pairs.first))
    for test in ("t", "signed_rank", "sign", "rank_sum"):
        assert getattr(one, test).p == pytest.approx(getattr(other, test).p, rel=1e-12)
        assert (getattr(one, test).direction == -getattr(other, test).direction).all()
    assert (one.signed_rank.w_plus == other.signed_rank.w_minus).all()


@pytest.mark.parametrize("n", [40, 600])
@pytest.mark.parametrize("kind", ["few levels", "many levels"])
def test_shuffling_queries_changes_no_bit(n: int, kind: str):
    ranks = make_ranks(n, 5, seed=8)
    values = reciprocal(ranks) if kind == "few levels" else np.random.default_rng(1).random((n, 5))
    order = np.random.default_rng(2).permutation(n)
    np.testing.assert_equal(as_bytes(pair_tests(values[order])), as_bytes(pair_tests(values)))


def test_the_size_of_a_block_changes_no_bit_and_the_same_seed_gives_the_same_bytes():
    values = reciprocal(make_ranks(45, 12, seed=9))
    whole = pair_tests(values, seed=4)
    parts = list(iter_pair_tests(values, seed=4, block=7))
    assert [len(part.pairs) for part in parts] == [7] * 9 + [3]
    assert b"".join(part.signed_rank.p.tobytes() for part in parts) == whole.signed_rank.p.tobytes()
    assert b"".join(part.t.p.tobytes() for part in parts) == whole.t.p.tobytes()
    assert as_bytes(pair_tests(values, seed=4)) == as_bytes(whole)
    assert pair_tests(values, seed=5).signed_rank.p.tobytes() != whole.signed_rank.p.tobytes()


def test_a_baseline_is_compared_with_every_other_run():
    values = reciprocal(make_ranks(200, 4, seed=10))
    found = pair_tests(values, Pairs(first=np.array([2, 2, 2]), second=np.array([0, 1, 3])))
    assert found.pairs.second.tolist() == [0, 1, 3]
    assert_equal_to_single_tests(values, found, "auto")


def test_more_runs_than_one_matrix_product_takes_have_the_same_outcomes(monkeypatch: pytest.MonkeyPatch):
    ranks = make_ranks(120, 9, seed=11)
    expected = pair_facets(ranks)
    monkeypatch.setattr("toprung.stats.pairs.pairwise.MOST_RUNS_AT_ONCE", 1)
    found = pair_facets(ranks)
    np.testing.assert_array_equal(found.outcomes.both, expected.outcomes.both)
    np.testing.assert_array_equal(found.mean_a, expected.mean_a)
    np.testing.assert_array_equal(found.mean_b, expected.mean_b)


def test_one_run_or_none_has_no_pairs():
    assert len(pair_tests(np.zeros((5, 1))).t.p) == 0
    assert len(pair_facets(np.zeros((5, 0))).t.p) == 0
    assert len(pair_outcomes(np.zeros((0, 1))).p) == 0


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="queries × runs"):
        pair_tests([1, 2, 3])
    with pytest.raises(InputError, match="not finite"):
        pair_tests([[np.nan, 1]])
    with pytest.raises(InputError, match="found -1"):
        pair_facets([[1, -1]])
    with pytest.raises(InputError, match=r"found 0\.5"):
        pair_outcomes([[1, 0.5]])
    with pytest.raises(InputError, match="columns of the matrix"):
        pair_tests([[1, 2]], Pairs(first=np.array([0]), second=np.array([2])))
    with pytest.raises(InputError, match="expected as many"):
        pair_tests([[1, 2]], Pairs(first=np.array([0]), second=np.array([0, 1])))
    with pytest.raises(InputError, match="'pratt'"):
        pair_tests([[1, 2]], method="pratt")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="Rescale"):
        pair_tests(np.random.default_rng(0).random((100, 30)) * 1e9)


def as_bytes(found: PairTests) -> list[bytes]:
    columns = [*vars(found.t).values(), *vars(found.signed_rank).values(), *vars(found.rank_sum).values()]
    return [column.tobytes() for column in (*columns, *vars(found.sign).values())]
