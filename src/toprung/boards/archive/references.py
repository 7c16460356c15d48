"""Whom and what do the rows of a table name? People, teams, runs and labels, which stand in tables of their own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from toprung.boards.archive import tables
from toprung.boards.archive.rows import Row

type Known = Mapping[str, Collection[Any]]
"""By table: how those are called that stand in it."""


@dataclass(frozen=True, kw_only=True)
class Reference:
    """What a field of a row must be the name of."""

    table: str
    what: str
    may_lack: bool = False

    def read(self, row: Row, field: str, known: Known) -> Any:
        """The name; None where nobody is named and nobody needs to be."""
        if self.may_lack and row[field] is None:
            return None
        if self.table != tables.LABEL_SETS:
            return row.one_of(field, known[self.table], self.what)
        labels = row.labels(field)
        if labels not in known[self.table]:
            row.refuse("labels that are not there", "a version of labels that is in the bundle")
        return labels


RUN = Reference(table=tables.RUNS, what="a run")
TEAM = Reference(table=tables.TEAMS, what="a team")
PERSON = Reference(table=tables.PEOPLE, what="a person")
LABELS = Reference(table=tables.LABEL_SETS, what="labels")
CAMPAIGN = Reference(table=tables.CAMPAIGNS, what="a campaign")
CAMPAIGN_IF_ANY = Reference(table=tables.CAMPAIGNS, what="a campaign", may_lack=True)
RUN_IF_ANY = Reference(table=tables.RUNS, what="a run", may_lack=True)
TEAM_IF_ANY = Reference(table=tables.TEAMS, what="a team", may_lack=True)
PERSON_IF_ANY = Reference(table=tables.PEOPLE, what="a person", may_lack=True)

REFERENCES: dict[str, dict[str, Reference]] = {
    tables.BOARD: {"holder": RUN_IF_ANY},
    tables.LABEL_SETS: {"published_by": PERSON_IF_ANY},
    tables.RUNS: {"team": TEAM_IF_ANY, "user": PERSON, "sent_by": PERSON},
    tables.REFUSED: {"run": RUN, "team": TEAM_IF_ANY, "user": PERSON},
    tables.EDITS: {"run": RUN, "user": PERSON},
    tables.CHARGES: {"run": RUN, "team": TEAM},
    tables.COLUMNS: {"run": RUN, "labels": LABELS},
    tables.CLAIMS: {"run": RUN, "holder": RUN, "labels": LABELS, "voided_by": PERSON_IF_ANY},
    tables.STANDINGS: {"run": RUN},
    tables.RESULTS: {},
    tables.AUDIT: {},
    tables.ACCESSES: {"labels": LABELS, "user": PERSON},
    tables.ANNOUNCEMENTS: {"by": PERSON},
    tables.DATA_FILES: {"added_by": PERSON_IF_ANY},
    tables.TERMS: {"by": PERSON_IF_ANY},
    tables.TEXT_ACCESSES: {"user": PERSON_IF_ANY},
    tables.CAMPAIGNS: {"labels": LABELS, "created_by": PERSON},
    tables.DESIGNS: {"campaign": CAMPAIGN},
    tables.PROPOSED_GOLDS: {"campaign": CAMPAIGN},
    tables.REFUSED_LABELS: {"campaign": CAMPAIGN, "by": PERSON},
    tables.CHALLENGES: {"campaign": CAMPAIGN, "run": RUN},
    tables.ORIGINS: {"labels": LABELS, "campaign": CAMPAIGN_IF_ANY},
    tables.RECORDS: {"campaign": CAMPAIGN},
}
"""By table, each field that names something."""


def read_names(row: Row, table: str, known: Known) -> dict[str, Any]:
    """By field, what a row names; a FormatError says which is not there."""
    return {field: each.read(row, field, known) for field, each in REFERENCES[table].items()}
