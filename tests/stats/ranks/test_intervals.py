"""At which ranks may each run truly stand?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.stats.samples import Floats, free_values, make_ranks, reciprocal, tied_values

from toprung.data.formats.tables.matrix_files import read_scores
from toprung.errors import InputError
from toprung.stats.inputs import Ints
from toprung.stats.pairs.observed import FIRST, SECOND, ObservedPairs
from toprung.stats.pairs.resamples import PairResamples
from toprung.stats.ranks.intervals import RankIntervals, rank_intervals, step_down
from toprung.stats.ranks.mass import bootstrap_rank_mass


def normal_runs(means: Sequence[float], n: int, *, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).normal(means, 1.0, (n, len(means)))


def bounds(found: RankIntervals) -> list[tuple[int, int]]:
    return list(zip(found.low.tolist(), found.high.tolist(), strict=True))


def test_runs_far_apart_have_one_rank_each_and_equals_share() -> None:
    found = rank_intervals(normal_runs([0, 5, 5, 9], 60))
    assert bounds(found) == [(4, 4), (2, 3), (2, 3), (1, 1)]
    assert found.is_better.astype(int).tolist() == [[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]]
    assert (found.n_pairs, found.n_judged, found.is_studentised) == (6, 6, True)


def test_lower_is_better_turns_the_ranks_round() -> None:
    found = rank_intervals(normal_runs([0, 5, 5, 9], 60), higher_is_better=False)
    assert bounds(found) == [(1, 1), (2, 3), (2, 3), (4, 4)]


def test_the_best_two_are_those_that_at_most_one_run_is_surely_better_than() -> None:
    found = rank_intervals(normal_runs([0, 5, 5, 9], 60))
    assert (found.low <= 2).tolist() == [False, True, True, True]


@dataclass(frozen=True, eq=False, kw_only=True)
class GivenPairs(PairResamples):
    """Whose t in resamples are given."""

    given: NDArray[np.float32]

    def block(self, places: Ints) -> NDArray[np.float32]:
        return self.given[places]

    def widen(self, value: float) -> float:
        return value


def made_up(means: list[float], ranges: list[tuple[float, float]]) -> GivenPairs:
    """Pairs (0, 1), (0, 2), (1, 2) of runs with these means, and resamples of t that lie in these ranges."""
    blocks = np.array([np.linspace(low, high, 19) for low, high in ranges], dtype=np.float32)
    observed = ObservedPairs(
        n=1,
        mean=np.array(means),
        counted=np.ones(3, dtype=np.int64),
        variance=np.full(3, 1 / 6),
        differing=np.ones(3, dtype=np.uint8),
    )  # with one query, and a variance to which five times as much is added, the difference of means is t
    return GivenPairs(judged=observed.judged(1), resamples=19, given=blocks)


def test_each_step_leaves_out_what_is_decided_but_not_its_opposite() -> None:
    # First the critical value is 5: run 0 is better than 2. Then it is 2, of the test that 2 is better than 0.
    pairs = made_up([6.0, 3.5, 0.0], [(-1, 1), (-2, 5), (-1, 1)])
    np.testing.assert_allclose(pairs.judged.t, [2.5, 6.0, 3.5])
    still_open = step_down(pairs, 0.05)
    assert (still_open & FIRST).tolist() == [0, 0, 0]
    assert (still_open & SECOND).tolist() == [SECOND] * 3
    pairs = made_up([6.0, 4.5, 0.0], [(-1, 1), (-2, 5), (-1, 1)])  # t: 1.5, 6.0, 4.5
    assert (step_down(pairs, 0.05) & FIRST).tolist() == [FIRST, 0, 0]


def test_identical_runs_are_never_told_apart() -> None:
    column = normal_runs([0], 200)[:, 0]
    found = rank_intervals(np.column_stack([column, column, column + 3]))
    assert bounds(found) == [(2, 3), (2, 3), (1, 1)]
    assert found.n_judged == 2


@pytest.mark.parametrize(("n", "told_apart"), [(5, False), (6, True)])
def test_a_constant_difference_rests_on_exchanging_the_runs(n: int, told_apart: bool) -> None:
    # 2^(1 − 5) = 0.0625, 2^(1 − 6) = 0.03125
    column = normal_runs([0], n)[:, 0]
    found = rank_intervals(np.column_stack([column, column + 0.1]))
    assert bounds(found) == ([(2, 2), (1, 1)] if told_apart else [(1, 2), (1, 2)])


def test_with_more_pairs_a_constant_difference_needs_more_queries() -> None:
    # 3 pairs: 3 · 2^(1 − 6) = 0.094, 3 · 2^(1 − 7) = 0.047
    six, seven = normal_runs([0], 6)[:, 0], normal_runs([0], 7)[:, 0]
    assert bounds(rank_intervals(np.column_stack([six, six + 1, six + 2]))) == [(1, 3)] * 3
    assert bounds(rank_intervals(np.column_stack([seven, seven + 1, seven + 2]))) == [(3, 3), (2, 2), (1, 1)]


def test_a_near_copy_is_not_told_apart_and_blurs_nobody() -> None:
    values = reciprocal(make_ranks(400, 5, seed=2))
    values[:, 4] = np.minimum(1, values[:, 4] + 0.1)
    copy = values[:, 0].copy()
    copy[:3] += 0.5  # on three queries
    alone, beside = rank_intervals(values), rank_intervals(np.column_stack([values, copy]))
    assert alone.is_better[4, :4].all()
    assert not alone.is_better[:4, :4].any()
    np.testing.assert_array_equal(beside.is_better[:5, :5], alone.is_better)
    assert beside.is_better[:, 5].tolist() == [*alone.is_better[:, 0].tolist(), False]
    assert beside.n_judged == 14


def test_what_rests_on_one_great_difference_is_judged_and_not_told_apart() -> None:
    # 40 queries differ, one of them by 500 times as much: resamples without it show how little is known.
    values = normal_runs([0, 1], 40)
    values[:, 0] = values[:, 1] + 0.001
    values[0, 0] += 0.5
    found = rank_intervals(values)
    assert found.n_judged == 1
    assert bounds(found) == [(1, 2), (1, 2)]


def test_a_pair_that_one_query_carries_does_not_blur_the_others() -> None:
    values = normal_runs([0, 0, 2], 50)
    carried = values[:, 0] + np.where(np.arange(50) < 1, 0.5, 1e-4)
    found, alone = rank_intervals(np.column_stack([values, carried])), rank_intervals(values)
    assert found.n_judged == 6
    np.testing.assert_array_equal(found.is_better[:3, :3], alone.is_better)
    assert found.is_better[2].tolist() == [True, True, False, True]


def test_how_many_queries_must_differ_is_told() -> None:
    # 2^(1 − 6) = 0.031, 3 · 2^(1 − 7) = 0.047
    assert rank_intervals(normal_runs([0, 1], 40)).least_differing == 6
    assert rank_intervals(normal_runs([0, 1, 2], 40)).least_differing == 7
    assert rank_intervals(normal_runs([0, 1, 2], 1)).least_differing == 7


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (5, 1), (0, 0)])
def test_without_two_queries_and_two_runs_nothing_is_known(shape: tuple[int, int]) -> None:
    found = rank_intervals(np.arange(float(math.prod(shape))).reshape(shape))
    assert bounds(found) == [(1, shape[1])] * shape[1]


def test_queries_that_do_not_count_are_left_out() -> None:
    values = normal_runs([0, 5, 9], 120)
    values[:50, 1] = np.nan
    values[60:, 2] = np.nan
    assert bounds(rank_intervals(values)) == [(3, 3), (2, 2), (1, 1)]


@pytest.mark.parametrize("counted", [0, 1, 4])
def test_a_run_with_hardly_a_value_may_stand_anywhere(counted: int) -> None:
    values = normal_runs([0, 5, 9], 120)
    values[counted:, 2] = np.nan
    assert bounds(rank_intervals(values)) == [(2, 3), (1, 2), (1, 3)]


def test_much_work_gives_nearly_the_same_intervals_at_less_cost() -> None:
    values = reciprocal(make_ranks(600, 12, seed=5))
    values[:, :4] = np.minimum(1, values[:, :4] + np.array([0.02, 0.04, 0.06, 0.1]))
    exact, cheap = rank_intervals(values), rank_intervals(values, most_work=0)
    assert exact.is_studentised
    assert not cheap.is_studentised
    assert exact.is_better.any()
    assert np.abs(exact.low - cheap.low).max() <= 1
    assert np.abs(exact.high - cheap.high).max() <= 1


def test_the_same_seed_gives_the_same_intervals_in_any_order_of_runs() -> None:
    values = reciprocal(make_ranks(150, 8, seed=6)) + np.linspace(0, 0.2, 8)
    order = np.random.default_rng(0).permutation(8)
    found, moved = rank_intervals(values, rng=3), rank_intervals(values[:, order], rng=3)
    assert bounds(moved) == bounds(found.reordered(order))
    np.testing.assert_array_equal(moved.is_better, found.reordered(order).is_better)


@settings(max_examples=60)
@given(
    values=st.tuples(st.integers(2, 5), st.integers(2, 40), st.sampled_from([tied_values, free_values])).flatmap(
        lambda drawn: st.lists(
            st.lists(drawn[2], min_size=drawn[0], max_size=drawn[0]), min_size=drawn[1], max_size=drawn[1]
        )
    ),
)
def test_intervals_hold_the_observed_rank_and_better_means_a_higher_mean(values: list[list[float]]) -> None:
    matrix = np.array(values)
    means = matrix.mean(axis=0).round(9)
    found = rank_intervals(matrix, resamples=99)
    best, worst = 1 + (means > means[:, None]).sum(axis=1), len(means) - (means < means[:, None]).sum(axis=1)
    assert (found.low <= best).all()
    assert (found.high >= worst).all()
    assert (means[:, None] > means)[found.is_better].all()
    assert ((found.low == 1) == ~found.is_better.any(axis=0)).all()


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(InputError, match="confidence: found 95"):
        rank_intervals([[0.1, 0.2], [0.2, 0.3]], confidence=95)
    with pytest.raises(InputError, match="found an array of 1 dimensions"):
        rank_intervals([0.1, 0.2])


# Simulated boards. Runs of the same skill are truly equal; the ranks that are then right for a run are all those its
# equals occupy.


def draw_board(skill: Sequence[float], n: int, rng: np.random.Generator) -> Floats:
    """RR of runs whose queries are easy or hard for all; 8% are missed at random."""
    depth = 1.0 - np.array(skill) + rng.normal(0, 1.2, (n, 1)) + rng.normal(0, 0.9, (n, len(skill)))
    ranks = np.exp(depth).astype(np.int64) + 1
    ranks[(ranks > 100) | (rng.random(ranks.shape) < 0.08)] = 0
    return reciprocal(ranks)


def draw_unlike_runs(skill: Sequence[float], n: int, rng: np.random.Generator) -> Floats:
    """Equal means of unlike shape: half the runs have 1 on a tenth of the queries and else 0, the others about 0.1."""
    half = len(skill) // 2
    luck = np.where(rng.random((n, half)) < 0.6, rng.random((n, 1)), rng.random((n, half)))
    return np.hstack([(luck < 0.1).astype(np.float64), 0.1 * rng.uniform(0.5, 1.5, (n, len(skill) - half))])


def draw_rare_gains(skill: Sequence[float], n: int, rng: np.random.Generator) -> Floats:
    """RR of variants of a run: of its misses, a fifth of the queries, they find 15% first; much else they do worse.

    The means are equal: 0.2 · 0.15 · 1 = 0.4 · 0.9 · (1/3 − 1/4).
    """
    base = np.where(rng.random(n) < 0.2, 0, np.where(rng.random(n) < 0.5, 1 / 2, 1 / 3))
    variants = np.repeat(base[:, None], len(skill), axis=1)
    is_changed = rng.random((2, n, len(skill)))
    is_changed[:, :, 0] = 1
    variants[(base == 0)[:, None] & (is_changed[0] < 0.15)] = 1
    variants[(base == 1 / 3)[:, None] & (is_changed[1] < 0.9)] = 1 / 4
    return variants


def draw_near_copies(skill: Sequence[float], n: int, rng: np.random.Generator) -> Floats:
    """Two runs as of draw_board; the others copy the first but for 8%, 16%, … of the queries, which are drawn anew."""
    fresh = draw_board(skill, n, rng)
    copies = fresh.copy()
    is_copied = rng.random((n, len(skill))) >= 0.08 * np.arange(-1, len(skill) - 1)
    is_copied[:, :2] = False
    copies[is_copied] = np.broadcast_to(fresh[:, :1], fresh.shape)[is_copied]
    return copies


def draw_near_blocks(skill: Sequence[float], n: int, rng: np.random.Generator) -> Floats:
    """Runs in teams of ten, each a copy of the team's first but for a tenth of the queries, which are drawn anew."""
    fresh = draw_board(skill, n, rng)
    firsts = np.repeat(fresh[:, ::10], 10, axis=1)[:, : len(skill)]
    return np.where(rng.random(fresh.shape) < 0.9, firsts, fresh)


