"""How often does each run take each rank when queries are drawn anew? One row a run, one column a rank."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

import altair as alt
import numpy as np

from toprung.analyses.stability import Stability
from toprung.analyses.stability_board import BoardStability
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.tokens import INK_3, RAMP, TOP
from toprung.wording import show_number, show_share

# Where each step of the ramp begins; a share of 0 is no cell at all.
STEP_STARTS = (0.05, 0.15, 0.30, 0.50, 0.75)
STEP_NAMES = ("< 5%", "5–15%", "15–30%", "30–50%", "50–75%", "75% and more")
WIDEST_CELL, NARROWEST_CELL, GRID_WIDTH = 28, 7, 800
LOWEST_ROW = 15
"""Points a row needs to hold the name of its run."""


def draw(result: Stability) -> Figure:
    """The heat-map of the first condition."""
    board = result.boards[0]
    return Figure(
        kind="stability",
        title="Ranks in bootstrap samples",
        finding=result.sentence,
        caption=(
            f"Each of {result.trials:,} samples draws {board.n_queries:,} queries with replacement and ranks all runs "
            f"again by {board.measure}. A row with one strong cell: the rank of that run is settled. The frame holds "
            "the runs that may be first. Shares are not a confidence interval."
        ),
        chart=_heatmap(board),
    )


def _heatmap(board: BoardStability) -> alt.LayerChart:
    n_runs = len(board.runs)
    cell = max(NARROWEST_CELL, min(WIDEST_CELL, GRID_WIDTH // n_runs))
    ranks = list(range(1, n_runs + 1))
    shown = [rank for rank in ranks if rank == 1 or rank % (1 if n_runs <= 20 else 5) == 0]
    rank_axis = alt.Axis(title="rank in the sample", orient="top", labelAngle=0, values=shown)
    run = alt.Y("run:N", sort=list(board.runs))
    cells = (
        alt.Chart(values(_cells(board)))
        .mark_rect(aria=False)
        .encode(
            x=alt.X("rank:O", scale=alt.Scale(domain=ranks), axis=rank_axis),
            y=run.axis(title=None),
            color=alt.Color("step:N", scale=alt.Scale(domain=list(STEP_NAMES), range=list(RAMP[1:]))),
            tooltip=["run:N", "rank:O", "share:N"],
        )
    )
    expected = (
        alt.Chart(values(_expected_ranks(board)))
        .mark_text(align="right", baseline="middle", color=INK_3, fontSize=11.5, aria=False)
        .encode(x=alt.value(cell * n_runs + 40), y=run.axis(None), text="expected:N")
    )
    heading = (
        alt.Chart(values([{"heading": "expected"}]))
        .mark_text(align="right", color=INK_3, fontSize=11.5, aria=False)
        .encode(x=alt.value(cell * n_runs + 52), y=alt.value(-8), text="heading:N")
    )
    row_height = max(LOWEST_ROW, cell)
    return (
        alt.layer(cells, _frame(board, row_height), expected, heading)
        .resolve_scale(y="independent")
        .properties(width=cell * n_runs, height=row_height * n_runs)
    )


def _cells(board: BoardStability) -> Iterator[dict[str, object]]:
    for row, rank in np.argwhere(board.mass > 0).tolist():
        share = float(board.mass[row, rank])
        step = STEP_NAMES[bisect_right(STEP_STARTS, share)]
        yield {"run": board.runs[row], "rank": rank + 1, "share": show_share(share), "step": step}


def _expected_ranks(board: BoardStability) -> Iterator[dict[str, str]]:
    for run, expected in zip(board.runs, board.expected_ranks.tolist(), strict=True):
        yield {"run": run, "expected": show_number(expected, 1)}


def _frame(board: BoardStability, row_height: int) -> alt.Chart:
    """Around the rows of the runs that may be first; rows that do not touch get a frame each."""
    may_be_top = np.concatenate([[False], board.intervals.may_be_top, [False]])
    edges = (np.flatnonzero(np.diff(may_be_top)) * row_height).reshape(-1, 2).tolist()
    return (
        alt.Chart(values({"above": above, "below": below} for above, below in edges))
        .mark_rect(filled=False, stroke=TOP, strokeWidth=1.5, aria=False)
        .encode(
            x=alt.value(0),
            x2=alt.value("width"),
            y=alt.Y("above:Q", scale=None, axis=None),
            y2="below:Q",
        )
    )
