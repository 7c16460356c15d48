"""How does a leaderboard stand in a page? Tie groups in frames, with every interval and outcome drawn in its row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.row import BoardGroup, BoardRow, Status
from toprung.report.page.bars import Axis, draw_axis, write_legend
from toprung.report.page.board_cells import RowContext, interval_of, write_cell
from toprung.report.page.board_head import HeadColumn, write_head
from toprung.report.page.tables import MOST_ROWS, SHOWN_ROWS, SPARED, fold_control, say_left_out, scrolled
from toprung.report.page.words import words


def write_board(board: Leaderboard) -> str:
    """The board with its legend; on a small screen the stylesheet turns its rows into cards."""
    columns = _known_columns(board)
    axis = Axis.of([interval_of(row) for row in board.rows], top=interval_of(board.holder), confidence=board.confidence)
    place = RowContext(holder=board.holder.run, axis=axis)
    shown, kept = _count_shown(board), min(len(board.rows), MOST_ROWS)
    table = (
        f'<table class="board" role="table">'
        f'<caption class="vh">{words(f"Runs by {board.measure}, the top group first")}</caption>'
        f"{write_head(board, columns, draw_axis(axis))}{''.join(_write_bodies(board, shown, columns, place))}</table>"
    )
    legend = write_legend() if HeadColumn.OUTCOMES in columns else ""
    folded = fold_control(kept - shown, "run") if shown < kept else ""
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
    """How many rows stand before the fold: all of the top group in any case."""
    least = min(max(SHOWN_ROWS, len(board.groups[0].runs)), MOST_ROWS)
    return len(board.rows) if len(board.rows) <= least + SPARED else least


def _write_bodies(board: Leaderboard, shown: int, columns: Sequence[HeadColumn], place: RowContext) -> Iterator[str]:
    """A body for each group; one that the fold cuts has two."""
    row_of = {row.run: row for row in board.rows[:MOST_ROWS]}
    left = shown
    for number, group in enumerate(board.groups):
        rows = [row_of[run] for run in group.runs if run in row_of]
        frame = "topgroup" if number == 0 else "group"
        above, below = rows[:left], rows[left:]
        left -= len(above)
        if above:
            yield _write_body(above, columns, place, heading=group, kind=frame)
        if below:
            yield _write_body(below, columns, place, heading=None if above else group, kind=f"{frame} folded")


def _write_body(
    rows: Sequence[BoardRow], columns: Sequence[HeadColumn], place: RowContext, *, heading: BoardGroup | None, kind: str
) -> str:
    head = ""
    if heading:
        head = (
            f'<tr role="row" class="grouprow"><th role="rowheader" colspan="{len(columns)}" scope="rowgroup">'
            f"<b>{words(heading.name)}.</b> {words(heading.words)}</th></tr>"
        )
    shown = "".join(
        f'<tr role="row"{_holder_class(row, place)}>'
        f"{''.join(write_cell(row, column, place) for column in columns)}</tr>\n"
        for row in rows
    )
    return f'<tbody role="rowgroup" class="{kind}">{head}{shown}</tbody>\n'


def _holder_class(row: BoardRow, place: RowContext) -> str:
    return ' class="holder"' if row.run == place.holder else ""
