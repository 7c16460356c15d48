"""One bar a query, from B's largest gain to A's."""

from __future__ import annotations

import numpy as np
import pytest
from tests.report.charts.drawn import told_by, words_of

from toprung.analyses.queries.find import queries
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.query_differences import MOST_BARS, draw
from toprung.report.charts.svg.marks import RectMark
from toprung.report.charts.tokens import BETTER, ONLY_OTHER, ONLY_THIS, SAME, WORSE


def drawn(a: list[int], b: list[int]) -> Figure:
    values = np.array([a, b], dtype=np.int32).T
    ids = tuple(map(str, range(len(values))))
    figure = draw(queries(FirstRanks(query_ids=ids, runs=("A", "B"), values=values, cutoff=10)))
    assert figure is not None
    return figure


def test_bars_go_from_b_s_gains_to_a_s() -> None:
    """Query 0: only B; 1: both, B higher; 2: the same; 3: both, A higher; 4: only A."""
    figure = drawn([0, 2, 3, 1, 1], [1, 1, 3, 4, 0])
    bars = told_by(figure, RectMark)
    assert [(bar.facts["query"], bar.facts["difference"], bar.look.fill) for bar in bars] == [
        ("0", "+1.0000", ONLY_THIS),
        ("1", "+0.5000", BETTER),
        ("2", "+0.0000", SAME),
        ("3", "−0.7500", WORSE),
        ("4", "−1.0000", ONLY_OTHER),
    ]
    step, middle = figure.drawing.width / 5, figure.drawing.height / 2
    assert [(bar.left, bar.right) for bar in bars] == [pytest.approx((n * step, (n + 1) * step)) for n in range(5)]
    # From −1 to 1: a difference of 1 is half the height.
    assert [(middle - bar.top, bar.bottom - middle) for bar in bars] == [
        pytest.approx((up * middle, down * middle)) for up, down in [(1, 0), (0.5, 0), (0, 0), (0, 0.75), (0, 1)]
    ]
    assert {"◄ B does better: 2", "A does better: 2 ►"} <= set(words_of(figure))
    assert figure.finding == (
        "B does better on 2 of 5 queries, A on 2; on 1 they score the same. 2 queries make half of all differences."
    )
    assert "Strong: only that run" in figure.caption


def test_many_queries_share_bars_of_their_mean() -> None:
    differences = np.arange(2 * MOST_BARS + 1, 0, -1.0)
    values = np.column_stack([np.zeros(len(differences)), differences])
    ids = tuple(f"q{number:04}" for number in range(len(differences)))
    figure = draw(queries(ScoreTable(query_ids=ids, runs=("A", "B"), values=values, measure="clicks")))
    assert figure is not None
    bars = told_by(figure, RectMark)
    assert len(bars) == -(-len(differences) // 3)
    assert (bars[0].facts["difference"], bars[0].facts["query"]) == (f"+{2 * MOST_BARS}.0000", "3 queries")
    assert figure.caption.startswith("Each bar is the mean of 3 neighbouring queries")
    assert "Strong" not in figure.caption


def test_runs_that_score_the_same_have_nothing_to_draw() -> None:
    values = np.full((3, 2), 0.5)
    same = ScoreTable(query_ids=("a", "b", "c"), runs=("A", "B"), values=values, measure="AP")
    assert draw(queries(same)) is None
