"""One answer: leaderboard, standings, grid and stability agree on every run and every pair, on any board."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import toprung as tr
from toprung.analyses.compare.find import Comparisons, all_pairs_of, compare
from toprung.analyses.leaderboard.find import Leaderboard, leaderboard
from toprung.analyses.significance.find import SignificanceGrid, significance
from toprung.analyses.stability.board import BoardStability
from toprung.analyses.stability.find import stability
from toprung.analyses.standings.find import Standings, standings
from toprung.analyses.standings.tiers import TierStandings
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.data.matrices import to_scores

type Matrix = tr.FirstRanks | tr.ScoreTable


def table_of(values: NDArray[np.float64], measure: str) -> tr.ScoreTable:
    return tr.ScoreTable(query_ids=queries(len(values)), runs=names(values.shape[1]), values=values, measure=measure)


def queries(n: int) -> tuple[str, ...]:
    return tuple(f"q{row:03d}" for row in range(n))


def names(n: int) -> tuple[str, ...]:
    return tuple(f"run{column}" for column in range(n))


@st.composite
def boards(draw: st.DrawFn) -> Matrix:
    """Of 2 to 6 runs, some of them copies, that differ by skill; of ranks, of scores, and of scores to be kept low."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n_queries, n_runs = draw(st.integers(1, 60)), draw(st.integers(2, 6))
    skill = rng.uniform(0, draw(st.sampled_from([0.1, 1.0, 3.0])), n_runs)
    depth = np.exp(rng.normal(1, 1, (n_queries, 1)) + rng.normal(0, 0.6, (n_queries, n_runs)) + skill)
    ranks = np.where(depth > 20, 0, np.ceil(depth)).astype(np.int32)
    copied = draw(st.lists(st.integers(0, n_runs - 1), max_size=2))
    values = np.column_stack([ranks, *(ranks[:, run] for run in copied)])
    kind = draw(st.sampled_from(["ranks", "nDCG@10", "ESL@10"]))
    if kind == "ranks":
        return tr.FirstRanks(query_ids=queries(n_queries), runs=names(values.shape[1]), values=values, cutoff=20)
    return table_of(values / 21, kind)


def signs(top: TopGroup, runs: tuple[str, ...]) -> dict[tuple[str, str], int]:
    return {(a, b): top.relation(a, b) for a in runs for b in runs}


@settings(max_examples=60, deadline=None)
@given(matrix=boards())
def test_every_answer_is_the_same_answer(matrix: Matrix) -> None:
    top, board = find_top_group(matrix), leaderboard(matrix)
    assert_who_may_be_best_is_one_thing(top)
    assert_better_means_a_better_mean(matrix, top)
    assert_standings_agree(standings(matrix), board, top)
    assert_grid_agrees(significance(to_scores(matrix), tests=("t",), corrections=("holm",)), top)
    assert_stability_agrees(stability(to_scores(matrix), trials=5).boards[0], board)
    assert_comparisons_agree(compare(matrix, pairs=all_pairs_of(matrix.runs), resamples=20), top)


@pytest.mark.parametrize("name", ["trec-covid-r1", "msmarco-passage-dev215"])
def test_every_answer_is_the_same_on_real_boards(shared_data: Path, name: str) -> None:
    folder = shared_data / name
    labels = next(folder.glob("qrels*"))
    evaluation = tr.evaluate(labels, sorted(folder.glob("*.gz")), ["RR", "nDCG@10"])
    matrix: Matrix = evaluation.score_table("nDCG@10") if name.startswith("trec") else evaluation.first_ranks(10)
    top, board = find_top_group(matrix), leaderboard(matrix)
    assert_who_may_be_best_is_one_thing(top)
    assert_better_means_a_better_mean(matrix, top)
    assert_standings_agree(standings(matrix), board, top)
    assert_grid_agrees(significance(to_scores(matrix), tests=("t",), corrections=("holm",)), top)
    assert_stability_agrees(stability(to_scores(matrix), trials=5).boards[0], board)
    assert_comparisons_agree(compare(matrix, pairs=all_pairs_of(matrix.runs), resamples=20), top)


def assert_comparisons_agree(found: Comparisons, top: TopGroup) -> None:
    """Of more than two runs what they are at once goes first; of two the verdict is all there is."""
    for pair, row in zip(found.pairs, found.rows(), strict=True):
        said = pair.found.side if pair.at_once is None else pair.at_once
        assert said == top.relation(pair.a, pair.b)
        assert row["all_at_once"] == (None if pair.at_once is None else {1: "B", -1: "A", 0: "tied"}[pair.at_once])


