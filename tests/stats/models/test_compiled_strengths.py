"""The compiled part of strengths gives what NumPy gives, and takes no arrays that do not fit together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.stats.kernels import without_kernel

from toprung.stats.inputs import Floats
from toprung.stats.models import compiled_strengths
from toprung.stats.models.compiled_strengths import has_strengths, strengths
from toprung.stats.models.strength_posterior import find_posterior, p_best
from toprung.stats.models.strength_prior import estimate_penalty

pytestmark = pytest.mark.skipif(compiled_strengths._strengths is None, reason="the compiled part was not built")

COUNTS = (0.0, 0.0, 1.0, 1.0, 2.0, 0.5, 1 / 3, 7.0, 400.0)


@st.composite
def made_pools(draw: st.DrawFn) -> Floats:
    """Pools × items × items with wins of few sizes: none, one vote, ties, weights, many."""
    n_pools, n_items = draw(st.integers(1, 5)), draw(st.integers(1, 13))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    levels = draw(st.lists(st.sampled_from(COUNTS), min_size=1, max_size=4))
    wins = rng.choice(levels, size=(n_pools, n_items, n_items))
    if draw(st.booleans()):  # one vote a pair
        is_won = rng.random(wins.shape) < 0.5
        wins = np.triu(is_won, k=1) + np.triu(~is_won, k=1).transpose(0, 2, 1).astype(float)
    wins[:, np.arange(n_items), np.arange(n_items)] = 0
    return wins


@settings(max_examples=80, deadline=None)
@given(wins=made_pools(), penalty=st.sampled_from([0.05, 0.4, 1.0, 3.7, 20.0]), rate=st.sampled_from([0.0, 0.3, 2.0]))
def test_posterior_is_that_of_numpy(wins: Floats, penalty: float, rate: float) -> None:
    # Sites that have come to rest within the tolerance may be a sweep apart where one rounds it away: so none is asked.
    found = find_posterior(wins, penalty=penalty, tie_rate=rate, tolerance=1e-9)
    expected = without_kernel(lambda: find_posterior(wins, penalty=penalty, tie_rate=rate, tolerance=1e-9))
    scale = max(1.0, float(np.abs(expected.mean).max()))
    assert found.mean == pytest.approx(expected.mean, abs=1e-7 * scale)
    assert found.covariance == pytest.approx(expected.covariance, rel=1e-6, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(wins=made_pools(), seed=st.integers(0, 2**32))
def test_chances_are_those_of_numpy(wins: Floats, seed: int) -> None:
    posterior = without_kernel(lambda: find_posterior(wins, penalty=1.0))
    among = np.random.default_rng(seed).random(wins.shape[:2]) < 0.7
    among[:, 0] = True
    found = p_best(posterior, among=among)
    expected = without_kernel(lambda: p_best(posterior, among=among))
    assert found == pytest.approx(expected, abs=2.5 / 4093)  # a point or two where two items are equal but for rounding
    assert (found[~among] == 0).all()


def test_one_sweep_differs_in_the_last_bits_alone() -> None:
    rng = np.random.default_rng(7)
    wins = rng.integers(0, 3, size=(200, 7, 7)).astype(float)
    wins[:, np.arange(7), np.arange(7)] = 0
    found = find_posterior(wins, tolerance=1e9)
    expected = without_kernel(lambda: find_posterior(wins, tolerance=1e9))
    assert found.mean == pytest.approx(expected.mean, abs=1e-13)
    twice = find_posterior(wins, start=found.sites)
    of_numpy = without_kernel(lambda: find_posterior(wins, start=found.sites))
    assert twice.mean == pytest.approx(of_numpy.mean, abs=1e-12)
    assert twice.sites[0] == pytest.approx(of_numpy.sites[0], abs=1e-11)


def test_figures_do_not_depend_on_pools_beside() -> None:
    rng = np.random.default_rng(3)
    wins = rng.integers(0, 2, size=(40, 6, 6)).astype(float)
    wins[:, np.arange(6), np.arange(6)] = 0
    together = find_posterior(wins)
    for row in (0, 13, 39):
        assert (find_posterior(wins[row]).mean[0] == together.mean[row]).all()


def test_penalty_is_that_of_numpy() -> None:
    rng = np.random.default_rng(11)
    truth = rng.normal(scale=0.8, size=(80, 6))
    is_won = rng.random((80, 6, 6)) < 1 / (1 + np.exp(truth[:, None, :] - truth[:, :, None]))
    wins = np.triu(is_won, k=1) + np.triu(~is_won, k=1).transpose(0, 2, 1).astype(float)
    expected = without_kernel(lambda: estimate_penalty([wins]))
    assert 0.05 < expected < 20
    assert estimate_penalty([wins]) == pytest.approx(expected, rel=1e-9)


def test_it_can_be_switched_off() -> None:
    assert has_strengths()
    assert not without_kernel(has_strengths)


@pytest.mark.parametrize(
    ("starts", "first", "second", "items"),
    [
        ([0, 1], [0], [2], 2),  # no such item
        ([0, 1], [-1], [1], 2),
        ([0, 1], [1], [1], 2),  # an item with itself
        ([0, 2], [0], [1], 2),  # more pairs than there are
        ([0, 5, 1], [0], [1], 2),
        ([-1, 1], [0], [1], 2),
        ([1, 1], [0], [1], 2),
        ([0, 1], [0], [1], 0),
        ([0, 1], [0], [1], 2**40),
        ([], [], [], 2),
    ],
)
def test_refuses_pairs_that_are_none(starts: list[int], first: list[int], second: list[int], items: int) -> None:
    of_pairs = np.ones(len(first))
    pools = max(0, len(starts) - 1)
    mean, covariance = np.zeros((pools, 2)), np.zeros((pools, 2, 2))
    nodes = np.zeros(3)
    places = (np.array(each, dtype=np.int64) for each in (starts, first, second))
    with pytest.raises(ValueError, match="do not fit together"):
        strengths.fit_posteriors(
            *places,
            of_pairs,
            of_pairs,
            nodes,
            nodes,
            items,
            1.0,
            0.0,
            1e-4,
            of_pairs * 0,
            of_pairs * 0,
            mean,
            covariance,
        )


def test_refuses_arrays_of_another_size() -> None:
    one, found = np.ones(4), np.zeros(3)
    with pytest.raises(ValueError, match="do not fit together"):
        strengths.count_best(np.ones(4), np.ones(2), np.ones(8), 2, found)
    with pytest.raises(ValueError, match="do not fit together"):
        strengths.count_best(np.ones(3), np.ones(2), np.ones(8), 2, np.zeros(2))
    with pytest.raises(ValueError, match="do not fit together"):
        strengths.count_best(one, one, one, -1, one.copy())
