"""How is a stored result taken along? As CSV, JSON or LaTeX, for the audience of its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toprung.report.latex import to_latex
from toprung.report.writers import to_csv, to_json
from toprung.result import Result, Table
from toprung.result.figures import frame_of
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.results import StoredResult
from toprung.web.services.results.content import to_table

if TYPE_CHECKING:
    import polars as pl

FORMATS = {
    "csv": ("text/csv; charset=utf-8", to_csv),
    "json": ("application/json", to_json),
    "tex": ("text/x-tex; charset=utf-8", to_latex),
}
"""By the ending of a file: its type, and how a result is written so."""


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
        return frame_of(*self.tidy_rows())

    def to_dict(self) -> dict[str, Any]:
        return {**self.content, "provenance": dict(self.made_from)}

    @property
    def provenance(self) -> Mapping[str, object]:
        return self.made_from


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
