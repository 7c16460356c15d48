"""How is a leaderboard taken along? Exactly the view: its rows, order and columns, as CSV, JSON or LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toprung.analyses.leaderboard.tables import show_ranks
from toprung.boards.row import MAY_BE_BEST, row_columns
from toprung.report.page.bars import OUTCOME_WORDS
from toprung.result import Cell, Result, Table, json_safe
from toprung.result.figures import frame_of
from toprung.web.core.access.namer import Identity, Namer
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.listed import ListedRun
from toprung.web.core.store.rows import difference_against, shares_against
from toprung.web.services.judging.campaigns.upkeep_words import ScoreRange, find_ranges
from toprung.web.services.results.label_doubt import doubt_of_runs
from toprung.web.services.shown.board.cells import NOT_MOVING, ShownRun, show_figure
from toprung.web.services.shown.board.columns import BoardColumn, ColumnKind
from toprung.web.services.shown.board.listing import Listing, find_not_shown, list_all
from toprung.web.services.shown.board.page import BoardPage
from toprung.web.services.shown.exports import provenance_of
from toprung.words.wording import list_names, show_confidence, show_interval, show_number, show_share

if TYPE_CHECKING:
    import polars as pl

type Record = dict[str, Any]

FIGURES = {
    ColumnKind.RANK: ("rank_low", "rank_high"),
    ColumnKind.SCORE: ("score", "score_low", "score_high"),
    ColumnKind.ANSWERED: ("answered",),
    ColumnKind.LENGTH: ("mean_esl",),
    ColumnKind.ARRIVAL: ("proved_since",),
}
"""By column, those of a row that are declared for files."""
ALWAYS = ("place", "top_group")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ExportedBoard(Result):
    """A view of the leaderboard, as the page shows it."""

    page: BoardPage
    made_from: Mapping[str, object]
    rows: Sequence[ShownRun]
    not_shown: Sequence[Mapping[str, Any]]
    ranges: Mapping[int, ScoreRange] = field(default_factory=dict)
    """By the key of a run, between which scores it is until its first answers are judged."""
    doubt: Mapping[str, float] = field(default_factory=dict)
    """By run, how far doubt about labels moves its score."""

    @property
    def content(self) -> Mapping[str, Any]:
        return self.page.content

    @property
    def sentence(self) -> str:
        return self.page.verdict.text.whole

    @property
    def table(self) -> Table:
        return Table.of(self.rows, tuple(self._cells()))

    def _cells(self) -> Iterator[Cell]:
        decimals, sure = self.content["decimals"], show_confidence(self.content["confidence"])
        for column in self.page.columns:
            yield from _cells_of(column, self.page, decimals, sure)

    @property
    def notes(self) -> tuple[str, ...]:
        runs = [each["run"] for each in self.not_shown]
        hidden = [f"{list_names(runs)}: {NOT_MOVING}."] if runs else []
        return (*self.content["notes"], *hidden)

    def records(self) -> list[Record]:
        figures = _figures_in_files(self.page.columns)
        return [_record(each, self.page, figures) | self._doubt_of(each) for each in self.rows]

    def _doubt_of(self, run: ShownRun) -> Record:
        """What labels leave open of its score; in no file of a view without scores, or of a board that says none."""
        if all(column.kind is not ColumnKind.SCORE for column in self.page.columns):
            return {}
        found = self.ranges.get(run.standing.submission_id)
        low, high = (None, None) if found is None else found.ends
        until = {"until_judged_low": low, "until_judged_high": high} if self.ranges else {}
        return until | ({"label_doubt": self.doubt.get(run.row.run)} if self.doubt else {})

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        """Runs that are not shown have their names and nothing else."""
        records = [each | {"tags": "; ".join(each["tags"])} for each in self.records()]
        header = tuple(records[0]) if records else ("run", "name", "team")
        hidden = ({"status": NOT_MOVING} | dict(each) for each in self.not_shown)
        return header, [tuple(each.get(name) for name in header) for each in (*records, *hidden)]

    def to_frame(self) -> pl.DataFrame:
        return frame_of(*self.tidy_rows())

    def to_dict(self) -> dict[str, Any]:
        verdict = self.page.verdict.text
        kept = ("measure", "n_queries", "n_runs", "top_group", "holder", "notes", "explanation")
        return {
            "sentence": verdict.sentence,
            "because": verdict.because,
            **{name: self.content[name] for name in kept},
            "view": self.page.view.address,
            "runs": json_safe(self.records()),
            "not_shown": json_safe(list(self.not_shown)),
            "provenance": dict(self.made_from),
        }

    @property
    def provenance(self) -> Mapping[str, object]:
        return self.made_from


def export_view(page: BoardPage) -> ExportedBoard:
    """Every run that this person sees on the pages of the view, in its order."""
    viewer, view = page.viewer, page.view
    return _export(page, list(list_all(viewer, view)), find_not_shown(viewer, view))


def export_page(page: BoardPage, listing: Listing) -> ExportedBoard:
    """The runs of one page of the view."""
    return _export(page, [*listing.standings, *listing.baselines], listing.not_shown)


def _export(page: BoardPage, listed: Sequence[ListedRun], not_shown: Iterable[Submission]) -> ExportedBoard:
    viewer = page.viewer
    return ExportedBoard(
        page=page,
        made_from=provenance_of(viewer, page.found),
        rows=[ShownRun.of(each, viewer.namer) for each in listed],
        not_shown=[_name_only(each, viewer.namer) for each in not_shown],
        ranges=find_ranges(viewer, (each.submission_id for each in listed)),
        doubt=doubt_of_runs(viewer),
    )


def _figures_in_files(columns: Iterable[BoardColumn]) -> dict[str, str]:
    """By what it is called in files, each figure of a row that this view has; the same for all rows."""
    declared, shown = {each.name: each for each in row_columns()}, {column.kind for column in columns}
    wanted = [*ALWAYS, *(name for kind, names in FIGURES.items() if kind in shown for name in names)]
    in_some_column = {*ALWAYS, *(name for names in FIGURES.values() for name in names)}
    undeclared = [name for name in declared if name not in in_some_column]
    return {declared[name].in_files: name for name in (*wanted, *undeclared)}


def _record(run: ShownRun, page: BoardPage, figures: Mapping[str, str]) -> Record:
    """As columns of a CSV; names, tags and whether it may be best always, the rest as the view has it."""
    row = run.row
    record = {
        **_named(row.run, run.identity),
        "is_baseline": row.is_baseline,
        "tags": list(row.tags),
        **{called: getattr(row, name) for called, name in figures.items()},
    }
    for column in page.columns:
        record |= _figures_of(column, run, page)
    return record


def _figures_of(column: BoardColumn, run: ShownRun, page: BoardPage) -> Record:
    """What a column adds that is not a figure of the row itself."""
    match column.kind:
        case ColumnKind.DATE:
            added: Record = {"date": run.row.date}
        case ColumnKind.ARRIVAL:
            added = {"status": run.row.status.value}
        case ColumnKind.COST | ColumnKind.LATENCY:
            name = "cost" if column.kind is ColumnKind.COST else "latency"
            added = {name: run.said(name)}
        case ColumnKind.MEASURE:
            found, name = run.other(column.key) or {}, column.name
            added = {name: found.get("mean"), f"{name} low": found.get("low"), f"{name} high": found.get("high")}
        case ColumnKind.OUTCOMES | ColumnKind.DIFFERENCE:
            added = {"against": page.reference} | _against(column, run, page)
        case _:
            added = {}
    return added


def _against(column: BoardColumn, run: ShownRun, page: BoardPage) -> Record:
    if column.kind is ColumnKind.OUTCOMES:
        shares = shares_against(run.standing, page.reference, page.highest)
        return {f"share_{name}": getattr(shares, name, None) for name, _, _ in OUTCOME_WORDS}
    gap = difference_against(run.standing, page.reference, page.highest)
    names = {"difference": "value", "difference_low": "low", "difference_high": "high"}
    return {name: getattr(gap, of, None) for name, of in names.items()}


def _cells_of(column: BoardColumn, page: BoardPage, decimals: int, sure: str) -> Iterator[Cell]:
    """For the table of a paper."""
    match column.kind:
        case ColumnKind.RANK:
            yield Cell("rank", lambda run: show_ranks(run.row), is_number=True)
            yield Cell(MAY_BE_BEST, lambda run: "yes" if run.row.top_group else "")
        case ColumnKind.RUN:
            yield Cell("run", lambda run: run.identity.name)
            yield Cell("team", lambda run: run.identity.team)
        case ColumnKind.SCORE:
            yield Cell(column.name, lambda run: show_number(run.row.score, decimals), is_number=True)
            yield Cell(sure, lambda run: show_interval(run.row.score_low, run.row.score_high, decimals), is_number=True)
        case ColumnKind.OUTCOMES:
            yield Cell("better on", lambda run: _show_share(run, page, "wins"), is_number=True)
            yield Cell("worse on", lambda run: _show_share(run, page, "losses"), is_number=True)
        case ColumnKind.DIFFERENCE:
            yield Cell(column.name, lambda run: _show_difference(run, page, decimals), is_number=True)
        case ColumnKind.DATE:
            yield Cell("date", lambda run: f"{run.row.date:%Y-%m-%d}" if run.row.date else "")
        case ColumnKind.ARRIVAL:
            yield Cell("status", lambda run: run.row.status.value)
        case _:
            yield Cell(column.name, lambda run: show_figure(column, run, decimals), is_number=True)


def _show_share(run: ShownRun, page: BoardPage, side: str) -> str:
    shares = shares_against(run.standing, page.reference, page.highest)
    return "" if shares is None else show_share(getattr(shares, side))


def _show_difference(run: ShownRun, page: BoardPage, decimals: int) -> str:
    gap = difference_against(run.standing, page.reference, page.highest)
    if gap is None:
        return ""
    return f"{show_number(gap.value, decimals, signed=True)} ({show_interval(gap.low, gap.high, decimals)})"


def _name_only(submission: Submission, namer: Namer) -> Record:
    return _named(submission.run_id, namer.name(submission)) | {"date": submission.submitted_at.date()}


def _named(label: str, identity: Identity) -> dict[str, str]:
    """An anonymous run has no name but its label."""
    return {"run": label, "name": "" if identity.is_hidden else identity.name, "team": identity.team}
