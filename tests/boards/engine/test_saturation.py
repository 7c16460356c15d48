"""Does the measure still tell the best runs apart?"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tests.boards.engine.real_boards import every_board
from tests.boards.engine.samples import ranks_of, scores_of

from toprung.boards.engine.saturation import count_differing, hardly_tells_apart, say_saturated
from toprung.data.matrices import ScoreTable


def differing_on(n_queries: int, *, n_runs: int = 2) -> ScoreTable:
    """100 queries; each two runs differ on so many."""
    values = np.full((100, n_runs), 0.5)
    values[:n_queries] += np.arange(n_runs) / 100
    return scores_of(values)


@pytest.mark.parametrize(("n_queries", "is_warned"), [(0, True), (19, True), (20, False), (100, False)])
def test_runs_must_differ_on_twenty_queries(n_queries: int, is_warned: bool) -> None:
    assert count_differing(differing_on(n_queries)) == n_queries
    assert hardly_tells_apart(differing_on(n_queries)) is is_warned


def test_only_the_ten_highest_count_and_the_median_over_their_pairs() -> None:
    values = np.full((100, 14), 0.9)
    values[:, 10:] = np.random.default_rng(1).random((100, 4)) / 2  # low runs differ everywhere
    assert hardly_tells_apart(scores_of(values))
    values[:30, 0] -= 0.1  # one run of ten: 9 of 45 pairs
    assert count_differing(scores_of(values)) == 0


def test_where_lower_is_better_the_lowest_are_the_best() -> None:
    values = np.full((100, 12), 1.0)
    values[:, :2] = np.random.default_rng(1).random((100, 2)) + 3
    assert hardly_tells_apart(scores_of(values, measure="ESL"))
    values[:, 2:] = np.random.default_rng(2).random((100, 10))
    assert not hardly_tells_apart(scores_of(values, measure="ESL"))


def test_one_run_is_never_warned_of() -> None:
    assert count_differing(scores_of([[0.5], [0.2]])) == math.inf


def test_ranks_count_by_their_reciprocals() -> None:
    assert count_differing(ranks_of([(1, 1, 40), (2, 1, 7), (0, 3, 2)])) == 9


def test_the_warning_says_how_many_and_what_to_take_instead() -> None:
    warned = say_saturated(differing_on(12), "nDCG@100")
    assert warned == (
        "nDCG@10 hardly tells the best runs apart: two of the highest differ on 12 of 100 queries (median). "
        "nDCG@100 does."
    )
    assert say_saturated(differing_on(12)).endswith("(median).")


@pytest.mark.parametrize(
    ("n_differing", "is_exact", "said"), [(16, True, "16"), (10, True, "10"), (4, False, "fewer than 20")]
)
def test_where_there_are_few_queries_that_is_what_is_said(n_differing: int, is_exact: bool, said: str) -> None:
    """For 16 of 20 would sound like many."""
    table = scores_of(differing_on(n_differing).values[:20])
    assert say_saturated(table, is_exact=is_exact) == (
        "nDCG@10 hardly tells the best runs apart: there are only 20 queries, and two of the highest differ on "
        f"{said} of them (median)."
    )
    assert say_saturated(scores_of(differing_on(9).values[:20])).endswith("differ on 9 of 20 queries (median).")


def test_of_the_real_boards_those_by_rr_of_few_topics_are_saturated(shared_data: Path) -> None:
    warned = {name for name, matrix in every_board(shared_data) if hardly_tells_apart(matrix)}
    assert warned == {"adhoc7_rr", "adhoc8_rr"}