BOARDS = {
    "10 equal runs, 50 queries": (draw_board, 50, [0.0] * 10),
    "20 equal runs, 50 queries": (draw_board, 50, [0.0] * 20),
    "20 close runs, 50 queries": (draw_board, 50, list(np.arange(20) * 0.03)),
    "20 equal runs, 200 queries": (draw_board, 200, [0.0] * 20),
    "15 close runs, 200 queries": (draw_board, 200, list(np.arange(15) * 0.01)),
    "five groups of 4, 200 queries": (draw_board, 200, list(np.repeat(np.arange(5) * 0.3, 4))),
    "12 equal runs of unlike shape, 50 queries": (draw_unlike_runs, 50, [0.0] * 12),
    "12 equal runs of unlike shape, 200 queries": (draw_unlike_runs, 200, [0.0] * 12),
    "8 equal runs by rare gains, 50 queries": (draw_rare_gains, 50, [0.0] * 8),
    "8 equal runs by rare gains, 100 queries": (draw_rare_gains, 100, [0.0] * 8),
    "8 equal runs by rare gains, 200 queries": (draw_rare_gains, 200, [0.0] * 8),
    "8 near-copies, 50 queries": (draw_near_copies, 50, [0.0] * 8),
    "8 near-copies, 200 queries": (draw_near_copies, 200, [0.0] * 8),
}


