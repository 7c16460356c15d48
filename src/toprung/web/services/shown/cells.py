"""How is a run written on the leaderboard? The cells of the report, with links and names as they may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from toprung.boards.row import BoardRow, OutcomeShares
from toprung.report.page.bars import Axis, draw_outcomes
from toprung.report.page.board_cells import WRITERS, RowContext, row_class
from toprung.report.page.board_head import HeadColumn
from toprung.report.page.words import plain, words
from toprung.web.core.access.namer import Identity
from toprung.web.core.models.runs import Submission
from toprung.words.wording import show_number

NOT_MOVING = "no score shown, by the release policy"
OF_RANKS = (HeadColumn.ANSWERED, HeadColumn.SEARCH_LENGTH, HeadColumn.OUTCOMES)
"""Columns of boards whose measure is made of ranks."""


@dataclass(frozen=True, kw_only=True)
class RowWriter:
    """What all rows of a page share."""

    slug: str
    reference: str
    """The run that outcomes are shown against."""
    axis: Axis
    decimals: int
    has_ranks: bool
    has_links: bool = True
    """Without, for a page in another page: its links would open there."""

    @property
    def columns(self) -> Sequence[HeadColumn]:
        return [each for each in HeadColumn if self.has_ranks or each not in OF_RANKS]

    def write(self, row: BoardRow, identity: Identity, outcomes: OutcomeShares | None) -> str:
        place = RowContext(reference=self.reference, axis=self.axis)
        cells = {
            HeadColumn.RUN: self._write_run(row.run, identity, row.tags, f"{row.date:%Y-%m-%d}" if row.date else ""),
            HeadColumn.SCORE: show_number(row.score, self.decimals),
            HeadColumn.OUTCOMES: self._write_outcomes(row.run, outcomes),
        }
        written = "".join(
            f'<td role="cell" class="{column.value}{" num" if column.is_number else ""}">'
            f"{cells[column] if column in cells else WRITERS[column](row, place)}</td>"
            for column in self.columns
        )
        return f'<tr role="row"{row_class(row)}>{written}</tr>\n'

    def write_not_shown(self, submission: Submission, identity: Identity) -> str:
        """A run without any figure: neither score, interval, rank nor comparison."""
        day = f"{submission.submitted_at:%Y-%m-%d}"
        n_others = len(self.columns) - 3
        return (
            f'<tr role="row" class="unshown"><td role="cell" class="rank">–</td>'
            f'<td role="cell" class="run">{self._write_run(submission.run_id, identity, submission.tags, day)}</td>'
            f'<td role="cell" class="date">{day}</td>'
            f'<td role="cell" class="why muted" colspan="{n_others}">{NOT_MOVING}</td></tr>\n'
        )

    def _write_run(self, label: str, identity: Identity, tags: list[str] | tuple[str, ...], day: str) -> str:
        name = "" if identity.name == label else words(identity.name)
        called = f'<span class="id">{plain(label)}</span>{name}' if name else plain(label)
        tagged = "".join(f'<span class="tagname">{words(tag)}</span>' for tag in tags)
        team = words(identity.team)
        if self.has_links:
            called = f'<a href="{reverse("run", args=[self.slug, label])}">{called}</a>'
            if identity.team_slug:
                team = f'<a href="{reverse("team", args=[identity.team_slug])}">{team}</a>'
        return (
            f'<span class="name">{called}</span>{tagged}'
            f'<span class="sub"><span>{team}</span><span class="day">{day}</span></span>'
        )

    def _write_outcomes(self, label: str, outcomes: OutcomeShares | None) -> str:
        if outcomes is None:
            return '<span class="muted">the reference run</span>'
        this, other = (f"{100 * share:.0f}%" for share in (outcomes.wins, outcomes.losses))
        bar = (
            f'<span class="this" aria-hidden="true">{this}</span>{draw_outcomes(outcomes, self.reference)}'
            f'<span class="other" aria-hidden="true">{other}</span>'
        )
        if not self.has_links:
            return f'<div class="ends-in">{bar}</div>'
        return f'<a class="ends-in" href="{compare_url(self.slug, label, self.reference)}">{bar}</a>'


def compare_url(slug: str, challenger: str, reference: str) -> str:
    """The comparison of B, the challenger, with A; ready for an attribute."""
    return f"{reverse('compare', args=[slug])}?{plain(urlencode({'b': challenger, 'a': reference}))}"
