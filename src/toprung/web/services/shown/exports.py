"""How is a board taken along? The same rows as on the page, for the same audience, as CSV, JSON or LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toprung.analyses.leaderboard.tables import show_ranks
from toprung.boards.row import MAY_BE_BEST, BoardRow, row_columns
from toprung.report.latex import to_latex
from toprung.report.writers import to_csv, to_json
from toprung.result import Cell, Result, Table, json_safe
from toprung.web.core.access.namer import Identity, Namer
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.results import StoredResult
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.rows import to_row
from toprung.web.services.results.content import to_table
from toprung.web.services.shown.cells import NOT_MOVING
from toprung.web.services.shown.listing import Filters, find_not_shown, find_standings
from toprung.words.wording import list_names, show_confidence, show_interval, show_number, show_share

if TYPE_CHECKING:
    import polars as pl

FORMATS = {
    "csv": ("text/csv; charset=utf-8", to_csv),
    "json": ("application/json", to_json),
    "tex": ("text/x-tex; charset=utf-8", to_latex),
}
"""By the ending of a file: its type, and how a result is written so."""
OUTCOMES = ("only_this", "better", "same", "neither", "worse", "only_top")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ExportedResult(Result):
    """A stored result, as the library's writers take it."""

    content: Mapping[str, Any]
    made_from: Mapping[str, object]

    @property
    def sentence(self) -> str:
        return str(self.content["sentence"])

    @property
    def table(self) -> Table:
        return self.tables[0][1]

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        return tuple((each["heading"], to_table(each)) for each in self.content["tables"])

    def paper_tables(self) -> tuple[Table, ...]:
        return tuple(table for _, table in self.tables)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self.content.get("notes", ()))

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        return self.table.header, self.table.rows

    def to_frame(self) -> pl.DataFrame:
        import polars as pl

        header, rows = self.tidy_rows()
        return pl.DataFrame(list(rows), schema=list(header), orient="row", infer_schema_length=None)

    def to_dict(self) -> dict[str, Any]:
        return {**self.content, "provenance": dict(self.made_from)}

    @property
    def provenance(self) -> Mapping[str, object]:
        return self.made_from


@dataclass(frozen=True, kw_only=True)
class ExportedRow:
    """A run of the board with the name it appears by."""

    row: BoardRow
    identity: Identity

    def record(self) -> dict[str, Any]:
        """As columns of a CSV; the shares of outcomes against the highest score are columns too."""
        row = self.row
        shares = {f"share_{name}": getattr(row.outcomes, name) if row.outcomes else None for name in OUTCOMES}
        return {
            **_named(row.run, self.identity),
            "date": row.date,
            **{each.in_files: getattr(row, each.name) for each in row_columns()},
            **shares,
            "status": row.status.value,
            "is_baseline": row.is_baseline,
            "tags": "; ".join(row.tags),
        }


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ExportedBoard(Result):
    """The whole leaderboard, as the page shows it."""

    content: Mapping[str, Any]
    made_from: Mapping[str, object]
    rows: Sequence[ExportedRow]
    not_shown: Sequence[Mapping[str, Any]]

    @property
    def sentence(self) -> str:
        return " ".join(part for part in (self.content["sentence"], self.content["because"]) if part)

    @property
    def table(self) -> Table:
        decimals = self.content["decimals"]
        of_ranks = (
            Cell("answered", lambda each: show_share(each.row.answered), is_number=True),
            Cell("ESL", lambda each: _show_length(each.row), is_number=True),
        )
        return Table.of(
            self.rows,
            (
                Cell("place", lambda each: str(each.row.place), is_number=True),
                Cell("rank", lambda each: show_ranks(each.row), is_number=True),
                Cell(MAY_BE_BEST, lambda each: "yes" if each.row.top_group else ""),
                Cell("run", lambda each: _call(each.row.run, each.identity)),
                Cell("team", lambda each: each.identity.team),
                Cell(self.content["measure"], lambda each: show_number(each.row.score, decimals), is_number=True),
                Cell(
                    show_confidence(self.content["confidence"]),
                    lambda each: show_interval(each.row.score_low, each.row.score_high, decimals),
                    is_number=True,
                ),
                *(of_ranks if self.content["has_ranks"] else ()),
                Cell("status", lambda each: each.row.status.value),
            ),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        runs = [each["run"] for each in self.not_shown]
        hidden = [f"{list_names(runs)}: {NOT_MOVING}."] if runs else []
        return (*self.content["notes"], *hidden)

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        """Runs that are not shown have their names and nothing else."""
        records = [each.record() for each in self.rows]
        header = tuple(records[0])
        hidden = ({"status": NOT_MOVING} | dict(each) for each in self.not_shown)
        return header, [tuple(each.get(name) for name in header) for each in (*records, *hidden)]

    def to_frame(self) -> pl.DataFrame:
        import polars as pl

        header, rows = self.tidy_rows()
        return pl.DataFrame(list(rows), schema=list(header), orient="row", infer_schema_length=None)

    def to_dict(self) -> dict[str, Any]:
        kept = ("sentence", "because", "measure", "n_queries", "n_runs", "top_group", "holder", "notes", "explanation")
        return {
            **{name: self.content[name] for name in kept},
            "runs": json_safe([each.record() | {"tags": list(each.row.tags)} for each in self.rows]),
            "not_shown": json_safe(list(self.not_shown)),
            "provenance": dict(self.made_from),
        }

    @property
    def provenance(self) -> Mapping[str, object]:
        return self.made_from


def export_board(viewer: Viewer, found: StoredResult) -> ExportedBoard:
    """Every run that this person sees on the page, in order of score."""
    everything = Filters.read({}, references=found.content["references"], tags=[])
    rows = []
    for each in find_standings(viewer, everything):
        identity = viewer.namer.name(each.submission)
        row = to_row(each, team=identity.team, tags=each.submission.tags)
        rows.append(ExportedRow(row=row, identity=identity))
    not_shown = [_name_only(each, viewer.namer) for each in find_not_shown(viewer, everything)]
    return ExportedBoard(content=found.content, made_from=provenance_of(viewer, found), rows=rows, not_shown=not_shown)


def provenance_of(viewer: Viewer, found: StoredResult) -> dict[str, object]:
    """What the foot of the page says, for a file."""
    frame = viewer.frame("", found)["provenance"]
    return {
        "board": viewer.board.title,
        "labels": "" if frame.labels is None else str(frame.labels),
        "labels_digest": frame.digest,
        "computed_at": found.computed_at.isoformat(timespec="seconds"),
        "audience": viewer.audience.label,
        **found.content["provenance"],
    }


def _show_length(row: BoardRow) -> str:
    return "–" if row.mean_esl is None else show_number(row.mean_esl, 1)


def _name_only(submission: Submission, namer: Namer) -> dict[str, Any]:
    return _named(submission.run_id, namer.name(submission)) | {"date": submission.submitted_at.date()}


def _named(label: str, identity: Identity) -> dict[str, str]:
    """An anonymous run has no name but its label."""
    return {"run": label, "name": "" if identity.is_hidden else identity.name, "team": identity.team}


def _call(label: str, identity: Identity) -> str:
    return label if identity.name == label else f"{label} {identity.name}"
