"""How often does each run take each rank when queries are drawn anew? One row a run, one column a rank."""

from __future__ import annotations

from collections.abc import Iterator

import altair as alt
import numpy as np

from toprung.analyses.stability.board import BoardStability
from toprung.analyses.stability.find import Stability
from toprung.analyses.stability.words import say_stability
from toprung.report.charts.data import fixed, values
from toprung.report.charts.figure import Figure
from toprung.report.charts.share_steps import STEP_NAMES, print_share, step_of
from toprung.report.charts.side_texts import axis_room, column, down, heading
from toprung.report.charts.spans import spans_of
from toprung.report.charts.tokens import INK_3, RAMP, RULE, TOP
from toprung.words.wording import show_number

WIDEST_CELL, NARROWEST_CELL, GRID_WIDTH = 64, 7, 800
LOWEST_ROW, HIGHEST_ROW = 15, 26
"""Points: a row must hold the name of its run."""
MOST_CELLS_APART = 40
"""Runs up to which every cell is a mark that tells its share; beyond, neighbours of one step are drawn as one."""
GUIDE_EVERY = 5
MOST_DRAWN = 60
"""Runs, from the top: more rows cannot be read."""


def draw(result: Stability) -> Figure:
    """The heat-map of the first condition."""
    whole = result.boards[0]
    board = whole.first(MOST_DRAWN)
    return Figure(
        kind="stability",
        title=f"Ranks in bootstrap samples{f', {board.name}' if board.name else ''}",
        finding=say_stability([whole], trials=result.trials),
        caption=(
            f"Each of {result.trials:,} samples draws {board.n_queries:,} queries with replacement and ranks all runs "
            f"again by {board.measure}. A row with one strong cell: the rank of that run is settled. "
            f"{_say_frame(board)} Shares are not a confidence interval.{_say_left_out(whole, board)}"
        ),
        chart=_heatmap(board),
    )


def _say_frame(board: BoardStability) -> str:
    best = "best" if board.tau == 1 else f"among the best {board.tau}"
    return f"The frame holds the runs that may be {best}."


def _say_left_out(whole: BoardStability, drawn: BoardStability) -> str:
    n_runs, n_drawn = len(whole.runs), len(drawn.runs)
    return f" The first {n_drawn:,} of {n_runs:,} runs are drawn." if n_drawn < n_runs else ""


def _heatmap(board: BoardStability) -> alt.LayerChart:
    n_runs, n_ranks = board.mass.shape
    cell = max(NARROWEST_CELL, min(WIDEST_CELL, GRID_WIDTH // n_ranks))
    row_height = max(LOWEST_ROW, min(HIGHEST_ROW, cell))
    width, height = cell * n_ranks, row_height * n_runs
    return (
        alt.layer(
            _panel(),
            *_guides(n_runs, n_ranks, row_height),
            _cells(board),
            _frame(board, row_height),
            *_expected(board, width, row_height),
            axis_room(board.runs),
        )
        .resolve_scale(y="independent")
        .properties(width=width, height=height)
    )


def _panel() -> alt.Chart:
    """What lies under the cells: no share at all."""
    return (
        alt.Chart(values([{"step": STEP_NAMES[0]}]))
        .mark_rect(aria=False)
        .encode(
            x=fixed(alt.XValue, 0),
            x2=fixed(alt.X2Value, "width"),
            y=fixed(alt.YValue, 0),
            y2=fixed(alt.Y2Value, "height"),
            color=alt.Color("step:N"),
        )
    )


def _guides(n_runs: int, n_ranks: int, row_height: int) -> tuple[alt.Chart, ...]:
    """Hairlines behind every fifth rank and every fifth run, where there are many."""
    if n_runs <= 2 * GUIDE_EVERY:
        return ()
    ranks, runs = range(GUIDE_EVERY, n_ranks, GUIDE_EVERY), range(GUIDE_EVERY, n_runs, GUIDE_EVERY)
    behind_ranks = alt.Chart(values({"rank": rank + 0.5} for rank in ranks)).mark_rule(color=RULE, aria=False)
    below_runs = alt.Chart(values({"below": run * row_height} for run in runs)).mark_rule(color=RULE, aria=False)
    return behind_ranks.encode(x=alt.X("rank:Q")), below_runs.encode(y=down("below"))


def _cells(board: BoardStability) -> alt.Chart:
    n_ranks = board.mass.shape[1]
    shown = [rank for rank in range(1, n_ranks + 1) if rank == 1 or rank % (1 if n_ranks <= 20 else GUIDE_EVERY) == 0]
    axis = alt.Axis(title="rank in the sample", orient="top", values=shown, format="d", domain=False, ticks=False)
    legend = alt.Legend(title="share of samples", titleFontWeight="normal", titleColor=INK_3, symbolType="square")
    return (
        alt.Chart(values(_spans(board)))
        .mark_rect(stroke=RAMP[0], strokeWidth=0.75, aria=False)
        .encode(
            x=alt.X("from:Q", scale=alt.Scale(domain=[0.5, n_ranks + 0.5], zero=False, nice=False), axis=axis),
            x2=alt.X2("to:Q"),
            y=alt.Y("run:N", sort=list(board.runs), title=None),
            color=alt.Color("step:N", scale=alt.Scale(domain=list(STEP_NAMES), range=list(RAMP)), legend=legend),
            tooltip=[alt.Tooltip("run:N"), alt.Tooltip("rank:N"), alt.Tooltip("share:N")],
        )
    )


def _spans(board: BoardStability) -> Iterator[dict[str, object]]:
    are_apart = board.mass.shape[1] <= MOST_CELLS_APART
    for run, shares in zip(board.runs, board.mass.tolist(), strict=True):
        looks = [(step_of(share), rank if are_apart else 0) for rank, share in enumerate(shares)]
        for start, end, (step, _) in spans_of(looks):
            if step:
                yield {
                    "run": run,
                    "from": start + 0.5,
                    "to": end + 0.5,
                    "rank": str(end) if end == start + 1 else f"{start + 1}–{end}",
                    "share": print_share(shares[start]) if end == start + 1 else STEP_NAMES[step],
                    "step": STEP_NAMES[step],
                }


def _expected(board: BoardStability, width: int, row_height: int) -> tuple[alt.Chart, alt.Chart]:
    """The expected ranks in a column at the right, and what they are."""
    ranks = ((show_number(rank, 1), row_height * (row + 0.5)) for row, rank in enumerate(board.expected_ranks.tolist()))
    return heading("expected", "rank", x=width + 52), column(ranks, x=width + 52, color=INK_3)


def _frame(board: BoardStability, row_height: int) -> alt.Chart:
    """Around the rows of the runs that may be best; rows that do not touch get a frame each."""
    is_framed = np.concatenate([[False], board.is_among_best, [False]])
    edges = (np.flatnonzero(np.diff(is_framed)) * row_height).reshape(-1, 2).tolist()
    return (
        alt.Chart(values({"above": above, "below": below} for above, below in edges))
        .mark_rect(filled=False, stroke=TOP, strokeWidth=1.5, aria=False)
        .encode(
            x=fixed(alt.XValue, 0),
            x2=fixed(alt.X2Value, "width"),
            y=down("above"),
            y2=alt.Y2("below:Q"),
        )
    )
