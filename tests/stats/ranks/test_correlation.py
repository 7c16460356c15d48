"""Kendall's τ-b and τ_AP."""

from __future__ import annotations

from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau
from tests.stats.kernels import matrices, needs_kernel, without_kernel
from tests.stats.samples import Floats

from toprung.errors import InputError
from toprung.stats.ranks.correlation import kendall_tau, tau_ap

# The example of ircor (Urbano), an R package by the author of the treatment of ties: X is the truth.
X = [0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94]
Y = [0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94]
TIED_Y = [round(5 * value) / 5 for value in Y]

FEW_VALUES = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 4), min_size=n, max_size=n) for _ in range(2)))
)


def test_the_published_values_of_ircor() -> None:
    assert kendall_tau(X, Y) == pytest.approx(0.7777778, abs=5e-8)
    assert tau_ap(Y, X) == pytest.approx(0.7491182, abs=5e-8)
    assert tau_ap(TIED_Y, X) == pytest.approx(0.6074515, abs=5e-8)


def test_by_hand_a_swap_at_the_top_costs_more() -> None:
    # Ranks 2, 3, 4 of the order; of the runs above each, how many rightly: 0/1, 2/2, 3/3 and 1/1, 2/2, 2/3.
    assert tau_ap([4, 3, 2, 1], [3, 4, 2, 1]) == pytest.approx(2 / 3 * (0 + 1 + 1) - 1)
    assert tau_ap([4, 3, 2, 1], [4, 3, 1, 2]) == pytest.approx(2 / 3 * (1 + 1 + 2 / 3) - 1)
    # to Kendall's τ both are one pair of six
    assert kendall_tau([4, 3, 2, 1], [3, 4, 2, 1]) == kendall_tau([4, 3, 2, 1], [4, 3, 1, 2]) == pytest.approx(2 / 3)


def test_tau_ap_weighs_the_places_of_the_first_order() -> None:
    order, reference = [4, 3, 2, 1], [1, 4, 3, 2]  # the first of the order is the last of the reference
    assert tau_ap(order, reference) == pytest.approx(2 / 3 * (0 + 1 / 2 + 2 / 3) - 1)
    assert tau_ap(reference, order) == pytest.approx(2 / 3 * (1 + 1 + 0) - 1)


@pytest.mark.parametrize("correlate", [kendall_tau, tau_ap])
def test_the_same_order_gives_one_and_the_reverse_minus_one(correlate: object) -> None:
    assert correlate(X, X) == pytest.approx(1)  # type: ignore[operator]
    assert correlate(X, [-value for value in X]) == pytest.approx(-1)  # type: ignore[operator]


@settings(max_examples=60)
@given(pair=FEW_VALUES)
def test_kendall_is_scipys_with_ties_too(pair: tuple[list[int], list[int]]) -> None:
    a, b = pair
    if len(set(a)) == 1 or len(set(b)) == 1:
        assert np.isnan(kendall_tau(a, b))
    else:
        assert kendall_tau(a, b) == pytest.approx(kendalltau(a, b).statistic)


@settings(max_examples=40)
@given(
    pair=st.integers(2, 5).flatmap(
        lambda n: st.tuples(*(st.lists(st.integers(0, 2), min_size=n, max_size=n) for _ in range(2)))
    )
)
def test_ties_give_the_mean_over_all_ways_of_breaking_them(pair: tuple[list[int], list[int]]) -> None:
    order, reference = pair
    found = [plain_tau_ap(first, second) for first, second in product(all_breaks(order), all_breaks(reference))]
    assert tau_ap(order, reference) == pytest.approx(np.mean(found))


def all_breaks(scores: list[int]) -> list[list[int]]:
    """Every order of the runs, the best first, that the scores allow; each equally likely."""
    runs = range(len(scores))
    return [
        list(order)
        for order in permutations(runs)
        if all(scores[above] >= scores[below] for above, below in pairwise(order))
    ]


def plain_tau_ap(order: list[int], reference: list[int]) -> float:
    place = {run: rank for rank, run in enumerate(reference)}
    shares = [sum(place[above] < place[run] for above in order[:rank]) / rank for rank, run in enumerate(order) if rank]
    return 2 * sum(shares) / (len(order) - 1) - 1


def test_trials_give_one_value_each() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.random((50, 7)), rng.integers(0, 3, (50, 7)).astype(float)
    assert kendall_tau(a, b) == pytest.approx([kendalltau(x, y).statistic for x, y in zip(a, b, strict=True)])
    assert tau_ap(a, b) == pytest.approx([tau_ap(x, y) for x, y in zip(a, b, strict=True)])


def test_chunks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    a, b = rng.random((9, 6)), rng.random((9, 6))
    whole = tau_ap(a, b), kendall_tau(a, b)
    monkeypatch.setattr("toprung.stats.ranks.correlation.CELLS_PER_CHUNK", 80)
    assert (tau_ap(a, b).tolist(), kendall_tau(a, b).tolist()) == (whole[0].tolist(), whole[1].tolist())


def test_what_has_no_order_has_no_correlation() -> None:
    assert np.isnan(kendall_tau([0.5], [0.5]))
    assert np.isnan(tau_ap([0.5], [0.5]))
    assert np.isnan(kendall_tau([0.5, 0.5], [0.1, 0.2]))
    assert tau_ap([0.5, 0.5], [0.1, 0.2]) == 0
    with_nan = kendall_tau([[1, 2, np.nan], [1, 2, 3]], [[1, 2, 3], [1, 2, 3]])
    assert np.isnan(with_nan[0])
    assert with_nan[1] == 1


def test_scores_alike_to_rounding_are_a_tie() -> None:
    exact = kendalltau([3, 3, 1], [3, 2, 1]).statistic
    assert kendall_tau([0.1 + 0.2, 0.3, 0.1], [0.3, 0.2, 0.1]) == pytest.approx(exact)


def test_orders_of_other_runs_are_refused() -> None:
    with pytest.raises(InputError, match=r"found orders of shapes \(2,\) and \(3,\)"):
        kendall_tau([1, 2], [1, 2, 3])


@needs_kernel
@given(a=matrices(), seed=st.integers(0, 9))
def test_the_kernel_gives_what_numpy_gives(a: Floats, seed: int) -> None:
    rng = np.random.default_rng(seed)
    b = rng.permuted(a, axis=1)
    for correlate in (kendall_tau, tau_ap):
        plain = without_kernel(lambda correlate=correlate: correlate(a, b))
        np.testing.assert_array_equal(correlate(a, b), plain)
