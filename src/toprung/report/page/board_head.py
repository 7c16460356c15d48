"""Which columns can a leaderboard have, and what does each mean? Help opens at its heading, without script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.analyses.leaderboard.words import say_all
from toprung.report.page.words import words
from toprung.words.wording import say_queries, show_confidence


class HeadColumn(StrEnum):
    """The columns in their order; the values are their classes in the stylesheet."""

    RANK = "rank"
    RUN = "run"
    DATE = "date"
    SCORE = "score"
    INTERVAL = "ci"
    ANSWERED = "ans"
    SEARCH_LENGTH = "len"
    OUTCOMES = "vs"
    STATUS = "status"

    @property
    def is_number(self) -> bool:
        return self in (HeadColumn.SCORE, HeadColumn.ANSWERED, HeadColumn.SEARCH_LENGTH)


@dataclass(frozen=True, kw_only=True)
class Help:
    """What a column shows, for who asks."""

    name: str
    title: str
    text: str


def write_head(board: Leaderboard, columns: Sequence[HeadColumn], axis: str) -> str:
    """The columns' widths and headings; ``axis`` is that of the intervals."""
    sure = show_confidence(board.confidence)
    plain = {
        HeadColumn.RUN: "Run and team" if any(row.team for row in board.rows) else "Run",
        HeadColumn.DATE: "Date",
        HeadColumn.INTERVAL: f'<span class="vh">{sure} interval of the score</span>{axis}',
    }
    helped = _explain_columns(board)
    widths = "".join(f'<col class="c-{column.value}">' for column in columns)
    cells = "".join(
        f'<th role="columnheader" scope="col" class="{column.value}{" num" if column.is_number else ""}">'
        f"{plain[column] if column in plain else _write_help(column, helped[column])}</th>"
        for column in columns
    )
    return f'<colgroup>{widths}</colgroup>\n<thead role="rowgroup"><tr role="row">{cells}</tr></thead>\n'


def _explain_columns(board: Leaderboard) -> dict[HeadColumn, Help]:
    sure, first = show_confidence(board.confidence), board.reference.run
    return {
        HeadColumn.RANK: Help(
            name="Rank",
            title=f"Simultaneous {sure} rank interval (Mogstad et al. 2024)",
            text=(
                f"The ranks these queries cannot rule out. The intervals hold for {say_all(board)} at once with {sure} "
                "confidence. “1–4” means: could be first, could be fourth. Shaded: may be best, for no run is better."
            ),
        ),
        HeadColumn.SCORE: Help(
            name=board.measure,
            title=f"Score: mean {board.measure}",
            text=f"Over {say_queries(board.n_queries)}. The bar beside it is its {sure} interval, by itself.",
        ),
        HeadColumn.ANSWERED: Help(
            name="Answered", title="Answered", text="Share of queries for which the run finds an answer."
        ),
        HeadColumn.SEARCH_LENGTH: Help(
            name="Search length",
            title="Mean search length when found",
            text=(
                "How many documents a reader goes through until the answer, over the queries this run answers. Lower "
                "is better. Runs answer different queries: to compare two, look at their comparison."
            ),
        ),
        HeadColumn.OUTCOMES: Help(
            name=f"Query by query against {first}",
            title=f"Query by query against {first}",
            text=(
                f"Blue, from the left: queries this run does better on. Orange, from the right: queries {first} does "
                "better on."
            ),
        ),
        HeadColumn.STATUS: Help(name="Status", title="Status", text=_explain_status(board)),
    }


def _explain_status(board: Leaderboard) -> str:
    if not board.has_claims:
        return "What is known of the run. Without dates no claims are tested."
    return (
        "Every submission that scores above the last run that proved an improvement is a claim. It passes only within "
        "the level the online fallback gives that claim, and one that does not pass stays on record. Which claims "
        "passed when they came is another question than who may be best now."
    )


def _write_help(column: HeadColumn, told: Help) -> str:
    key = f"help-{column.value}"
    return (
        f'<button class="help" type="button" popovertarget="{key}">{words(told.name)}</button>'
        f'<span class="note-box" popover id="{key}"><b>{words(told.title)}</b>{words(told.text)}</span>'
    )
