"""What stands in each cell of a leaderboard? Words, numbers, and the bars that go with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toprung.analyses.leaderboard.tables import show_ranks
from toprung.boards.row import BoardRow, Status
from toprung.report.page.bars import Axis, Interval, draw_interval, draw_outcomes
from toprung.report.page.board_head import HeadColumn
from toprung.report.page.words import words
from toprung.words.wording import show_number, show_share

MARKS = {
    Status.HOLDER: '<circle class="top" cx="5.5" cy="5.5" r="5"/>',
    Status.FIRST: '<circle class="ink" cx="5.5" cy="5.5" r="4.5"/>',
    Status.NOT_SUPPORTED: '<circle class="hollow" cx="5.5" cy="5.5" r="4.5"/>',
    Status.VOIDED: '<circle class="hollow" cx="5.5" cy="5.5" r="4.5"/><path class="s-ink" d="M1.5 9.5l8-8"/>',
    Status.TIED: (
        '<path class="s-top thick" d="M.8 4.3c1.6-2 3.1-2 4.7-.6s3.1 1.4 4.7-.6'
        'M.8 8.4c1.6-2 3.1-2 4.7-.6s3.1 1.4 4.7-.6"/>'
    ),
    Status.CONFLICT: (
        '<path class="s-ink thick" d="M3.3 10V1.5M1 3.8l2.3-2.3 2.3 2.3M7.7 1v8.5M5.4 7.2l2.3 2.3L10 7.2"/>'
    ),
    Status.HELD: '<circle class="top" cx="5.5" cy="5.5" r="3"/>',
    Status.BASELINE: '<path class="s-ink thick dashes" d="M0 5.5h11"/>',
}
"""Status is a mark and words: ● holds, ○ not supported, ⊘ voided, ≈ tied, ⇅ better in one way, small ● held once,
┄ baseline.
"""


@dataclass(frozen=True, kw_only=True)
class RowContext:
    """Where a row stands: who is first, and on which axis intervals are drawn."""

    holder: str
    axis: Axis


def write_cell(row: BoardRow, column: HeadColumn, place: RowContext) -> str:
    """One cell, as markup."""
    kind = f"{column.value} num" if column.is_number else column.value
    return f'<td role="cell" class="{kind}">{WRITERS[column](row, place)}</td>'


def interval_of(row: BoardRow) -> Interval:
    return Interval(value=row.score, low=row.score_low, high=row.score_high)


def _write_run(row: BoardRow, _: RowContext) -> str:
    tags = "".join(f'<span class="tagname">{words(tag)}</span>' for tag in row.tags)
    day = f'<span class="day">{row.date:%Y-%m-%d}</span>' if row.date else ""
    team = f"<span>{words(row.team)}</span>" if row.team else ""
    below = f'<span class="sub">{team}{day}</span>' if team or day else ""
    return f'<span class="name">{words(row.run)}</span>{tags}{below}'


def _write_outcomes(row: BoardRow, place: RowContext) -> str:
    if row.outcomes is None:
        return '<span class="muted">the reference run</span>'
    this, other = (f"{100 * share:.0f}%" for share in (row.outcomes.wins, row.outcomes.losses))
    return (
        f'<div class="pair"><span class="this" aria-hidden="true">{this}</span>'
        f'{draw_outcomes(row.outcomes, place.holder)}<span class="other" aria-hidden="true">{other}</span></div>'
    )


def _write_status(row: BoardRow, _: RowContext) -> str:
    if row.status is Status.NONE:
        return ""
    top = " is-top" if row.status is Status.HOLDER else ""
    mark = f'<svg width="11" height="11" viewBox="0 0 11 11" aria-hidden="true">{MARKS[row.status]}</svg>'
    return f'<span class="chip{top}">{mark}{row.status.value.capitalize()}</span>{_say_reign(row)}'


def _say_reign(row: BoardRow) -> str:
    if row.status is Status.HOLDER and row.held_since:
        return f'<span class="sub">since {row.held_since:%Y-%m-%d}</span>'
    if row.status is Status.HELD and row.held_until:
        return f'<span class="sub">until {row.held_until:%Y-%m-%d}</span>'
    return ""


WRITERS: dict[HeadColumn, Callable[[BoardRow, RowContext], str]] = {
    HeadColumn.RANK: lambda row, _: show_ranks(row),
    HeadColumn.RUN: _write_run,
    HeadColumn.DATE: lambda row, _: f"{row.date:%Y-%m-%d}" if row.date else "",
    HeadColumn.SCORE: lambda row, _: show_number(row.score, 4),
    HeadColumn.INTERVAL: lambda row, place: draw_interval(interval_of(row), place.axis, is_top=row.run == place.holder),
    HeadColumn.ANSWERED: lambda row, _: "" if row.answered is None else show_share(row.answered),
    HeadColumn.SEARCH_LENGTH: lambda row, _: "–" if row.mean_esl is None else show_number(row.mean_esl, 1),
    HeadColumn.OUTCOMES: _write_outcomes,
    HeadColumn.STATUS: _write_status,
}
