"""What is shown of a tree: a figure, what it counts, and the table of all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

LISTED = 50
"""So many names a cell of the table has at most; JSON has all."""


class Figure(NamedTuple):
    """One figure of a tree, and the things that it counts where they have names."""

    name: str
    value: int | float
    which: tuple[str, ...] = ()


def to_markdown(figures: Iterable[Figure]) -> str:
    rows = [f"| {figure.name} | {figure.value:,} | {_cell(figure.which)} |" for figure in figures]
    return "\n".join(["| figure | value | which |", "|---|---|---|", *rows])


def to_dict(figures: Iterable[Figure]) -> dict[str, dict[str, object]]:
    return {figure.name: {"value": figure.value, "which": list(figure.which)} for figure in figures}


def _cell(which: tuple[str, ...]) -> str:
    more = (f"and {len(which) - LISTED} more",) if len(which) > LISTED else ()
    return "; ".join((*which[:LISTED], *more)).replace("|", "\\|")
