"""How often does each run take each rank when queries are drawn anew? One row a run, one column a rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toprung.analyses.stability.board import BoardStability
from toprung.analyses.stability.find import Stability
from toprung.analyses.stability.words import say_stability
from toprung.report.charts.figure import Figure
from toprung.report.charts.share_steps import STEP_NAMES, print_share, step_of
from toprung.report.charts.spans import spans_of
from toprung.report.charts.svg.axes import draw_top_axis
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.marks import Align
from toprung.report.charts.svg.scales import AxisScale, Tick
from toprung.report.charts.svg.setting import PLAIN, ChartSetting
from toprung.report.charts.tokens import INK_2, INK_3, RAMP, RULE, TOP
from toprung.words.wording import show_number

WIDEST_CELL, NARROWEST_CELL, GRID_WIDTH = 64, 7, 800
LOWEST_ROW, HIGHEST_ROW = 15, 26
"""Points: a row must hold the name of its run."""
MOST_CELLS_APART = 40
"""Runs up to which every cell is a mark that tells its share; beyond, neighbours of one step are drawn as one."""
GUIDE_EVERY = 5
MOST_DRAWN = 60
"""Runs, from the top: more rows cannot be read."""
NAME_LIMIT = 420
NARROW_NAME, NARROW_CELL = 16, 14
"""Of a small screen: the line of the name over a row, and the height of its cells."""


def draw(result: Stability, setting: ChartSetting = PLAIN) -> Figure:
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
        drawing=draw_grid(rows_of(board), setting),
    )


@dataclass(frozen=True, kw_only=True)
class RankRow:
    """A run with the share of samples in which it takes each rank, from the first on."""

    run: str
    shares: Sequence[float]
    expected: float
    is_among_best: bool


def rows_of(board: BoardStability) -> list[RankRow]:
    """Those that are drawn."""
    shown = board.first(MOST_DRAWN)
    columns = shown.runs, shown.mass.tolist(), shown.expected_ranks.tolist(), shown.is_among_best.tolist()
    return [
        RankRow(run=run, shares=shares, expected=expected, is_among_best=is_among_best)
        for run, shares, expected, is_among_best in zip(*columns, strict=True)
    ]


def draw_grid(rows: Sequence[RankRow], setting: ChartSetting) -> Drawing:
    return _RankGrid(rows, setting).draw()


def _say_frame(board: BoardStability) -> str:
    best = "best" if board.tau == 1 else f"among the best {board.tau}"
    return f"The frame holds the runs that may be {best}."


def _say_left_out(whole: BoardStability, drawn: BoardStability) -> str:
    n_runs, n_drawn = len(whole.runs), len(drawn.runs)
    return f" The first {n_drawn:,} of {n_runs:,} runs are drawn." if n_drawn < n_runs else ""


class _RankGrid:
    """Rows and columns in points; on a small screen a name stands over its row."""

    def __init__(self, rows: Sequence[RankRow], setting: ChartSetting) -> None:
        self.rows = rows
        self.n_runs, self.n_ranks = len(rows), len(rows[0].shares)
        self.is_narrow = setting.is_narrow
        usual = max(NARROWEST_CELL, min(WIDEST_CELL, GRID_WIDTH // self.n_ranks))
        self.width = setting.fit(usual * self.n_ranks) if self.is_narrow else usual * self.n_ranks
        usual_row = max(LOWEST_ROW, min(HIGHEST_ROW, usual))
        self.above = NARROW_NAME if self.is_narrow else 0
        self.row_height = NARROW_NAME + NARROW_CELL if self.is_narrow else usual_row
        self.x = AxisScale(low=0.5, high=self.n_ranks + 0.5, start=0, end=self.width)
        self.drawing = Drawing(width=self.width, height=self.row_height * self.n_runs, setting=setting)

    def draw(self) -> Drawing:
        self._draw_panel()
        shown = range(1, self.n_ranks + 1)
        every = 1 if self.n_ranks <= 20 else GUIDE_EVERY
        ticks = [Tick(rank, str(rank)) for rank in shown if rank == 1 or rank % every == 0]
        draw_top_axis(self.drawing, self.x, ticks, title="rank in the sample", has_grid=False)
        for row in range(self.n_runs):
            self._draw_cells(row)
        self._draw_frames()
        self._draw_texts()
        entries = (Entry(name, fill=colour) for name, colour in zip(STEP_NAMES, RAMP, strict=True))
        self.drawing.explain(entries, title="share of samples")
        return self.drawing

    def _draw_panel(self) -> None:
        """What lies under the cells, no share at all; where there are many, hairlines after every fifth."""
        for row in range(self.n_runs) if self.is_narrow else ():
            self.drawing.rect(0, self._top(row), self.width, self._top(row) + NARROW_CELL, fill=RAMP[0])
        if self.is_narrow:
            return
        self.drawing.rect(0, 0, self.width, self.drawing.height, fill=RAMP[0])
        if self.n_runs <= 2 * GUIDE_EVERY:
            return
        for rank in range(GUIDE_EVERY, self.n_ranks, GUIDE_EVERY):
            x = self.x(rank + 0.5)
            self.drawing.rule((x, 0), (x, self.drawing.height), stroke=RULE)
        for run in range(GUIDE_EVERY, self.n_runs, GUIDE_EVERY):
            self.drawing.rule((0, run * self.row_height), (self.width, run * self.row_height), stroke=RULE)

    def _top(self, row: int) -> float:
        return self.row_height * row + self.above

    def _draw_cells(self, row: int) -> None:
        """Few ranks each; of many, neighbours of one step together."""
        run, shares = self.drawing.setting.name_of(self.rows[row].run), self.rows[row].shares
        are_apart = self.n_ranks <= MOST_CELLS_APART
        looks = [(step_of(share), rank if are_apart else 0) for rank, share in enumerate(shares)]
        for start, end, (step, _) in spans_of(looks):
            if step:
                is_one = end == start + 1
                facts = {
                    "run": run,
                    "rank": str(end) if is_one else f"{start + 1}–{end}",
                    "share": print_share(shares[start]) if is_one else STEP_NAMES[step],
                }
                left, right, top = self.x(start + 0.5), self.x(end + 0.5), self._top(row)
                bottom = self.row_height * (row + 1)
                self.drawing.rect(left, top, right, bottom, fill=RAMP[step], stroke=RAMP[0], width=0.75, facts=facts)

    def _draw_frames(self) -> None:
        """Around the rows of the runs that may be best; rows that do not touch get a frame each."""
        is_framed = np.array([False, *(row.is_among_best for row in self.rows), False])
        edges = (np.flatnonzero(np.diff(is_framed)) * self.row_height).reshape(-1, 2).tolist()
        for above, below in edges:
            self.drawing.rect(0, above, self.width, below, stroke=TOP, width=1.5)

    def _draw_texts(self) -> None:
        """Names, and at the right the expected ranks."""
        if self.is_narrow:
            middles = [self.row_height * row + NARROW_NAME / 2 for row in range(self.n_runs)]
            names_at, ranks_at = 4.0, self.width - 4
        else:
            middles = [self.row_height * (row + 0.5) for row in range(self.n_runs)]
            names_at, ranks_at = -6.0, self.width + 60
            self.drawing.heading("expected", "rank", x=ranks_at)
        align: Align = "left" if self.is_narrow else "right"
        limit = self.width - 100 if self.is_narrow else NAME_LIMIT
        rows = zip((row.run for row in self.rows), middles, strict=True)
        self.drawing.names(rows, x=names_at, align=align, limit=limit, colour=INK_2)
        ranks = (self._say_rank(row.expected) for row in self.rows)
        self.drawing.column(zip(ranks, middles, strict=True), x=ranks_at, colour=INK_3)

    def _say_rank(self, rank: float) -> str:
        shown = show_number(rank, 1)
        return f"expected {shown}" if self.is_narrow else shown
