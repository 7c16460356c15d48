"""Who may be best, at a glance? The figure of a report's first screen: the highest scores with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.analyses.leaderboard.tables import show_ranks
from toprung.boards.row import BoardRow
from toprung.report.page.bars import Axis, draw_axis, draw_interval
from toprung.report.page.board_cells import SCORE_DECIMALS, interval_of, row_class
from toprung.report.page.words import words
from toprung.words.wording import say_count, show_confidence, show_number

MOST_ROWS = 8
"""That leave room for the rest of the first screen."""
LEAST_ROWS = 5
"""So that one sees what those that may be best are better than."""


def write_top_figure(board: Leaderboard) -> str:
    """The runs that may be best, as many as fit, on an axis as wide as the page leaves."""
    rows = choose_rows(board)
    axis = Axis.of([interval_of(row) for row in rows], top=interval_of(board.reference), confidence=board.confidence)
    heads = (
        '<th scope="col">Rank</th>',
        '<th scope="col">Run</th>',
        f'<th scope="col" class="num">{words(board.measure)}</th>',
        f'<th scope="col" class="ci"><span class="vh">{show_confidence(board.confidence)} interval</span>'
        f"{draw_axis(axis)}</th>",
    )
    body = "".join(_write_row(row, axis) for row in rows)
    return (
        '<figure class="top-figure"><table><caption class="vh">The highest scores with their intervals</caption>'
        f"<thead><tr>{''.join(heads)}</tr></thead><tbody>{body}</tbody></table>"
        f"<figcaption>{words(_say_figure(board, rows))}</figcaption></figure>\n"
    )


def choose_rows(board: Leaderboard) -> Sequence[BoardRow]:
    """Those that may be best, by score; where they are few, the next highest scores too."""
    best = [row for row in board.rows if row.top_group][:MOST_ROWS]
    others = [row for row in board.rows if not row.top_group][: max(0, LEAST_ROWS - len(best))]
    chosen = {row.run for row in (*best, *others)}
    return [row for row in board.rows if row.run in chosen]


def _write_row(row: BoardRow, axis: Axis) -> str:
    drawn = draw_interval(interval_of(row), axis, is_top=row.top_group, decimals=SCORE_DECIMALS)
    return (
        f"<tr{row_class(row)}><td>{show_ranks(row)}</td>"
        f'<th scope="row">{words(row.run)}</th><td class="num">{show_number(row.score, SCORE_DECIMALS)}</td>'
        f'<td class="ci">{drawn}</td></tr>\n'
    )


def _say_figure(board: Leaderboard, rows: Sequence[BoardRow]) -> str:
    n_best, n_drawn = len(board.top_group), sum(row.top_group for row in rows)
    first = f", of which the first {n_drawn} by score" if n_drawn < n_best else ""
    next_best = "; below them the next highest scores" if len(rows) > n_drawn else ""
    return (
        f"Shaded: may be best, {n_best:,} of {say_count(len(board.rows), 'run')}{first}{next_best}. The bar is the "
        f"{show_confidence(board.confidence)} interval of a score by itself, the dashed line the highest score; ranks "
        "are those that these queries cannot rule out."
    )
