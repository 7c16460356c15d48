"""How good the best of several looks by luck."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from toprung.stats.sequences.best_of import luck_of_the_best


def test_of_independent_runs_it_is_the_largest_of_normal_deviates() -> None:
    values = np.random.default_rng(1).normal(0.5, 0.3, (2_000, 8))
    (luck,) = luck_of_the_best(values, [range(8)])
    largest = 1.4236  # the expected largest of eight standard normal deviates
    assert luck == pytest.approx(largest * 0.3 / np.sqrt(2_000), rel=0.05)


def test_runs_that_rise_and_fall_together_have_none_and_one_alone_neither() -> None:
    base = np.random.default_rng(2).normal(0.5, 0.3, (50, 1))
    alike, alone = luck_of_the_best(np.hstack([base, base + 0.2]), [[0, 1], [1]])
    # How far the luckier of the two rises is how far both do: in the mean over resamples nothing.
    assert alike == pytest.approx(0, abs=0.005)
    assert alone == 0.0


def test_two_opposite_runs_by_hand() -> None:
    # Of two queries each is drawn 2, 1 or 0 times, in 1/4, 1/2 and 1/4 of the resamples: the luckier run rises by 1/2,
    # by nothing and by 1/2.
    (luck,) = luck_of_the_best(np.array([[1.0, 0.0], [0.0, 1.0]]), [[0, 1]], resamples=20_000)
    assert luck == pytest.approx(0.25, abs=0.01)


def test_a_query_without_values_does_not_count() -> None:
    # All 27 ways of drawing three times, by how often the first and the second query come; the third is empty.
    values = np.array([[1.0, 0.0], [0.0, 1.0], [np.nan, np.nan]])
    (luck,) = luck_of_the_best(values, [[0, 1]], resamples=40_000)
    counts = [(drawn.count(0), drawn.count(1)) for drawn in product(range(3), repeat=3)]
    rises = [abs(a / (a + b) - 1 / 2) for a, b in counts if a + b]
    assert luck == pytest.approx(sum(rises) / len(rises), abs=0.01)


def test_the_seed_decides() -> None:
    values = np.random.default_rng(3).random((20, 3))
    assert luck_of_the_best(values, [[0, 1, 2]], rng=1) == luck_of_the_best(values, [[0, 1, 2]], rng=1)
    assert luck_of_the_best(values, [[0, 1, 2]], rng=1) != luck_of_the_best(values, [[0, 1, 2]], rng=2)
