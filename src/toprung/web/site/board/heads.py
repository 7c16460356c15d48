"""What stands above the columns of the leaderboard? Their names, which order it by a link, and help where needed."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from toprung.report.page.bars import draw_axis
from toprung.web.core.store.rows import to_axis
from toprung.web.services.shown.board.columns import BoardColumn, ColumnKind
from toprung.web.services.shown.board.page import BoardPage


@dataclass(frozen=True, kw_only=True)
class Head:
    """Above one column."""

    column: BoardColumn
    address: str
    """Of the same view in the order of this column; empty where it cannot be ordered."""
    aria_sort: str
    """``ascending``, ``descending``, or empty."""
    axis: SafeString

    @property
    def kind(self) -> str:
        """Its class, which is that of its cells."""
        return f"{self.column.kind.value}{' num' if self.column.kind.is_number else ''}"

    @property
    def widths(self) -> tuple[str, ...]:
        """Of its cells: a score has its interval beside it."""
        kind = self.column.kind
        own = "m" if kind.is_figure and kind is not ColumnKind.MEASURE else kind.value
        return (own, "ci") if kind is ColumnKind.SCORE else (own,)


def list_heads(page: BoardPage, *, can_sort: bool) -> list[Head]:
    axis = mark_safe(draw_axis(to_axis(page.content["axis"])))  # noqa: S308 - numbers
    return [_head(column, page, axis, can_sort=can_sort) for column in page.columns]


def _head(column: BoardColumn, page: BoardPage, axis: SafeString, *, can_sort: bool) -> Head:
    usual = page.choices.usual_sort
    now = page.view.sort or usual
    is_now = now.removeprefix("-") == column.key
    wanted = _turned(now) if is_now else column.sort
    return Head(
        column=column,
        address=(page.view.sorted_by(wanted, usual).address or "?") if can_sort else "",
        aria_sort=("descending" if now.startswith("-") else "ascending") if is_now else "",
        axis=axis if column.kind is ColumnKind.SCORE else SafeString(),
    )


def _turned(sort: str) -> str:
    return sort.removeprefix("-") if sort.startswith("-") else f"-{sort}"
