"""What does a table of ranks under bootstrapping show? One board, several conditions, or the published shape."""

from __future__ import annotations

from collections.abc import Sequence

from toprung.analyses.stability.board import BoardStability
from toprung.analyses.stability.words import say_top
from toprung.result import Table
from toprung.words.wording import show_confidence, show_number, show_rank_range, show_share


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


def rest_tables(boards: Sequence[BoardStability], followed: Sequence[str], *, top: int) -> tuple[Table, ...]:
    """What the published tables leave out of their runs: scores, expected ranks and intervals."""
    if len(boards) > 1:
        return (_without_shares(conditions_table(boards, followed, top=top), first=5, top=top),)
    table = board_table(boards[0], followed or boards[0].runs[:top], top=top)
    return (_without_shares(table, first=4, top=top),)


def _without_shares(table: Table, *, first: int, top: int) -> Table:
    """The table without its columns of ranks, of which there are ``top``."""
    kept = [column for column in range(len(table.header)) if not first <= column < first + top]
    return Table(
        header=tuple(table.header[column] for column in kept),
        rows=tuple(tuple(row[column] for column in kept) for row in table.rows),
        numeric=frozenset(place for place, column in enumerate(kept) if column in table.numeric),
    )


def _figure_names(board: BoardStability, *, top: int) -> tuple[str, ...]:
    interval = f"{show_confidence(board.intervals.confidence)} interval"
    return ("expected", *(f"rank {rank}" for rank in range(1, top + 1)), interval, say_top(board.tau))


def _figures(board: BoardStability, row: int, *, top: int) -> tuple[str, ...]:
    low, high = int(board.intervals.low[row]), int(board.intervals.high[row])
    return (
        show_number(float(board.scores[row]), board.score_decimals),
        show_number(float(board.expected_ranks[row]), 2),
        *(_percent(share) for share in board.mass[row, :top].tolist()),
        show_rank_range(low, high),
        "yes" if board.is_among_best[row] else "",
    )


def _percent(share: float) -> str:
    """As published: 0% is never, 0.0% is hardly ever."""
    return show_share(share) if share else "0%"
