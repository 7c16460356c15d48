"""What of a bundle was looked at so far? Names that other tables may use, and files that a row speaks of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from toprung.boards.archive import tables
from toprung.boards.archive.bundle import Bundle
from toprung.boards.archive.references import Known
from toprung.boards.archive.rows import Row


@dataclass(kw_only=True)
class Contents:
    """What was found so far, as far as other tables name it."""

    people: set[str] = field(default_factory=set)
    teams: set[str] = field(default_factory=set)
    label_sets: dict[tuple[str, str, int], bool] = field(default_factory=dict)
    """Each with whether its file is in the bundle."""
    hidden_labels: set[tuple[str, str, int]] = field(default_factory=set)
    runs: dict[str, Row] = field(default_factory=dict)
    campaigns: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def known(self) -> Known:
        return {
            tables.PEOPLE: self.people,
            tables.TEAMS: self.teams,
            tables.LABEL_SETS: self.label_sets,
            tables.RUNS: self.runs,
            tables.CAMPAIGNS: self.campaigns,
        }


def check_file(bundle: Bundle, row: Row, name: str, digest: str | None, found: Contents) -> None:
    member = bundle.manifest.by_name.get(name)
    if member is None:
        row.refuse(f"no file {name[:80]}", "one")
    if digest is not None and digest != f"sha256:{member.sha256}":
        row.refuse(f"another digest than that of {name}", "the same")
    found.files.add(name)
