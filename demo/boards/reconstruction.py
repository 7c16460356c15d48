"""The published reconstruction: 13 synthetic runs after the tables of Lin et al. (SIGIR 2021), said to be what it is.

The dates of runs.csv are moved so that the last run came a few days ago: embargoes and quotas are about days that are
near.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from demo.build import main as build_files

from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.data.run_metadata import Metadata

KNOWN = Path(__file__).parents[1] / "runs.csv"
N_DEV = 200
"""Of the private queries, those whose labels are public here, for dry runs."""
DAYS_SINCE_LAST = 12
EMBARGOED = "R12"
EMBARGO_DAYS = 180


def build(folder: Path) -> None:
    """The first of the private queries are for dry runs, the others stay private."""
    build_files(folder)
    lines = (folder / "private.qrels").read_text().splitlines(keepends=True)
    (folder / "dev-queries.qrels").write_text("".join(lines[:N_DEV]))
    (folder / "private-queries.qrels").write_text("".join(lines[N_DEV:]))


def known_of_runs() -> Metadata:
    """As runs.csv says it, moved to these days; all are submissions, so that their labels are their names."""
    known = read_metadata(KNOWN)
    last = max(known.dates().values())
    moved_by = datetime.now(UTC).date() - timedelta(days=DAYS_SINCE_LAST) - last
    until = datetime.now(UTC).date() + timedelta(days=EMBARGO_DAYS)
    entries = [
        replace(
            entry,
            date=entry.date + moved_by,
            is_baseline=False,
            anonymous_until=until if entry.name == EMBARGOED else None,
        )
        for entry in known.entries
        if entry.date is not None
    ]
    return replace(known, entries=tuple(entries))
