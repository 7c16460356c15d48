"""Who may be best now? And does every part of the answer agree with every other?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.boards.engine.real_boards import every_board, read_dev215, read_trec_covid
from tests.boards.engine.samples import NONE_SHARED, TEN_QUERIES, ranks_of, scores_of
from tests.stats.samples import free_values, tied_values

from toprung.boards.engine.parts import find_parts
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.errors import InputError


def intervals_of(found: TopGroup) -> dict[str, tuple[int, int]]:
    pairs = zip(found.intervals.low.tolist(), found.intervals.high.tolist(), strict=True)
    return dict(zip(found.runs, pairs, strict=True))


# STATISTICS section 5, "Top group".
def test_three_equal_columns_share_everything() -> None:
    column = np.random.default_rng(1).random((40, 1))
    found = find_top_group(scores_of(np.repeat(column, 3, axis=1)))
    assert set(intervals_of(found).values()) == {(1, 3)}
    assert found.members == found.runs == ("r000", "r001", "r002")
    assert found.places.tolist() == [1, 1, 1]


@pytest.mark.parametrize(("n_queries", "is_told_apart"), [(5, False), (6, True), (8, True)])
def test_two_runs_are_told_apart_from_six_queries_on(n_queries: int, is_told_apart: bool) -> None:
    steps = np.arange(1, n_queries + 1) / 10
    found = find_top_group(scores_of(np.column_stack([np.zeros(n_queries), steps])))
    assert found.runs == ("r001", "r000")
    assert found.relation("r000", "r001") == int(is_told_apart)
    assert found.members == (("r001",) if is_told_apart else ("r001", "r000"))


@pytest.mark.parametrize("counted", [TEN_QUERIES, NONE_SHARED, [(2, 1, 5), (3, 3, 40)], [(2, 1, 6), (3, 3, 40)]])
def test_with_two_runs_the_pair_test_decides(counted: list[tuple[int, int, int]]) -> None:
    matrix = ranks_of(counted)
    measure = find_parts(matrix, "a", "b").measure
    assert find_top_group(matrix).relation("a", "b") == (measure.favours if measure.p <= 0.05 else 0)


@settings(max_examples=60)
@given(
    columns=st.lists(st.tuples(tied_values, tied_values), min_size=2, max_size=40),
    alpha=st.sampled_from([0.01, 0.05, 0.2]),
)
def test_with_any_two_runs_the_pair_test_decides(columns: list[tuple[float, float]], alpha: float) -> None:
    matrix = scores_of(columns)
    measure = find_parts(matrix, "r000", "r001").measure
    expected = measure.favours if measure.p <= alpha else 0
    assert find_top_group(matrix, alpha=alpha).relation("r000", "r001") == expected


@pytest.mark.parametrize("n_runs", [3, 5, 10])
def test_more_pairs_must_differ_on_more_queries(n_runs: int) -> None:
    least = 1 + int(np.ceil(np.log2(n_runs * (n_runs - 1) / (2 * 0.05))))
    assert least == {3: 7, 5: 9, 10: 11}[n_runs]
    rng = np.random.default_rng(n_runs)
    values = rng.random((60, n_runs))
    values[:, 1] = values[:, 0]
    values[: least - 1, 1] += 0.3
    assert find_top_group(scores_of(values)).relation("r000", "r001") == 0


def test_a_run_more_like_the_best_is_told_apart_sooner() -> None:
    rng = np.random.default_rng(5)
    best = rng.random(100)
    like, unlike = best - rng.uniform(0.01, 0.03, 100), rng.permutation(best) - 0.03
    found = find_top_group(scores_of(np.column_stack([best, like, unlike])))
    assert found.runs == ("r000", "r001", "r002")
    assert found.members == ("r000", "r002")


def test_lower_is_better_turns_everything_round() -> None:
    values = np.random.default_rng(2).normal([0.2, 0.5, 0.5, 0.9], 0.1, (60, 4))
    lower, higher = (find_top_group(scores_of(values, measure=name)) for name in ("ESL", "nDCG@10"))
    assert lower.members == ("r000",)
    assert higher.members == ("r003",)
    assert lower.runs[0] == higher.runs[-1] == "r000"


def test_the_relations_of_a_run_name_everybody_once() -> None:
    values = np.random.default_rng(2).normal([0.2, 0.5, 0.5, 0.9], 0.1, (60, 4))
    found = find_top_group(scores_of(values))
    assert found.better_than("r001") == ("r000",)
    assert found.worse_than("r001") == ("r003",)
    assert found.not_told_apart_from("r001") == ("r002",)
    with pytest.raises(InputError, match="Found no run 'x'"):
        found.better_than("x")


@pytest.mark.parametrize("shape", [(0, 2), (4, 0)])
def test_an_empty_board_is_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="expected at least one of each"):
        find_top_group(scores_of(np.zeros(shape)))


@pytest.mark.parametrize("shape", [(1, 3), (20, 1)])
def test_with_one_query_or_one_run_all_may_be_best(shape: tuple[int, int]) -> None:
    found = find_top_group(scores_of(np.random.default_rng(1).random(shape)))
    assert found.members == found.runs


def contradictions(matrix: FirstRanks | ScoreTable, found: TopGroup) -> list[str]:
    """What does not agree; nothing should be in it."""
    better, low, high = found.is_better, found.intervals.low, found.intervals.high
    n_better, n_worse = better.sum(axis=0), better.sum(axis=1)
    scores = to_scores(matrix).select(list(found.runs)).values
    means = found.scores
    wrong = []
    if not np.array_equal(found.is_member, n_better == 0):
        wrong.append("top group and nobody better")
    if not np.array_equal(found.is_member, (low <= 1) & (high >= 1)):
        wrong.append("top group and rank interval")
    if not (np.array_equal(low, 1 + n_better) and np.array_equal(high, len(found.runs) - n_worse)):
        wrong.append("rank interval and relation")
    if (better & ~(means[:, None] > means)).any():
        wrong.append("better without a higher mean")
    if ((low > found.places) | (high < found.places)).any():
        wrong.append("place outside of its interval")
    if not is_alike_for_copies(scores, better):
        wrong.append("copies unlike")
    return wrong


def is_alike_for_copies(scores: np.ndarray, better: np.ndarray) -> bool:
    _, kind = np.unique(scores.T, axis=0, return_inverse=True)
    same = kind.reshape(-1)[:, None] == kind.reshape(-1)
    first = np.argmax(same, axis=1)
    is_alike = np.array_equal(better, better[first]) and np.array_equal(better, better[:, first])
    return is_alike and not (better & same).any()


def test_every_real_board_agrees_with_itself(shared_data: Path) -> None:
    boards = dict(every_board(shared_data))
    assert len(boards) == 22
    for name, matrix in boards.items():
        assert contradictions(matrix, find_top_group(matrix)) == [], name


def test_every_real_board_agrees_with_itself_beside_copies_of_its_best_and_worst(shared_data: Path) -> None:
    for name, matrix in (("dev215", read_dev215(shared_data)), ("trec-covid", read_trec_covid(shared_data))):
        alone = find_top_group(matrix)
        copied = [alone.runs[0], alone.runs[-1]]
        runs = (*matrix.runs, *(f"copy of {run}" for run in copied))
        values = np.column_stack([matrix.values, *(matrix.column(run) for run in copied)])
        found = find_top_group(replace(matrix, runs=runs, values=values))
        assert contradictions(matrix=replace(matrix, runs=runs, values=values), found=found) == [], name
        assert (f"copy of {copied[0]}" in found.members) is (copied[0] in found.members) is True
        for run in copied:
            assert intervals_of(found)[run] == intervals_of(found)[f"copy of {run}"]


def test_the_real_boards_have_these_top_groups(shared_data: Path) -> None:
    dev215, covid = find_top_group(read_dev215(shared_data)), find_top_group(read_trec_covid(shared_data))
    assert len(dev215.members) == 6
    assert not {"BM25", "RM3"} & set(dev215.members)
    assert covid.members == ("run1", "BBGhelani1", "BBGhelani2", "UIUC_DMG_setrank_ret", "CSIROmed_RF")
    assert covid.relation("wistud_bing", "BBGhelani1") == 1  # .336 is not "tied" with .669
    assert covid.places[:4].tolist() == [1, 2, 2, 4]
    assert intervals_of(covid)["BBGhelani1"] == intervals_of(covid)["BBGhelani2"]


@st.composite
def boards(draw: st.DrawFn) -> ScoreTable:
    """Random scores, some runs copied."""
    n_runs, n_queries = draw(st.integers(1, 6)), draw(st.integers(1, 40))
    values = draw(st.sampled_from([tied_values, free_values]))
    row = st.lists(values, min_size=n_runs, max_size=n_runs)
    matrix = np.array(draw(st.lists(row, min_size=n_queries, max_size=n_queries)))
    matrix += draw(st.lists(st.sampled_from([0.0, 0.5, 2.0]), min_size=n_runs, max_size=n_runs))
    copied = draw(st.lists(st.integers(0, n_runs - 1), max_size=2))
    return scores_of(np.column_stack([matrix, matrix[:, copied]]))


@settings(max_examples=80)
@given(matrix=boards())
def test_every_random_board_agrees_with_itself(matrix: ScoreTable) -> None:
    assert contradictions(matrix, find_top_group(matrix, resamples=99)) == []


@settings(max_examples=40)
@given(matrix=boards(), data=st.data())
def test_neither_the_order_of_runs_nor_that_of_queries_shows(matrix: ScoreTable, data: st.DataObject) -> None:
    runs = data.draw(st.permutations(matrix.runs))
    rows = data.draw(st.permutations(range(len(matrix.query_ids))))
    shuffled = replace(
        matrix, query_ids=tuple(matrix.query_ids[row] for row in rows), values=matrix.values[rows]
    ).select(list(runs))
    found, other = find_top_group(matrix, resamples=99), find_top_group(shuffled, resamples=99)
    assert found.runs == other.runs
    assert found.scores.tolist() == other.scores.tolist()
    assert intervals_of(found) == intervals_of(other)
