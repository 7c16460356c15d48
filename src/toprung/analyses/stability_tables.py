"""What does a table of ranks under bootstrapping show? One board, several conditions, or the published shape."""

from __future__ import annotations

from collections.abc import Sequence

from toprung.analyses.stability_board import BoardStability
from toprung.analyses.stability_words import say_top
from toprung.result import Table
from toprung.wording import show_number, show_share


def board_table(board: BoardStability, followed: Sequence[str], *, top: int) -> Table:
    """One row a run, the best score first; only the runs followed, if any are."""
    rows = tuple(
        (str(int(board.places[row])), board.runs[row], *_figures(board, row, top=top))
        for row in range(len(board.runs))
        if not followed or board.runs[row] in followed
    )
    header = ("place", "run", board.measure, *_figure_names(board, top=top))
    return Table(header=header, rows=rows, numeric=frozenset({0, *range(2, 4 + top)}))


def conditions_table(boards: Sequence[BoardStability], followed: Sequence[str], *, top: int) -> Table:
    """One row for each condition and run followed."""
    rows = tuple(
        (board.name, run, str(int(board.places[board.row(run)])), *_figures(board, board.row(run), top=top)[:-1])
        for board in boards
        for run in followed
    )
    header = ("condition", "run", "place", "score", *_figure_names(boards[0], top=top)[:-1])
    return Table(header=header, rows=rows, numeric=frozenset(range(2, 5 + top)))


def published_table(board: BoardStability, followed: Sequence[str], *, top: int) -> Table:
    """As tables 1 and 2 of Craswell et al. 2021: the first runs, and how often each takes each of the first ranks."""
    runs = [run for run in board.runs if run in followed] if followed else board.runs[:top]
    rows = tuple((run, *(_percent(share) for share in board.mass[board.row(run), :top].tolist())) for run in runs)
    title = f"Leaderboard run ({board.name})" if board.name else "Leaderboard run"
    return Table(header=(title, *map(str, range(1, top + 1))), rows=rows, numeric=frozenset(range(1, top + 1)))


def _figure_names(board: BoardStability, *, top: int) -> tuple[str, ...]:
    interval = f"{100 * board.intervals.confidence:g}% interval"
    return ("expected", *(f"rank {rank}" for rank in range(1, top + 1)), interval, say_top(board.intervals.tau))


def _figures(board: BoardStability, row: int, *, top: int) -> tuple[str, ...]:
    low, high = int(board.intervals.low[row]), int(board.intervals.high[row])
    return (
        show_number(float(board.scores[row]), 4),
        show_number(float(board.expected_ranks[row]), 2),
        *(_percent(share) for share in board.mass[row, :top].tolist()),
        str(low) if low == high else f"{low}–{high}",
        "yes" if board.intervals.may_be_top[row] else "",
    )


def _percent(share: float) -> str:
    """As published: 0% is never, 0.0% is hardly ever."""
    return show_share(share) if share else "0%"
