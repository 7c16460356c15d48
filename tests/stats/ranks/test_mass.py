"""At which ranks does a run stand when other queries are drawn?"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata
from tests.stats.samples import Floats, make_ranks, reciprocal

from toprung.errors import InputError
from toprung.stats.ranks import mass as module
from toprung.stats.ranks.mass import _tally, bootstrap_rank_mass, expected_rank


def rank_mass(scores: list[list[float]], *, higher_is_better: bool = True) -> Floats:
    """The share of trials each run spends at each position, from scores of trials × runs."""
    return _tally(np.array(scores), higher_is_better=higher_is_better) / len(scores)


def slow_mass(scores: Floats) -> Floats:
    """The definition: in each trial a run shares the positions of those with its score evenly."""
    n_runs = scores.shape[1]
    mass = np.zeros((n_runs, n_runs))
    for trial in scores:
        for run, score in enumerate(trial):
            before, alike = int((trial > score).sum()), int((trial == score).sum())
            mass[run, before : before + alike] += 1 / alike
    return mass / len(scores)


def test_tied_runs_share_the_positions_they_occupy() -> None:
    mass = rank_mass([[0.5, 0.4, 0.4], [0.4, 0.5, 0.3]])
    assert mass.tolist() == [[0.5, 0.5, 0.0], [0.5, 0.25, 0.25], [0.0, 0.25, 0.75]]
    assert expected_rank(mass).tolist() == [1.5, 1.75, 2.75]


def test_the_expected_rank_is_that_of_the_published_percentages() -> None:
    assert expected_rank([0.727, 0.254, 0.019, 0, 0]) == pytest.approx(1.292)
    assert expected_rank([0.912, 0.074, 0.014, 0, 0]) == pytest.approx(1.102)


def test_lower_is_better_turns_the_ranks_round() -> None:
    assert rank_mass([[3.0, 1.0, 2.0]], higher_is_better=False).tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]


def test_scores_that_differ_by_rounding_alone_are_the_same() -> None:
    assert rank_mass([[0.1 + 0.2, 0.3]]).tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_runs_without_a_score_share_the_last_positions(higher_is_better: bool) -> None:
    mass = rank_mass([[np.nan, 0.2, np.nan]], higher_is_better=higher_is_better)
    assert mass.tolist() == [[0, 0.5, 0.5], [1, 0, 0], [0, 0.5, 0.5]]


@given(
    scores=st.tuples(st.integers(1, 6), st.integers(1, 7)).flatmap(
        lambda shape: st.lists(
            st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        )
    )
)
def test_any_scores_give_the_mass_of_the_definition(scores: list[list[float]]) -> None:
    mass = rank_mass(scores)
    np.testing.assert_allclose(mass, slow_mass(np.array(scores)), atol=1e-12)
    np.testing.assert_allclose(mass.sum(axis=0), 1.0, atol=1e-12)
    np.testing.assert_allclose(mass.sum(axis=1), 1.0, atol=1e-12)
    mean_ranks = rankdata(-np.array(scores), axis=1).mean(axis=0)
    np.testing.assert_allclose(expected_rank(mass), mean_ranks, atol=1e-12)


def test_the_bootstrap_is_a_loop_over_trials_that_draws_queries() -> None:
    values = reciprocal(make_ranks(40, 6, seed=3))
    drawn = np.random.default_rng(9).integers(0, 40, size=(300, 40))
    loop = slow_mass(np.array([values[queries].mean(axis=0).round(12) for queries in drawn]))
    np.testing.assert_allclose(bootstrap_rank_mass(values, trials=300, rng=9), loop, atol=1e-12)


def test_runs_that_differ_by_less_than_single_precision_are_ranked_by_it_all_the_same() -> None:
    rng = np.random.default_rng(5)
    base = rng.random(50)
    values = np.column_stack([base, base + 1e-9 * rng.choice([-1, 1], 50), base, base + 1e-9 * rng.normal(size=50)])
    drawn = np.random.default_rng(0).integers(0, 50, size=(400, 50))
    loop = slow_mass(np.array([values[queries].mean(axis=0).round(12) for queries in drawn]))
    found = bootstrap_rank_mass(values, trials=400)
    np.testing.assert_allclose(found, loop, atol=1e-12)
    assert found[0].tolist() == found[2].tolist()


@given(
    values=st.tuples(st.integers(1, 12), st.integers(1, 5)).flatmap(
        lambda shape: st.lists(
            st.lists(st.sampled_from([0.0, 1 / 3, 0.5, 0.500001, 1.0, 100.0]), min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        )
    )
)
def test_any_values_give_the_mass_of_a_loop(values: list[list[float]]) -> None:
    matrix = np.array(values)
    drawn = np.random.default_rng(1).integers(0, len(matrix), size=(20, len(matrix)))
    loop = slow_mass(np.array([matrix[queries].mean(axis=0).round(12) for queries in drawn]))
    np.testing.assert_allclose(bootstrap_rank_mass(matrix, trials=20, rng=1), loop, atol=1e-12)


def test_chunks_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    values = reciprocal(make_ranks(40, 6, seed=3))
    whole = bootstrap_rank_mass(values, trials=100)
    monkeypatch.setattr(module, "CELLS_PER_CHUNK", 7 * 40)
    np.testing.assert_allclose(bootstrap_rank_mass(values, trials=100), whole, atol=1e-12)


def test_queries_marked_nan_do_not_count_for_a_run() -> None:
    # B has 0.3 wherever it counts; A has 0.2 and 0.4: their order is that of A's mean against 0.3.
    values = np.column_stack([np.tile([0.2, 0.4], 50), np.tile([0.3, np.nan], 50)])
    mass = bootstrap_rank_mass(values, trials=400)
    filled = bootstrap_rank_mass(np.column_stack([values[:, 0], np.full(100, 0.3)]), trials=400)
    assert mass.tolist() == filled.tolist()
    assert 0.4 < mass[0, 0] < 0.6


def test_the_order_of_runs_moves_rows_and_nothing_else() -> None:
    values = reciprocal(make_ranks(80, 5, seed=1))
    order = [3, 0, 4, 1, 2]
    assert bootstrap_rank_mass(values[:, order]).tolist() == bootstrap_rank_mass(values)[order].tolist()


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        (np.empty((0, 3)), {}, "expected one or more queries × runs"),
        ([0.5, 0.4], {}, "found an array of 1 dimensions; expected queries × runs"),
        ([[0.5, 0.4]], {"trials": 0}, "trials: found 0"),
    ],
)
def test_what_cannot_be_ranked_is_refused(values: object, options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        bootstrap_rank_mass(values, **options)  # type: ignore[arg-type]
