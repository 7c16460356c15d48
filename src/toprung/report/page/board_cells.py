"""What stands in each cell of a leaderboard? Words, numbers, and the bars that go with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from toprung.analyses.leaderboard.tables import show_ranks
from toprung.boards.row import BoardRow, Status
from toprung.report.page.bars import Axis, Interval, draw_interval, draw_outcomes
from toprung.report.page.board_head import HeadColumn
from toprung.report.page.words import words
from toprung.words.wording import show_number, show_share

SCORE_DECIMALS = 4
MARKS = {
    Status.LAST_PROVED: '<circle class="top" cx="5.5" cy="5.5" r="5"/>',
    Status.PROVED: '<circle class="top" cx="5.5" cy="5.5" r="3"/>',
    Status.NOT_PASSED: '<circle class="hollow" cx="5.5" cy="5.5" r="4.5"/>',
    Status.VOIDED: '<circle class="hollow" cx="5.5" cy="5.5" r="4.5"/><path class="s-ink" d="M1.5 9.5l8-8"/>',
    Status.BASELINE: '<path class="s-ink thick dashes" d="M0 5.5h11"/>',
}
"""Status is a mark and words: ● last proved gain, small ● proved when it came, ○ not passed, ⊘ voided, ┄ baseline."""


@dataclass(frozen=True, kw_only=True)
class RowContext:
    """What all rows share: the run that outcomes are shown against, and the axis that intervals are drawn on."""

    reference: str
    axis: Axis
    places: Mapping[str, str]
    """By run, what its row is called in the page."""


def write_cell(row: BoardRow, column: HeadColumn, place: RowContext) -> str:
    """One cell, as markup."""
    kind = f"{column.value} num" if column.is_number else column.value
    return f'<td role="cell" class="{kind}">{WRITERS[column](row, place)}</td>'


def row_class(row: BoardRow) -> str:
    """The attribute of a row: shaded if the run may be best, and whether its claim was the last to pass."""
    kinds = [
        *(["may-be-best"] if row.top_group else []),
        *(["holder"] if row.status is Status.LAST_PROVED else []),
    ]
    return f' class="{" ".join(kinds)}"' if kinds else ""


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
        f'{draw_outcomes(row.outcomes, place.reference)}<span class="other" aria-hidden="true">{other}</span></div>'
    )


def _write_status(row: BoardRow, _: RowContext) -> str:
    if row.status is Status.NONE:
        return ""
    top = " is-top" if row.status is Status.LAST_PROVED else ""
    mark = f'<svg width="11" height="11" viewBox="0 0 11 11" aria-hidden="true">{MARKS[row.status]}</svg>'
    return f'<span class="chip{top}">{mark}{row.status.value.capitalize()}</span>{_say_day(row)}'


def _say_day(row: BoardRow) -> str:
    return f'<span class="sub">{row.proved_since:%Y-%m-%d}</span>' if row.proved_since else ""


WRITERS: dict[HeadColumn, Callable[[BoardRow, RowContext], str]] = {
    HeadColumn.RANK: lambda row, _: show_ranks(row),
    HeadColumn.RUN: _write_run,
    HeadColumn.DATE: lambda row, _: f"{row.date:%Y-%m-%d}" if row.date else "",
    HeadColumn.SCORE: lambda row, _: show_number(row.score, SCORE_DECIMALS),
    HeadColumn.INTERVAL: lambda row, place: draw_interval(
        interval_of(row), place.axis, is_top=row.top_group, decimals=SCORE_DECIMALS
    ),
    HeadColumn.ANSWERED: lambda row, _: "" if row.answered is None else show_share(row.answered),
    HeadColumn.SEARCH_LENGTH: lambda row, _: "–" if row.mean_esl is None else show_number(row.mean_esl, 1),
    HeadColumn.OUTCOMES: _write_outcomes,
    HeadColumn.STATUS: _write_status,
}
