"""One bar a query, from B's largest gain to A's."""

from __future__ import annotations

import numpy as np
from tests.report.charts.drawn import rows_with, texts_of

from toprung.analyses.queries.find import queries
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.query_differences import MOST_BARS, draw
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
    rows = rows_with(figure, "difference")
    assert [(row["query"], row["difference"], row["color"]) for row in rows] == [
        ("0", 1.0, ONLY_THIS),
        ("1", 0.5, BETTER),
        ("2", 0.0, SAME),
        ("3", -0.75, WORSE),
        ("4", -1.0, ONLY_OTHER),
    ]
    assert [(row["place"], row["end"]) for row in rows] == [(n, n + 1) for n in range(5)]
    assert texts_of(figure) == ["◀ B does better: 2", "A does better: 2 ▶"]
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
    rows = rows_with(figure, "difference")
    assert len(rows) == -(-len(differences) // 3)
    assert (rows[0]["difference"], rows[0]["query"]) == (2 * MOST_BARS, "3 queries")
    assert figure.caption.startswith("Each bar is the mean of 3 neighbouring queries")
    assert "Strong" not in figure.caption


def test_runs_that_score_the_same_have_nothing_to_draw() -> None:
    values = np.full((3, 2), 0.5)
    same = ScoreTable(query_ids=("a", "b", "c"), runs=("A", "B"), values=values, measure="AP")
    assert draw(queries(same)) is None
