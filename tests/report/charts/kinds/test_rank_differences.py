"""The histogram of distances: B's wins at the left, bins as the analysis counts them."""

from __future__ import annotations

import numpy as np
from tests.report.charts.drawn import facts_of, told_by, words_of

from toprung.analyses.compare.find import Comparisons, compare
from toprung.data.matrices import FirstRanks
from toprung.report.charts.kinds.rank_differences import draw
from toprung.report.charts.svg.marks import RectMark
from toprung.report.charts.tokens import BETTER, SAME, WORSE


def compared(a: list[int], b: list[int]) -> Comparisons:
    values = np.array([a, b], dtype=np.int32).T
    ids = tuple(map(str, range(len(values))))
    return compare(FirstRanks(query_ids=ids, runs=("A", "B"), values=values, cutoff=100), resamples=20)


def test_bins_go_from_b_s_far_wins_to_a_s() -> None:
    # B leads by 1, 1 and 5 ranks, A by 2; one query alike, and one that only A answers.
    figure = draw(compared([2, 3, 6, 1, 4, 9], [1, 2, 1, 3, 4, 0]))
    assert figure is not None
    bars = told_by(figure, RectMark)
    assert [(bar.facts["bin"], bar.facts["queries"], bar.look.fill) for bar in bars] == [
        ("B higher by 4–5", "1", BETTER),
        ("B higher by 3", "0", BETTER),
        ("B higher by 2", "0", BETTER),
        ("B higher by 1", "2", BETTER),
        ("the same rank", "1", SAME),
        ("A higher by 1", "0", WORSE),
        ("A higher by 2", "1", WORSE),
        ("A higher by 3", "0", WORSE),
        ("A higher by 4–5", "0", WORSE),
    ]
    highest = bars[3].bottom - bars[3].top
    assert [bar.bottom - bar.top for bar in bars] == [highest * n / 2 for n in (1, 0, 0, 2, 1, 0, 1, 0, 0)]
    assert words_of(figure)[-2:] == ["B higher: 3 queries", "A higher: 1 query"]
    assert figure.finding == (
        "Of 5 queries that both answer, B is higher on 3, A on 1, and on 1 the rank is the same; "
        "by 4–5 ranks B leads on 1, A on 0."
    )


def test_the_far_end_is_said_to_have_none() -> None:
    figure = draw(compared([1, 1], [50, 1]))
    assert figure is not None
    assert figure.finding.endswith("by 31 ranks or more B leads on 0, A on 1.")


def test_runs_that_always_agree_have_one_bar() -> None:
    figure = draw(compared([1, 2], [1, 2]))
    assert figure is not None
    assert [row["queries"] for row in facts_of(figure)] == ["2"]
    assert figure.finding == "Of 2 queries that both answer, B is higher on 0, A on 0, and on 2 the rank is the same."


def test_without_a_query_that_both_answer_there_is_nothing_to_draw() -> None:
    assert draw(compared([1, 0], [0, 1])) is None


def test_scores_alone_have_no_ranks() -> None:
    scores = FirstRanks(
        query_ids=("1", "2"), runs=("A", "B"), values=np.array([[1, 2], [2, 1]], dtype=np.int32), cutoff=10
    ).reciprocal()
    assert draw(compare(scores, resamples=20)) is None
