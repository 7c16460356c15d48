"""How is a board shown as a table? One row a run, in order of score; columns that nothing is known for are left out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args

from toprung.boards.row import MAY_BE_BEST, BoardRow, OutcomeShares, field_types
from toprung.result import Column, Table
from toprung.words.wording import show_confidence, show_interval, show_number, show_rank_range, show_share

if TYPE_CHECKING:
    from toprung.analyses.leaderboard.find import Leaderboard


def board_table(board: Leaderboard) -> Table:
    """The board as text."""
    columns = [
        ("place", True, [str(row.place) for row in board.rows]),
        ("rank", True, [show_ranks(row) for row in board.rows]),
        (MAY_BE_BEST, False, ["yes" if row.top_group else "" for row in board.rows]),
        ("run", False, [row.run for row in board.rows]),
        ("team", False, [row.team for row in board.rows]),
        ("date", False, [f"{row.date:%Y-%m-%d}" if row.date else "" for row in board.rows]),
        (board.measure, True, [show_number(row.score, 4) for row in board.rows]),
        (
            show_confidence(board.confidence),
            True,
            [show_interval(row.score_low, row.score_high, 4) for row in board.rows],
        ),
        ("answered", True, ["" if row.answered is None else show_share(row.answered) for row in board.rows]),
        ("ESL", True, [_show_esl(row) for row in board.rows]),
        ("better on", True, ["" if row.outcomes is None else show_share(row.outcomes.wins) for row in board.rows]),
        ("worse on", True, ["" if row.outcomes is None else show_share(row.outcomes.losses) for row in board.rows]),
        ("status", False, [row.status.value for row in board.rows]),
    ]
    shown = [column for column in columns if any(column[2])]
    return Table(
        header=tuple(name for name, _, _ in shown),
        rows=tuple(zip(*(cells for _, _, cells in shown), strict=True)),
        numeric=frozenset(place for place, (_, is_numeric, _) in enumerate(shown) if is_numeric),
    )


def show_ranks(row: BoardRow) -> str:
    """The ranks a run may have, "1–4", or the one it has."""
    return show_rank_range(row.rank_low, row.rank_high)


def _show_esl(row: BoardRow) -> str:
    if row.answered is None:
        return ""
    return show_number(math.nan if row.mean_esl is None else row.mean_esl, 2)


def frame_columns() -> Iterator[Column]:
    """The fields of a row one by one; tags in one cell, and the shares of outcomes at the end."""
    for name, of in field_types(BoardRow).items():
        if name == "tags":
            yield Column(name, str, lambda row: "; ".join(row.tags))
        elif name != "outcomes":
            yield Column(name, _plain_type(of))
    for each in fields(OutcomeShares):
        yield Column(f"share_{each.name}", float, f"outcomes.{each.name}")


def _plain_type(of: Any) -> type[Any]:
    """What a column holds, whether or not it may be empty; a status is told in its words."""
    (held,) = (each for each in get_args(of) or (of,) if each is not NoneType)
    held = getattr(held, "__value__", held)  # of a name for a type
    return str if issubclass(held, str) else held
