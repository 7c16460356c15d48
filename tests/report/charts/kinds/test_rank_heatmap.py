from __future__ import annotations

import numpy as np
import pytest
from tests.report.charts.drawn import marks_of, told_by

import toprung as tr
from toprung.report.charts.kinds.rank_heatmap import GRID_WIDTH, HIGHEST_ROW, WIDEST_CELL, draw
from toprung.report.charts.svg.marks import RectMark
from toprung.report.charts.tokens import RAMP, TOP

LARGEST_INLINE = 400_000


def cells_of(result: tr.Stability) -> list[RectMark]:
    return told_by(draw(result), RectMark)


def even_runs(n_runs: int, n_queries: int = 40) -> tr.ScoreTable:
    """Each query is answered by another run: all are equally good."""
    values = np.zeros((n_queries, n_runs))
    values[np.arange(n_queries), np.arange(n_queries) % n_runs] = 1
    names = tuple(f"run {number:03d}" for number in range(n_runs))
    return tr.ScoreTable(query_ids=tuple(map(str, range(n_queries))), runs=names, values=values, measure="RR@10")


def test_a_settled_order_is_one_strong_cell_a_run(sure_late_never: tr.FirstRanks) -> None:
    cells = cells_of(tr.stability(sure_late_never.reciprocal(), trials=50))
    assert [(*cell.facts.values(), cell.look.fill) for cell in cells] == [
        ("sure", "1", "100.0%", RAMP[6]),
        ("late", "2", "100.0%", RAMP[6]),
        ("never", "3", "100.0%", RAMP[6]),
    ]
    wide, high = WIDEST_CELL, HIGHEST_ROW
    assert [cell.box for cell in cells] == [(n * wide, n * high, (n + 1) * wide, (n + 1) * high) for n in range(3)]


def test_the_frame_holds_the_runs_that_may_be_first(sure_late_never: tr.FirstRanks) -> None:
    figure = draw(tr.stability(sure_late_never.reciprocal(), trials=50))
    (frame,) = (rect for rect in marks_of(figure, RectMark) if rect.look.stroke == TOP)
    assert (frame.top, frame.bottom) == (0, figure.drawing.height / 3)


def test_shares_fall_into_the_steps_of_the_legend() -> None:
    """Two runs of which each wins every other query: each comes first in about half of the trials."""
    cells = cells_of(tr.stability(even_runs(2), trials=200))
    assert {cell.look.fill for cell in cells} <= set(RAMP[4:6])


def test_of_several_conditions_it_shows_the_first_and_says_which(sure_late_never: tr.FirstRanks) -> None:
    scores = sure_late_never.reciprocal()
    figure = draw(tr.stability({"public": scores, "private": scores}, trials=20))
    assert figure.title == "Ranks in bootstrap samples, public"
    assert figure.finding.startswith("sure stands first in 100.0% of 20 bootstrap trials")


def test_neighbours_of_one_step_are_one_mark_where_runs_are_many() -> None:
    result = tr.stability(even_runs(45, n_queries=90), trials=20)
    cells = cells_of(result)
    assert len(cells) < np.count_nonzero(result.boards[0].mass)
    of_a_run = [cell for cell in cells if cell.facts["run"] == "run 000"]
    shares = result.boards[0].mass[result.boards[0].row("run 000")]
    wide = GRID_WIDTH // 45
    assert sum(cell.right - cell.left for cell in of_a_run) == pytest.approx(wide * np.count_nonzero(shares))


@pytest.mark.parametrize("n_runs", [2, 100])
def test_it_fits_into_a_page(n_runs: int) -> None:
    figure = draw(tr.stability(even_runs(n_runs, n_queries=200), trials=50))
    assert len(figure.to_inline_svg()) <= LARGEST_INLINE
