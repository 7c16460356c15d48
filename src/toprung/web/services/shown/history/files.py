"""How are the claims of a board taken along? As the page lists them, one row a claim."""

from __future__ import annotations

from typing import Any

from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.results import StoredResult
from toprung.web.services.shown.exports import ExportedResult, provenance_of
from toprung.web.services.shown.history.ledger import find_claims, to_entries

COLUMNS = (
    "number",
    "date",
    "run",
    "name",
    "team",
    "against",
    "pair",
    "p",
    "level",
    "smallest_gain",
    "outcome",
    "beside",
    "withdrawn",
    "voided_on",
    "void_reason",
)
NUMERIC = tuple(map(COLUMNS.index, ("number", "p", "level", "smallest_gain")))


def list_claims(viewer: Viewer) -> list[dict[str, Any]]:
    """Every claim that this person may see, the latest first."""
    return [each.record() for each in to_entries(find_claims(viewer), viewer)]


def export_claims(viewer: Viewer, found: StoredResult) -> ExportedResult:
    """``found``: the stored timeline, whose sentence and provenance go with the rows."""
    rows = [[_write(each[name]) for name in COLUMNS] for each in list_claims(viewer)]
    table = {"heading": "", "header": list(COLUMNS), "rows": rows, "numeric": list(NUMERIC)}
    content = {"sentence": found.content["sentence"], "tables": [table], "notes": []}
    return ExportedResult(content=content, made_from=provenance_of(viewer, found))


def _write(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else str(value)