def true_ranks(skill: Sequence[float]) -> tuple[Floats, Floats]:
    each = np.array(skill)
    return 1 + (each > each[:, None]).sum(axis=1), len(each) - (each < each[:, None]).sum(axis=1)


def percentile_bounds(mass: Floats, alpha: float = 0.05) -> tuple[Floats, Floats]:
    """The central 95% of the ranks under bootstrapping, which are often taken for a confidence interval."""
    so_far = mass.cumsum(axis=1).round(9)
    return 1 + (so_far < alpha / 2).sum(axis=1), 1 + (so_far < 1 - alpha / 2).sum(axis=1)


@dataclass(frozen=True, kw_only=True)
class Held:
    """Whether the true ranks of a board lie where they should; as shares, over many boards."""

    intervals: float
    observed_error: float
    """The intervals at less cost."""
    top: float
    percentiles: float
    """Of bootstrap ranks."""


def try_boards(name: str, *, boards: int, resamples: int) -> Held:
    draw, n, skill = BOARDS[name]
    held = [
        _try_board(draw(skill, n, np.random.default_rng([i, n, len(skill)])), skill, resamples, i)
        for i in range(boards)
    ]
    return Held(**{each.name: float(np.mean([getattr(board, each.name) for board in held])) for each in fields(Held)})


