"""Do the first runs keep their ranks when queries are drawn anew? Their shares in figures, as a table one can see.

After tables 1 and 2 of Craswell et al. 2021.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt
import numpy as np

from toprung.analyses.stability.board import BoardStability
from toprung.analyses.stability.find import Stability
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.share_steps import colour_of, ink_on, print_share
from toprung.report.charts.side_texts import axis_room, column, heading
from toprung.report.charts.tokens import INK
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
SEAMS = alt.Scale(paddingInner=0.04, paddingOuter=0)
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST_NAMED, LEAST_NAMED = 3, 0.05
"""Of the runs that come first: how many the finding names, and from which share on."""


def draw(result: Stability) -> Figure:
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
        chart=_table(board, runs, n_ranks=min(max(result.top, len(runs), 1) + 1, MOST_SHOWN + 1, len(board.runs))),
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


def _table(board: BoardStability, runs: Sequence[str], *, n_ranks: int) -> alt.LayerChart:
    ranks = [_ordinal(rank) for rank in range(1, n_ranks + 1)]
    heads = alt.Axis(title=None, orient="top", labelAngle=0, domain=False, ticks=False)
    run = alt.Y("run:N", sort=list(runs), scale=SEAMS)
    cells = alt.Chart(values(_cells(board, runs, ranks))).encode(x=alt.X("rank:N", sort=ranks, axis=heads, scale=SEAMS))
    shares = cells.mark_rect(aria=False).encode(
        y=run.axis(title=None, labelColor=INK, labelFontSize=12), color=alt.Color("colour:N", scale=None)
    )
    figures = cells.mark_text(fontSize=11.5, aria=False).encode(
        y=run.axis(None), text=alt.Text("share:N"), color=alt.Color("ink:N", scale=None)
    )
    width = CELL_WIDTH * n_ranks
    return (
        alt.layer(shares, figures, axis_room(runs), *_figures(board, runs, width))
        .resolve_scale(y="independent")
        .properties(width=width, height=CELL_HEIGHT * len(runs))
    )


def _cells(board: BoardStability, runs: Sequence[str], ranks: Sequence[str]) -> Iterator[dict[str, str]]:
    for run in runs:
        for rank, share in zip(ranks, board.mass[board.row(run)].tolist(), strict=False):
            yield {
                "run": run,
                "rank": rank,
                "share": print_share(share),
                "colour": colour_of(share),
                "ink": ink_on(share),
            }


def _figures(board: BoardStability, runs: Sequence[str], width: int) -> Iterator[alt.Chart]:
    """What stands behind the cells: a heading, and a figure for each run."""
    found = board.intervals
    rows = [board.row(run) for run in runs]
    columns = (
        (("expected", "rank"), [show_number(float(board.expected_ranks[row]), 1) for row in rows]),
        (("ranks", "seen"), [show_rank_range(*board.ranks_seen(row)) for row in rows]),
        (
            (show_confidence(found.confidence), "interval"),
            [show_rank_range(int(found.low[row]), int(found.high[row])) for row in rows],
        ),
    )
    for place, (lines, figures) in enumerate(columns, start=1):
        right = width + FIGURE_WIDTH * place
        yield heading(*lines, x=right)
        yield column(((figure, CELL_HEIGHT * (row + 0.5)) for row, figure in enumerate(figures)), x=right)


def _ordinal(rank: int) -> str:
    """Up to twenty.

    >>> [_ordinal(rank) for rank in (1, 2, 3, 4, 11)]
    ['1st', '2nd', '3rd', '4th', '11th']
    """
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"
