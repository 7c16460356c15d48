"""Which rows of the database are a table of a bundle? Declared once; written and read by the same declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from django.db import models

from toprung.boards.archive import tables
from toprung.boards.archive.references import REFERENCES, Reference, read_names
from toprung.boards.archive.rows import Row
from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import CampaignDesign, OpenChallenge, ProposedGold, RefusedLabel
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.data import DataTerms, TextAccess
from toprung.web.core.models.following import Announcement
from toprung.web.core.models.labels import LabelAccess, LabelSet
from toprung.web.core.models.results import Standing, StoredResult
from toprung.web.core.models.runs import Charge, MetadataEdit, Upload, UploadState
from toprung.web.services.bundle.claims_in import check_claim
from toprung.web.services.bundle.drawings import check_content
from toprung.web.services.bundle.fields import decode, encode
from toprung.web.services.bundle.people import Mentioned
from toprung.web.services.bundle.shown_rows import check_board, check_standing

type Rows = Iterator[dict[str, Any]]
type Here = Mapping[str, Mapping[Any, models.Model]]
"""By table: what became of those that its rows name."""

BATCH = 50
FIELDS = {"run": "submission", "labels": "label_set"}
"""How models call what tables call otherwise."""


@dataclass(frozen=True, kw_only=True)
class StoredTable:
    """One table, and the rows it is written from and read into."""

    name: str
    model: type[models.Model]
    of: str = "board"
    """The way from a row to its board."""
    order: tuple[str, ...] = ("pk",)
    fields: Mapping[str, str] = field(default_factory=lambda: FIELDS)
    given: Mapping[str, Any] = field(default_factory=dict)
    """What every row has here that no bundle tells."""
    check: Callable[[Row, Here], None] = lambda _row, _here: None

    def write(self, whole: models.Model, people: Mentioned) -> Rows:
        """The rows of a board, or of what else the way leads to."""
        refers = {name: (self._field(name), each) for name, each in REFERENCES[self.name].items()}
        found = self.model._default_manager.filter(**{self.of: whole}).order_by(*self.order)
        for joined in (own for own, each in refers.values() if each.table != tables.PEOPLE):
            found = found.select_related(joined)
        for row in found.iterator(chunk_size=BATCH):
            yield encode(row) | {name: name_of(row, own, each, people) for name, (own, each) in refers.items()}

    def read(self, rows: Iterable[Row], board: Board, here: Here) -> Iterator[models.Model]:
        has_board = any(each.name == "board" for each in self.model._meta.concrete_fields)
        given = {**self.given, "board": board} if has_board else self.given
        for row in rows:
            self.check(row, here)
            named = {self._field(name): found for name, found in find_named(row, self.name, here).items()}
            yield decode(self.model, row, others=tuple(REFERENCES[self.name]), **given, **named)

    def _field(self, name: str) -> str:
        return self.fields.get(name, name)


def find_named(row: Row, table: str, here: Here) -> dict[str, Any]:
    """By field, what the row names, as it is in this database."""
    names, refers = read_names(row, table, here), REFERENCES[table]
    return {field: None if name is None else here[refers[field].table][name] for field, name in names.items()}


def name_of(row: models.Model, own: str, refers: Reference, people: Mentioned) -> Any:
    """What a row of the database points to, by the name it has in bundles."""
    if refers.table == tables.PEOPLE:
        return people.call(getattr(row, f"{own}_id"))
    found = getattr(row, own)
    return None if found is None else NAMES[refers.table](found)


def name_labels(labels: LabelSet) -> list[str | int]:
    return [labels.use, labels.name, labels.version]


NAMES: dict[str, Callable[[Any], Any]] = {
    tables.TEAMS: attrgetter("slug"),
    tables.RUNS: attrgetter("run_id"),
    tables.LABEL_SETS: name_labels,
    tables.CAMPAIGNS: attrgetter("slug"),
}


def _check_standing(row: Row, _here: Here) -> None:
    check_content(row)
    check_standing(row)


def _check_result(row: Row, here: Here) -> None:
    check_content(row)
    check_board(row, here[tables.RUNS])


def _check_claim(row: Row, _here: Here) -> None:
    check_claim(row)


STORED_TABLES = (
    # Files on the way to a run; of these nothing but the report was kept.
    StoredTable(
        name=tables.REFUSED,
        model=Upload,
        of="before__board",
        fields={"run": "before"},
        given={"state": UploadState.REFUSED},
    ),
    StoredTable(name=tables.EDITS, model=MetadataEdit, of="submission__board", order=("submission__number", "pk")),
    StoredTable(name=tables.CHARGES, model=Charge),
    StoredTable(name=tables.CLAIMS, model=Claim, order=("number",), check=_check_claim),
    StoredTable(
        name=tables.STANDINGS,
        model=Standing,
        order=("labels_version", "audience", "place", "pk"),
        check=_check_standing,
    ),
    StoredTable(
        name=tables.RESULTS,
        model=StoredResult,
        order=("labels_version", "kind", "key", "audience"),
        check=_check_result,
    ),
    StoredTable(name=tables.AUDIT, model=AuditEntry, order=("number",)),
    StoredTable(name=tables.ACCESSES, model=LabelAccess),
    StoredTable(name=tables.ANNOUNCEMENTS, model=Announcement),
    StoredTable(name=tables.TERMS, model=DataTerms),
    StoredTable(name=tables.TEXT_ACCESSES, model=TextAccess),
)
"""Those that build on labels and runs."""
CAMPAIGN_TABLES = (
    StoredTable(name=tables.DESIGNS, model=CampaignDesign, of="campaign"),
    StoredTable(name=tables.PROPOSED_GOLDS, model=ProposedGold, of="campaign"),
    StoredTable(name=tables.REFUSED_LABELS, model=RefusedLabel, of="campaign"),
    StoredTable(name=tables.CHALLENGES, model=OpenChallenge, of="campaign"),
)
"""Those that build on campaigns."""