def assert_who_may_be_best_is_one_thing(top: TopGroup) -> None:
    for row, run in enumerate(top.runs):
        nobody_is_better = not top.worse_than(run)
        assert (run in top.members) == nobody_is_better == (top.intervals.low[row] == 1)
        assert top.intervals.low[row] == 1 + len(top.worse_than(run))
        assert top.intervals.high[row] == len(top.runs) - len(top.better_than(run))


def assert_better_means_a_better_mean(matrix: Matrix, top: TopGroup) -> None:
    sign = -1 if matrix.measure.startswith("ESL") else 1
    means = dict(zip(matrix.runs, to_scores(matrix).values.mean(axis=0), strict=True))
    for run in top.runs:
        assert all(sign * means[run] > sign * means[other] for other in top.better_than(run))


def assert_standings_agree(found: Standings | TierStandings, board: Leaderboard, top: TopGroup) -> None:
    assert isinstance(found, Standings)
    assert [row.run for row in found.rows] == [row.run for row in board.rows] == list(top.runs)
    for one, other in zip(found.rows, board.rows, strict=True):
        for name in ("place", "score", "rank_low", "rank_high", "top_group", "answered", "mean_esl"):
            assert getattr(one, name) == getattr(other, name)
        related = (*one.better_than, *one.worse_than, *one.cannot_be_told_apart_from)
        assert sorted((one.run, *related)) == sorted(top.runs)
        assert all(top.relation(one.run, loser) == -1 for loser in one.better_than)
    assert found.sentence == board.verdict


def assert_grid_agrees(grid: SignificanceGrid, top: TopGroup) -> None:
    assert grid.ordered_runs == top.runs
    assert signs(grid.top, top.runs) == signs(top, top.runs)
    for pair in grid.to_frame().iter_rows(named=True):
        assert pair["better"] == top.relation(pair["a"], pair["b"])
    assert grid.letters is not None
    letters = dict(zip(grid.ordered_runs, grid.letters.letters, strict=True))
    for (a, b), sign in signs(top, top.runs).items():
        assert bool({*letters[a]} & {*letters[b]}) == (sign == 0)


def assert_stability_agrees(found: BoardStability, board: Leaderboard) -> None:
    assert found.may_be_top == tuple(row.run for row in board.top_group)
    ranks = zip(found.intervals.low.tolist(), found.intervals.high.tolist(), strict=True)
    assert list(ranks) == [(row.rank_low, row.rank_high) for row in board.rows]
    assert found.places.tolist() == [row.place for row in board.rows]


@settings(max_examples=30, deadline=None)
@given(matrix=boards(), data=st.data())
def test_the_order_of_runs_never_shows(matrix: Matrix, data: st.DataObject) -> None:
    shuffled = matrix.select(data.draw(st.permutations(matrix.runs)))
    assert leaderboard(shuffled).to_dict() == leaderboard(matrix).to_dict()


@settings(max_examples=30, deadline=None)
@given(matrix=boards())
def test_copies_of_a_run_are_alike_in_everything(matrix: Matrix) -> None:
    first = matrix.runs[0]
    values = np.column_stack([matrix.values, matrix.column(first)])
    doubled = replace(matrix, runs=(*matrix.runs, "copy"), values=values)
    rows = {row["run"]: row for row in leaderboard(doubled).to_dict()["rows"]}
    top = find_top_group(doubled)
    apart = ("run", "outcomes")  # who stands first is the reference, and has none
    one, other = ({name: told for name, told in rows[run].items() if name not in apart} for run in (first, "copy"))
    assert one == other
    assert top.relation(first, "copy") == 0
    for third in matrix.runs[1:]:
        assert top.relation(first, third) == top.relation("copy", third)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_a_part_of_the_runs_keeps_what_comparing_all_has_shown(alpha: float) -> None:
    rng = np.random.default_rng(5)
    values = (rng.normal(0, 1, (50, 6)) + np.linspace(0, 1.5, 6)).astype(np.float64)
    table = table_of(values, "score")
    top, part = find_top_group(table, alpha=alpha), ["run5", "run2", "run0"]
    grid = significance(table.select(part), top=top, alpha=alpha)
    assert signs(grid.top, tuple(part)) == signs(top, tuple(part))
    ranks = stability(table.select(part), top_group=top, trials=5).boards[0].intervals
    assert ranks.low.tolist() == [int(top.intervals.low[top.row(run)]) for run in grid.ordered_runs]
