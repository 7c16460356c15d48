"""Where do chosen runs stand under other conditions: another measure, other queries, other labels?

After figure 4 of Craswell et al. 2021: for each run and condition the ranks it takes when queries are drawn anew, with
the mean of them and the confidence interval of its true rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import altair as alt

from toprung.analyses.stability.board import BoardStability
from toprung.analyses.stability.find import Stability
from toprung.analyses.stability.words import say_run
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.share_steps import STEP_NAMES, step_of
from toprung.report.charts.side_texts import column, down, edge_column, heading
from toprung.report.charts.spans import spans_of
from toprung.report.charts.tokens import INK, INK_2, INK_3, PAPER, RAMP
from toprung.words.wording import list_names, say_count, say_queries, show_confidence, show_number

MOST_DRAWN = 20
HEADING, ROW, GAP, STRIP = 24, 22, 10, 11
"""Points: the name of a run, a row for each condition, the space before the next run, and the strip of its ranks."""
NARROWEST, WIDEST, WIDTH_OF_RANK = 260, 640, 26
NAME_LIMIT = 320


@dataclass(frozen=True, kw_only=True)
class _PositionRow:
    """One run under one condition; ``centre`` is how far down its strip lies."""

    board: BoardStability
    place: int
    centre: float

    @property
    def condition(self) -> str:
        return f"{self.board.name} ({say_queries(self.board.n_queries)})"


def draw(result: Stability) -> Figure | None:
    """The runs followed, each with a strip for every condition; None where there is only one."""
    if len(result.boards) < 2:
        return None
    runs = result.followed[:MOST_DRAWN]
    confidence = show_confidence(result.boards[0].intervals.confidence)
    left_out = f" Drawn: the first {MOST_DRAWN} of {len(result.followed)}." if len(result.followed) > MOST_DRAWN else ""
    return Figure(
        kind="conditions",
        title="Rank positions under other conditions",
        finding=say_run(result.boards, next((run for run in result.runs if run in runs), runs[0])),
        caption=(
            f"For {list_names(list(runs))}: the ranks taken in {say_count(result.trials, 'bootstrap sample')}, the "
            f"darker the oftener. Dot: their mean. Line below: {confidence} interval of the true rank, for all runs of "
            f"a condition at once.{left_out}"
        ),
        chart=_strips(result, runs),
    )


def _strips(result: Stability, runs: tuple[str, ...]) -> alt.LayerChart:
    block = HEADING + ROW * len(result.boards) + GAP
    rows = [
        _PositionRow(board=board, place=board.row(run), centre=block * number + HEADING + ROW * (condition + 0.5))
        for number, run in enumerate(runs)
        for condition, board in enumerate(result.boards)
    ]
    n_runs = len(result.runs)
    width = min(WIDEST, max(NARROWEST, WIDTH_OF_RANK * n_runs))
    names = ((run, block * number + HEADING - 8) for number, run in enumerate(runs))
    conditions = ((row.condition, row.centre) for row in rows)
    drawn = alt.layer(
        _ranks_taken(rows, n_runs),
        *_rank_intervals(rows),
        _expected_ranks(rows),
        column(names, x=0, align="left", color=INK, fontWeight="bold", limit=width),
        *edge_column(conditions, x=-10, limit=NAME_LIMIT),
        *_figures(rows, width),
    )
    return drawn.resolve_scale(y="independent").properties(width=width, height=block * len(runs) - GAP)


def _ranks_taken(rows: list[_PositionRow], n_runs: int) -> alt.Chart:
    shown = [rank for rank in range(1, n_runs + 1) if rank == 1 or rank % (1 if n_runs <= 20 else 5) == 0]
    axis = alt.Axis(title="rank", orient="top", values=shown, format="d", domain=False, ticks=False)
    legend = alt.Legend(title="share of samples", titleFontWeight="normal", titleColor=INK_3, symbolType="square")
    return (
        alt.Chart(values(mark for row in rows for mark in _spans(row)))
        .mark_rect(aria=False)
        .encode(
            x=alt.X("from:Q", scale=alt.Scale(domain=[0.5, n_runs + 0.5], zero=False, nice=False), axis=axis),
            x2=alt.X2("to:Q"),
            y=down("above"),
            y2=alt.Y2("below:Q"),
            color=alt.Color("step:N", scale=alt.Scale(domain=list(STEP_NAMES), range=list(RAMP)), legend=legend),
        )
    )


def _spans(row: _PositionRow) -> Iterator[dict[str, object]]:
    """The strip: neighbouring ranks of one step are one mark."""
    for start, end, step in spans_of(map(step_of, row.board.mass[row.place].tolist())):
        yield {
            "run": row.board.runs[row.place],
            "condition": row.board.name,
            "from": start + 0.5,
            "to": end + 0.5,
            "above": row.centre - STRIP / 2,
            "below": row.centre + STRIP / 2,
            "step": STEP_NAMES[step],
        }


def _rank_intervals(rows: list[_PositionRow]) -> Iterator[alt.Chart]:
    """A line below each strip, with a stop at either end, from the middle of one rank to that of another."""
    found = [
        {
            "run": row.board.runs[row.place],
            "condition": row.board.name,
            "low": int(row.board.intervals.low[row.place]),
            "high": int(row.board.intervals.high[row.place]),
            "down": row.centre + STRIP / 2 + 3,
        }
        for row in rows
    ]
    lines = alt.Chart(values(found)).mark_rule(color=INK_2, strokeWidth=1.5, aria=False)
    stops = alt.Chart(values(found)).mark_tick(color=INK_2, thickness=1.5, size=5, orient="vertical", aria=False)
    yield lines.encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"), y=down("down"))
    yield stops.encode(x=alt.X("low:Q"), y=down("down"))
    yield stops.encode(x=alt.X("high:Q"), y=down("down"))


def _expected_ranks(rows: list[_PositionRow]) -> alt.Chart:
    found = ({"expected": float(row.board.expected_ranks[row.place]), "down": row.centre} for row in rows)
    return (
        alt.Chart(values(found))
        .mark_point(color=INK, size=42, stroke=PAPER, strokeWidth=1.5, aria=False)
        .encode(x=alt.X("expected:Q"), y=down("down"))
    )


def _figures(rows: list[_PositionRow], width: int) -> Iterator[alt.Chart]:
    """The mean rank and the interval of each row, at the right, and what they are."""
    right_of_mean, right_of_interval = width + 64, width + 128
    yield heading("expected", "rank", x=right_of_mean)
    yield column(
        ((show_number(float(row.board.expected_ranks[row.place]), 1), row.centre) for row in rows), x=right_of_mean
    )
    yield heading(show_confidence(rows[0].board.intervals.confidence), "interval", x=right_of_interval)
    yield column(((_show_interval(row), row.centre) for row in rows), x=right_of_interval)


def _show_interval(row: _PositionRow) -> str:
    low, high = int(row.board.intervals.low[row.place]), int(row.board.intervals.high[row.place])
    return str(low) if low == high else f"{low}–{high}"
