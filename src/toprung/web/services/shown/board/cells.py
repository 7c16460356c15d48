"""How is a run written on the leaderboard? A cell for each column in view, with names as they may be shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from urllib.parse import urlencode

from django.urls import reverse

from toprung.analyses.leaderboard.tables import show_ranks
from toprung.boards.row import BoardRow, Status
from toprung.data.run_card import CardValue, card_fields
from toprung.report.page.bars import Axis, draw_difference, draw_interval, draw_outcomes
from toprung.report.page.board_cells import MARKS, interval_of
from toprung.report.page.words import plain, words
from toprung.web.core.access.namer import Identity, Namer
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.listed import ListedRun
from toprung.web.core.store.rows import difference_against, shares_against, to_row
from toprung.web.services.shown.board.columns import BoardColumn, ColumnKind
from toprung.words.wording import show_interval, show_number, show_share

type AnyRun = Submission | ListedRun
NOT_MOVING = "no score shown, by the release policy"
NOTHING = "–"
LINKS = tuple(each.name for each in card_fields() if each.holds is CardValue.ADDRESS)
"""What a team may link: paper, code, model; kept back while it is anonymous."""


@dataclass(frozen=True, kw_only=True)
class ShownRun:
    """A row of the leaderboard, with what may be said of whose it is."""

    standing: ListedRun
    row: BoardRow
    identity: Identity
    is_own: bool

    @classmethod
    def of(cls, standing: ListedRun, namer: Namer) -> ShownRun:
        identity = namer.name(standing)
        return cls(
            standing=standing,
            row=to_row(standing, team=identity.team, tags=standing.tags),
            identity=identity,
            is_own=standing.team_id is not None and standing.team_id in namer.team_ids,
        )

    def other(self, key: str) -> dict[str, float] | None:
        """Its mean by another measure, with the interval."""
        return next((each for each in self.standing.content["others"] if each["key"] == key), None)

    def said(self, name: str) -> float | None:
        """A cost or a latency, as its team reports it."""
        value: float | None = self.standing.said.get(name)
        return value


@dataclass(frozen=True, kw_only=True)
class RowWriter:
    """What all rows of a page share."""

    slug: str
    columns: Sequence[BoardColumn]
    measure: str
    reference: str
    """The label of the run that others are shown against, and the name it appears by."""
    reference_name: str
    highest: str
    axis: Axis
    differences: Axis | None
    """The scale of differences; None where outcomes are shown."""
    decimals: int
    has_links: bool = True
    """Without, for a page in another page: its links would open there."""
    ranges: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """By the key of a run, between which scores it is until its open challenges are decided."""

    @property
    def n_cells(self) -> int:
        """A score has its interval beside it."""
        return len(self.columns) + sum(column.kind is ColumnKind.SCORE for column in self.columns)

    def write(self, run: ShownRun) -> str:
        row = run.row
        kinds = [*(["may-be-best"] if row.top_group else []), *(["mine"] if run.is_own else [])]
        cells = "".join(self._write_cell(column, run) for column in self.columns)
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        return f'<tr role="row" id="{plain(row.run)}"{kind}>{cells}</tr>\n'

    def write_not_shown(self, submission: Submission, namer: Namer) -> str:
        """A run without any figure: neither score, interval, rank nor comparison."""
        identity, day = namer.name(submission), f"{submission.submitted_at:%Y-%m-%d}"
        called = self._write_run(submission, identity, day)
        has_rank = any(column.kind is ColumnKind.RANK for column in self.columns)
        rank = f'<td role="cell" class="rank">{NOTHING}</td>' if has_rank else ""
        rest = max(1, self.n_cells - 1 - has_rank)
        return (
            f'<tr role="row" class="unshown">{rank}<td role="cell" class="run">{called}</td>'
            f'<td role="cell" class="why muted" colspan="{rest}">{NOT_MOVING}</td></tr>\n'
        )

    def _write_cell(self, column: BoardColumn, run: ShownRun) -> str:
        kind = column.kind
        inside = WRITERS[kind](self, run, column)
        if kind is ColumnKind.SCORE:
            drawn = draw_interval(interval_of(run.row), self.axis, is_top=run.row.top_group, decimals=self.decimals)
            score = f'<td role="cell" class="score num" data-m="{plain(self.measure)}">{inside}</td>'
            return f'{score}<td role="cell" class="ci">{drawn}</td>'
        if not kind.is_figure:
            called = f' data-m="{plain(self._call_difference())}"' if kind is ColumnKind.DIFFERENCE else ""
            return f'<td role="cell" class="{kind.value}"{called}>{inside}</td>'
        is_first = column is self._figures[0]
        rest = self._write_figures(run) if is_first else ""
        return f'<td role="cell" class="{kind.value} num m{" first" if is_first else ""}"{rest}>{inside}</td>'

    def _call_difference(self) -> str:
        """For a small screen, where no head stands over it."""
        return f"against {self.reference_name}"

    @cached_property
    def _figures(self) -> list[BoardColumn]:
        return [column for column in self.columns if column.kind.is_figure]

    def _write_figures(self, run: ShownRun) -> str:
        """For a small screen, which shows one line of figures: what the first is, before it if it is a measure, and all
        others.
        """
        first, *others = self._figures
        said = [self._say_figure(column, run) for column in others]
        if first.kind is ColumnKind.MEASURE:
            return f' data-before="{plain(_call(first))} " data-rest="{plain(" · ".join(["", *said]))}"'
        return f' data-rest="{plain(" · ".join([f" {_call(first)}", *said]))}"'

    def _say_figure(self, column: BoardColumn, run: ShownRun) -> str:
        """In a line of figures: with its unit, or its name; measures with their interval."""
        shown = show_figure(column, run, self.decimals)
        if column.kind is ColumnKind.LATENCY:
            return f"{shown}\N{NO-BREAK SPACE}ms"
        interval = self._show_span(column, run)
        return f"{_call(column)}\N{NO-BREAK SPACE}{shown}{interval and f' ({interval})'}"

    def _show_span(self, column: BoardColumn, run: ShownRun) -> str:
        """The interval of another measure; nothing of what has none."""
        found = run.other(column.key) if column.kind is ColumnKind.MEASURE else None
        return "" if found is None else "–".join(show_number(found[end], self.decimals) for end in ("low", "high"))

    def _write_run(self, submission: AnyRun, identity: Identity, day: str, *, is_own: bool = False) -> str:
        """The team is no link: two lines of links in one row would be too close to each other for a finger."""
        name, team, links = words(identity.name), words(identity.team), ""
        if self.has_links:
            name = f'<a href="{_run_url(self.slug, submission.run_id)}">{name}</a>'
            links = "" if identity.is_hidden else _write_links(submission)
        tags = "".join(f'<span class="tagname">{words(tag)}</span>' for tag in submission.tags)
        own = '<span class="own">yours</span>' if is_own else ""
        return (
            f'<span class="name">{name}{links}</span>'
            f'<span class="sub"><span>{team}</span>{tags}<span class="day">{day}</span>{own}</span>'
        )

    def write_run(self, run: ShownRun, _: BoardColumn) -> str:
        day = f"{run.row.date:%Y-%m-%d}" if run.row.date else ""
        return self._write_run(run.standing, run.identity, day, is_own=run.is_own)

    def write_score(self, run: ShownRun, _: BoardColumn) -> str:
        """With what it may come to, where first answers are not judged yet."""
        score = show_number(run.row.score, self.decimals)
        if run.standing.submission_id not in self.ranges:
            return score
        low, high = (show_number(end, self.decimals) for end in self.ranges[run.standing.submission_id])
        return f'{score}<span class="sub"><span class="vh">until it is judged </span>{low}/{high}</span>'

    def write_figure(self, run: ShownRun, column: BoardColumn) -> str:
        shown, interval = plain(show_figure(column, run, self.decimals)), self._show_span(column, run)
        return f'{shown}<span class="sub">{interval}</span>' if interval else shown

    def write_outcomes(self, run: ShownRun, _: BoardColumn) -> str:
        outcomes = shares_against(run.standing, self.reference, self.highest)
        if outcomes is None:
            return self._write_reference()
        this, other = (f"{100 * share:.0f}%" for share in (outcomes.wins, outcomes.losses))
        bar = (
            f'<span class="this" aria-hidden="true">{this}</span>{draw_outcomes(outcomes, self.reference_name)}'
            f'<span class="other" aria-hidden="true">{other}</span>'
        )
        return self._write_compared(run, bar)

    def write_difference(self, run: ShownRun, _: BoardColumn) -> str:
        found = difference_against(run.standing, self.reference, self.highest)
        if found is None or self.differences is None:
            return self._write_reference()
        value = show_number(found.value, self.decimals, signed=True)
        interval = show_interval(found.low, found.high, self.decimals)
        drawn = draw_difference(found, self.differences, f"{value} to {self.reference_name}, 95% interval {interval}")
        return self._write_compared(run, f'{drawn}<span class="v">{value}<span class="sub">{interval}</span></span>')

    def _write_reference(self) -> str:
        said = "highest score" if self.reference == self.highest else "the run compared with"
        return f'<span class="muted">{said}</span>'

    def _write_compared(self, run: ShownRun, drawn: str) -> str:
        """With a link to the comparison of the two."""
        if not self.has_links:
            return f'<div class="ends-in">{drawn}</div>'
        return f'<a class="ends-in" href="{compare_url(self.slug, run.row.run, self.reference)}">{drawn}</a>'


def show_figure(column: BoardColumn, run: ShownRun, decimals: int) -> str:
    """A figure as text; what is not known is a dash."""
    match column.kind:
        case ColumnKind.MEASURE:
            found = run.other(column.key)
            return NOTHING if found is None else show_number(found["mean"], decimals)
        case ColumnKind.ANSWERED:
            return NOTHING if run.row.answered is None else show_share(run.row.answered)
        case ColumnKind.LENGTH:
            return NOTHING if run.row.mean_esl is None else show_number(run.row.mean_esl, 1)
        case ColumnKind.COST:
            return show_reported(run.said("cost"))
    return show_reported(run.said("latency"))


def _call(column: BoardColumn) -> str:
    """Within a line: measures keep their letters."""
    return column.name if column.kind is ColumnKind.MEASURE else column.name.lower()


def show_reported(value: float | None) -> str:
    """As a team reports it: whole where it is large, to three digits where it is small.

    >>> [show_reported(value) for value in (None, 2900, 310.4, 0.0123456)]
    ['–', '2,900', '310', '0.0123']
    """
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if 100 <= value < 1e9 else f"{value:.3g}"


def _write_links(submission: AnyRun) -> str:
    """What its team linked, to be opened without telling where from."""
    said = [(name, str(submission.said.get(name) or "")) for name in LINKS]
    return "".join(
        f'<a class="lk" href="{plain(address)}" rel="nofollow noopener noreferrer">{name}</a>'
        for name, address in said
        if address.startswith(("https://", "http://"))
    )


def _write_date(_: RowWriter, run: ShownRun, __: BoardColumn) -> str:
    return f"{run.row.date:%Y-%m-%d}" if run.row.date else ""


def _write_arrival(_: RowWriter, run: ShownRun, __: BoardColumn) -> str:
    """What came of its claim: a mark and words."""
    status, since = run.row.status, run.row.proved_since
    if status in (Status.NONE, Status.BASELINE):
        return f'<span class="chip">{status.value}</span>' if status else ""
    is_last = status is Status.LAST_PROVED
    mark = f'<svg width="11" height="11" viewBox="0 0 11 11" aria-hidden="true">{MARKS[status]}</svg>'
    day = f' <span class="nowrap">{since:%Y-%m-%d}</span>' if is_last and since else ""
    return f'<span class="chip{" is-top" if is_last else ""}">{mark}<span>{status.value}{day}</span></span>'


WRITERS: dict[ColumnKind, Callable[[RowWriter, ShownRun, BoardColumn], str]] = {
    ColumnKind.RANK: lambda _, run, __: show_ranks(run.row),
    ColumnKind.RUN: RowWriter.write_run,
    ColumnKind.SCORE: RowWriter.write_score,
    ColumnKind.MEASURE: RowWriter.write_figure,
    ColumnKind.ANSWERED: RowWriter.write_figure,
    ColumnKind.LENGTH: RowWriter.write_figure,
    ColumnKind.OUTCOMES: RowWriter.write_outcomes,
    ColumnKind.DIFFERENCE: RowWriter.write_difference,
    ColumnKind.COST: RowWriter.write_figure,
    ColumnKind.LATENCY: RowWriter.write_figure,
    ColumnKind.DATE: _write_date,
    ColumnKind.ARRIVAL: _write_arrival,
}


@lru_cache(maxsize=8_192)
def _run_url(slug: str, label: str) -> str:
    """Kept: to find it takes as long as the rest of the row."""
    return reverse("run", args=[slug, label])


@lru_cache(maxsize=8_192)
def compare_url(slug: str, challenger: str, reference: str) -> str:
    """The comparison of B, the challenger, with A; ready for an attribute."""
    return f"{reverse('compare', args=[slug])}?{plain(urlencode({'b': challenger, 'a': reference}))}"