def _try_board(values: Floats, skill: Sequence[float], resamples: int, seed: int) -> Held:
    low, high = true_ranks(skill)
    found = rank_intervals(values, resamples=resamples, rng=seed)
    cheap = rank_intervals(values, resamples=resamples, rng=seed, most_work=0)
    from_mass = percentile_bounds(bootstrap_rank_mass(values, trials=resamples, rng=seed))
    return Held(
        intervals=((found.low <= low) & (found.high >= high)).all(),
        observed_error=((cheap.low <= low) & (cheap.high >= high)).all(),
        top=(found.low[low == 1] == 1).all(),
        percentiles=((from_mass[0] <= low) & (from_mass[1] >= high)).all(),
    )


@pytest.mark.parametrize(
    "name",
    [
        "12 equal runs of unlike shape, 50 queries",
        "15 close runs, 200 queries",
        "8 equal runs by rare gains, 50 queries",
        "8 near-copies, 50 queries",
    ],
)
def test_intervals_cover_the_true_ranks_and_percentiles_do_not(name: str) -> None:
    held = try_boards(name, boards=100, resamples=199)
    assert held.intervals >= 0.93
    assert held.top >= 0.93
    assert held.percentiles <= 0.6


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_intervals_cover_the_true_ranks_in_a_large_simulation(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    boards = 1_000
    held = try_boards(name, boards=boards, resamples=499)
    with capsys.disabled():
        print(
            f"\ncoverage at nominal 0.95, {name}, {boards:,} boards: intervals {held.intervals:.3f}, "
            f"with the observed standard error {held.observed_error:.3f}, top group {held.top:.3f}, "
            f"percentiles of bootstrap ranks {held.percentiles:.3f}"
        )
    assert held.intervals >= 0.93
    assert held.top >= 0.93
    # A fixed standard error is not enough where differences are skewed.
    assert held.observed_error >= (0.85 if BOARDS[name][1] >= 200 else 0.38)
    assert held.percentiles <= 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "n_runs", "n_queries", "at_least"),
    [
        (draw_board, 1_000, 1_000, 0.93),
        (draw_board, 800, 200, 0.9),
        (draw_near_blocks, 1_000, 1_000, 0.93),
    ],
)
def test_intervals_of_a_thousand_runs_cover_too(
    draw: Callable[[Sequence[float], int, np.random.Generator], Floats],
    n_runs: int,
    n_queries: int,
    at_least: float,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Which are too many for a standard error in each resample. All are compared, whatever could matter."""
    boards, n_held = 200, 0
    for board in range(boards):
        values = draw([0.0] * n_runs, n_queries, np.random.default_rng([18, board, n_runs]))
        found = rank_intervals(values, rng=board)
        assert not found.is_studentised
        n_held += not found.is_better.any()
    with capsys.disabled():
        print(f"\ncoverage at nominal 0.95, {draw.__name__}, {n_runs:,} equal runs, {n_queries:,} queries: ", end="")
        print(f"{n_held / boards:.3f} of {boards} boards")
    assert n_held / boards >= at_least


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adhoc5_ap", "adhoc6_ap", "adhoc7_rr", "web2011_err20", "web2012_err20"])
def test_intervals_hold_on_real_scores_made_equal(
    name: str, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = read_scores(shared_data / "score-matrices" / f"{name}.csv").values
    equal = scores - scores.mean(axis=0)
    boards, n_held = 300, 0
    for board in range(boards):
        drawn = np.random.default_rng([5, board]).integers(0, len(equal), len(equal))
        n_held += not rank_intervals(equal[drawn], resamples=399, rng=board).is_better.any()
    with capsys.disabled():
        print(f"\n{name}, all runs made equal: the intervals held on {n_held / boards:.3f} of {boards} boards")
    assert n_held / boards >= 0.92
