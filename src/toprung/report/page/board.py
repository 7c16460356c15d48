"""How does a leaderboard stand in a page? Rows by score, shaded where a run may be best, with bars drawn in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.row import BoardRow, Status
from toprung.report.page.bars import Axis, draw_axis, write_legend
from toprung.report.page.board_cells import RowContext, interval_of, row_class, write_cell
from toprung.report.page.board_head import HeadColumn, write_head
from toprung.report.page.tables import MOST_ROWS, SPARED, fold_control, say_left_out, scrolled
from toprung.report.page.words import words

SHOWN_RUNS = 15
"""Before the fold."""


def places_of_runs(board: Leaderboard) -> dict[str, str]:
    """By run, what its row is called in the page; rows that are left out have no place."""
    return {row.run: f"run-{number}" for number, row in enumerate(board.rows[:MOST_ROWS], start=1)}


def write_board(board: Leaderboard) -> str:
    """The board with its legend; on a small screen the stylesheet turns its rows into cards."""
    columns = _known_columns(board)
    first = board.reference
    axis = Axis.of([interval_of(row) for row in board.rows], top=interval_of(first), confidence=board.confidence)
    place = RowContext(reference=first.run, axis=axis, places=places_of_runs(board))
    shown, kept = _count_shown(board), min(len(board.rows), MOST_ROWS)
    table = (
        f'<table class="board" role="table" data-run-columns="{columns.index(HeadColumn.RUN)}">'
        f'<caption class="vh">{words(f"Runs by {board.measure}; shaded: may be best")}</caption>'
        f"{write_head(board, columns, draw_axis(axis))}{''.join(_write_bodies(board, shown, columns, place))}</table>"
    )
    legend = write_legend() if HeadColumn.OUTCOMES in columns else ""
    folded = fold_control(kept - shown, "run", _say_folded(board, shown, kept)) if shown < kept else ""
    left_out = say_left_out(len(board.rows), "run")
    return f'{legend}<div class="foldable">{scrolled(table, label="Leaderboard")}{folded}{left_out}</div>\n'


def _known_columns(board: Leaderboard) -> tuple[HeadColumn, ...]:
    """Those that say something of at least one run."""
    known = {
        HeadColumn.DATE: any(row.date for row in board.rows),
        HeadColumn.ANSWERED: any(row.answered is not None for row in board.rows),
        HeadColumn.SEARCH_LENGTH: any(row.mean_esl is not None for row in board.rows),
        HeadColumn.OUTCOMES: any(row.outcomes for row in board.rows),
        HeadColumn.STATUS: any(row.status is not Status.NONE for row in board.rows),
    }
    return tuple(column for column in HeadColumn if known.get(column, True))


def _count_shown(board: Leaderboard) -> int:
    """How many rows stand before the fold."""
    return len(board.rows) if len(board.rows) <= SHOWN_RUNS + SPARED else SHOWN_RUNS


def _say_folded(board: Leaderboard, shown: int, kept: int) -> str:
    n_best = sum(row.top_group for row in board.rows[shown:kept])
    return f", {n_best:,} of which may be best" if n_best else ""


def _write_bodies(board: Leaderboard, shown: int, columns: Sequence[HeadColumn], place: RowContext) -> Iterator[str]:
    """One body, and another below the fold."""
    yield _write_body(board.rows[:shown], columns, place, kind="")
    if below := board.rows[shown:MOST_ROWS]:
        yield _write_body(below, columns, place, kind=' class="folded"')


def _write_body(rows: Sequence[BoardRow], columns: Sequence[HeadColumn], place: RowContext, *, kind: str) -> str:
    return f'<tbody role="rowgroup"{kind}>{"".join(_write_row(row, columns, place) for row in rows)}</tbody>\n'


def _write_row(row: BoardRow, columns: Sequence[HeadColumn], place: RowContext) -> str:
    """Under a name of its own, for marks of figures to lead to."""
    cells = "".join(write_cell(row, column, place) for column in columns)
    return f'<tr role="row" id="{place.places[row.run]}"{row_class(row)}>{cells}</tr>\n'
