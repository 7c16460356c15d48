"""Means and spreads of all pairs are those of each pair alone."""

from __future__ import annotations

import numpy as np
import pytest
from tests.stats.samples import make_ranks, reciprocal

from toprung.stats.inputs import Floats
from toprung.stats.pairs.pairwise import pair_tests
from toprung.stats.pairs.results import all_pairs
from toprung.stats.pairs.spreads import pair_spreads, spreads_from_first

RUNS = 7


@pytest.fixture(params=["on", "off"], autouse=True)
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPRUNG_KERNEL", request.param)


def runs_nearly_alike() -> Floats:
    """Far from 0 and apart by a millionth on some queries: what sums of squares have no digits left for."""
    rng = np.random.default_rng(3)
    alike = 1000 + rng.random((40, 1))
    return alike + 1e-6 * (rng.random((40, RUNS)) < 0.2)


def runs_of_many_levels() -> Floats:
    return np.random.default_rng(4).normal(size=(40, RUNS))


matrices = pytest.mark.parametrize(
    "values",
    [reciprocal(make_ranks(40, RUNS, seed=2)), runs_of_many_levels(), runs_nearly_alike()],
    ids=["RR", "many levels", "nearly alike"],
)


@matrices
def test_every_pair_has_the_mean_and_spread_that_it_has_alone(values: Floats) -> None:
    found, pairs = pair_spreads(values), all_pairs(RUNS)
    differences = values[:, pairs.second] - values[:, pairs.first]
    assert found.mean == pytest.approx(differences.mean(axis=0), rel=1e-9, abs=1e-12)
    assert found.sd == pytest.approx(differences.std(axis=0, ddof=1), rel=1e-6, abs=0)
    tested = pair_tests(values, method="asymptotic").t
    assert found.sd == pytest.approx(tested.sd, rel=1e-6, abs=0)


@matrices
def test_the_pairs_with_the_first_are_those_among_all(values: Floats) -> None:
    found, of_all = spreads_from_first(values), pair_spreads(values)
    assert found.mean.tolist() == of_all.mean[: RUNS - 1].tolist()
    assert found.sd == pytest.approx(of_all.sd[: RUNS - 1], rel=1e-12)


def test_the_order_of_queries_changes_no_byte() -> None:
    values = runs_of_many_levels()
    mixed = values[np.random.default_rng(5).permutation(len(values))]
    assert pair_spreads(values).sd.tobytes() == pair_spreads(mixed).sd.tobytes()
    assert spreads_from_first(values).sd.tobytes() == spreads_from_first(mixed).sd.tobytes()


def test_what_differs_by_rounding_alone_has_neither_mean_nor_spread() -> None:
    values = np.array([[0.1 + 0.2, 0.3, 0.8], [0.5, 0.5, 1.0], [0.7, 0.7, 1.2]])
    found = pair_spreads(values)
    assert found.mean == pytest.approx([0, 0.5, 0.5])
    assert found.mean[0] == 0
    assert found.sd.tolist() == [0, 0, 0]
