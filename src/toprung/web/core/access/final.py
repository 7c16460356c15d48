"""What if a board's standings are final? Then nothing that they are made of changes, and whoever tries is told why."""

from __future__ import annotations

from toprung.errors import InputError
from toprung.web.core.models.boards import Board


def why_final(board: Board) -> str:
    """Empty where the standings may still change."""
    if board.final_since is None:
        return ""
    return (
        f"Found a board that is closed, its standings final since {board.final_since:%Y-%m-%d}; expected one that is "
        "open: nothing changes them any more."
    )


def say_not_open(board: Board) -> str:
    """Why a board takes no submissions: it is closed, or not open yet."""
    if board.is_closed and board.closes_at is not None:
        return f"Found a board that is closed since {board.closes_at:%Y-%m-%d}; expected one that takes submissions."
    if board.is_ahead:
        return f"Found a board that opens on {board.opens_at:%Y-%m-%d %H:%M} UTC; it takes no submissions before."
    return "Found a board that takes no submissions now; its page says why."


def require_open_standings(board: Board) -> None:
    if said := why_final(board):
        raise InputError(said)
