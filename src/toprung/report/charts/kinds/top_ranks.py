"""Do the first runs keep their ranks when queries are drawn anew? Their shares in figures, as a table one can see.

After tables 1 and 2 of Craswell et al. 2021.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from toprung.analyses.stability.board import BoardStability
from toprung.analyses.stability.find import Stability
from toprung.report.charts.figure import Figure
from toprung.report.charts.share_steps import colour_of, ink_on, print_share
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.setting import PLAIN, ChartSetting
from toprung.report.charts.tokens import INK, INK_3
from toprung.words.wording import (
    list_names,
    say_count,
    say_queries,
    show_confidence,
    show_number,
    show_rank_range,
    show_share,
)

MOST_SHOWN = 10
CELL_WIDTH, CELL_HEIGHT = 58, 30
FIGURE_WIDTH = 66
"""Of each column of figures behind the cells."""
SEAM = 2
"""Points between two cells."""
NAME_LIMIT = 420
NARROW_NAME, LEAST_CELL = 18, 50
"""Of a small screen: the line of a name over its cells, and the narrowest of them that holds a share."""
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST_NAMED, LEAST_NAMED = 3, 0.05
"""Of the runs that come first: how many the finding names, and from which share on."""


def draw(result: Stability, setting: ChartSetting = PLAIN) -> Figure:
    """The first runs of the first condition, or of an only one those that were asked for."""
    board = result.boards[0]
    asked = [run for run in board.runs if run in result.followed] if len(result.boards) == 1 else []
    runs = (asked or list(board.runs[: result.top]))[:MOST_SHOWN]
    title = "Runs followed" if asked else f"The first {NUMBERS[len(runs)]}"
    return Figure(
        kind="top-ranks",
        title=f"{title}, {board.name}" if board.name else title,
        finding=_say_who_comes_first(board, result.trials),
        caption=(
            f"How often a run takes a rank by {board.measure} in {say_count(result.trials, 'bootstrap sample')} of "
            f"{say_queries(board.n_queries)}: 0 is never. Expected: the mean of its ranks; seen: from its best to its "
            "worst. Shares are not a confidence interval; the one at the right holds for all runs at once."
        ),
        drawing=_draw_table(
            board, runs, setting, n_ranks=min(max(result.top, len(runs), 1) + 1, MOST_SHOWN + 1, len(board.runs))
        ),
    )


def _say_who_comes_first(board: BoardStability, trials: int) -> str:
    shares = board.mass[:, 0]
    often = np.argsort(-shares, kind="stable")[:MOST_NAMED].tolist()
    named = [row for row in often if row == often[0] or shares[row] >= LEAST_NAMED]
    has_majority = shares[often[0]] > 0.5
    verbs = [" comes first" if has_majority and row == often[0] else "" for row in named]
    told = list_names(
        [f"{board.runs[row]}{verb} in {show_share(shares[row])}" for row, verb in zip(named, verbs, strict=True)]
    )
    samples = say_count(trials, "bootstrap sample")
    return f"Of {samples}, {told}." if has_majority else f"No run comes first in more than half of {samples}: {told}."


def _draw_table(board: BoardStability, runs: Sequence[str], setting: ChartSetting, *, n_ranks: int) -> Drawing:
    """Cells for each run and rank; on a small screen names stand over them, and as many ranks as have room."""
    above = NARROW_NAME if setting.is_narrow else 0
    if setting.is_narrow:
        n_ranks = min(n_ranks, int(setting.fit(CELL_WIDTH * n_ranks) / LEAST_CELL))
    width = setting.fit(CELL_WIDTH * n_ranks)
    row_height = CELL_HEIGHT + above
    drawing = Drawing(width=width, height=row_height * len(runs), setting=setting)
    cell = width / n_ranks
    for rank in range(n_ranks):
        drawing.text(_ordinal(rank + 1), cell * (rank + 0.5), -12, align="center", colour=INK_3)
    for row, run in enumerate(runs):
        top = row_height * row + above
        for rank, share in enumerate(board.mass[board.row(run)].tolist()[:n_ranks]):
            facts = {"run": setting.name_of(run), "rank": str(rank + 1), "share": print_share(share)}
            left, bottom = cell * rank, top + CELL_HEIGHT - SEAM
            drawing.rect(left, top, left + cell - SEAM, bottom, fill=colour_of(share), facts=facts)
            drawing.text(print_share(share), left + cell / 2, (top + bottom) / 2, align="center", colour=ink_on(share))
    _draw_figures(drawing, board, runs)
    return drawing


def _draw_figures(drawing: Drawing, board: BoardStability, runs: Sequence[str]) -> None:
    """Names, and what stands behind the cells: a heading, and a figure for each run."""
    if drawing.setting.is_narrow:
        rows = ((run, (CELL_HEIGHT + NARROW_NAME) * row + 8) for row, run in enumerate(runs))
        drawing.names(rows, x=0, align="left", size=12, colour=INK, limit=drawing.width)
        return
    middles = [CELL_HEIGHT * (row + 0.5) for row in range(len(runs))]
    drawing.names(zip(runs, middles, strict=True), x=-8, size=12, colour=INK, limit=NAME_LIMIT)
    found = board.intervals
    rows_of = [board.row(run) for run in runs]
    columns = (
        (("expected", "rank"), [show_number(float(board.expected_ranks[row]), 1) for row in rows_of]),
        (("ranks", "seen"), [show_rank_range(*board.ranks_seen(row)) for row in rows_of]),
        (
            (show_confidence(found.confidence), "interval"),
            [show_rank_range(int(found.low[row]), int(found.high[row])) for row in rows_of],
        ),
    )
    for place, (lines, figures) in enumerate(columns, start=1):
        right = drawing.width + FIGURE_WIDTH * place
        drawing.heading(*lines, x=right)
        drawing.column(zip(figures, middles, strict=True), x=right)


def _ordinal(rank: int) -> str:
    """Up to twenty.

    >>> [_ordinal(rank) for rank in (1, 2, 3, 4, 11)]
    ['1st', '2nd', '3rd', '4th', '11th']
    """
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"
