"""Does what the bundle says hold together? The audit chain, the numbers of claims, charges, and everything named."""

from __future__ import annotations

from toprung.boards.archive import tables
from toprung.boards.archive.bundle import Bundle
from toprung.boards.archive.chain import Chain
from toprung.boards.archive.checking_judging import check_campaigns, check_data_files, check_records
from toprung.boards.archive.contents import Contents, check_file
from toprung.boards.archive.references import read_names
from toprung.boards.archive.rows import Row
from toprung.errors import FormatError

FAILED = "failed"
NAMING = (
    tables.REFUSED,
    tables.EDITS,
    tables.COLUMNS,
    tables.STANDINGS,
    tables.ACCESSES,
    tables.ANNOUNCEMENTS,
    tables.TERMS,
    tables.TEXT_ACCESSES,
)
"""Tables whose rows only name others."""


def check_contents(bundle: Bundle) -> None:
    """Raise a FormatError for the first thing that does not follow from the rest."""
    missing = [name for name in (tables.BOARD, *tables.TABLES) if name not in bundle.manifest.by_name]
    if missing:
        raise FormatError(source=bundle.source, found=f"no {missing[0]}", expected="all tables of a bundle")
    found = Contents()
    for check in (
        _check_people,
        _check_label_sets,
        _check_runs,
        _check_board,
        _check_charges,
        _check_claims,
        _check_named,
        check_data_files,
        check_campaigns,
        check_records,
        _check_audit,
    ):
        check(bundle, found)
    _check_members(bundle, found)
    _check_counts(bundle, found)


def _check_people(bundle: Bundle, found: Contents) -> None:
    for table, key, names in ((tables.PEOPLE, "who", found.people), (tables.TEAMS, "slug", found.teams)):
        for row in bundle.rows(table):
            name = row.text(key)
            row.text("name")
            if name in names:
                row.refuse(f"'{name[:80]}' twice", "each once")
            names.add(name)
    found.counts["teams"] = len(found.teams)


def _check_label_sets(bundle: Bundle, found: Contents) -> None:
    hidden_files = False
    for place, row in enumerate(bundle.rows(tables.LABEL_SETS), start=1):
        labels = row.text("use"), row.text("name"), row.whole("version")
        has_file = row.is_so("has_file")
        if labels in found.label_sets:
            row.refuse("a version of labels twice", "each once")
        read_names(row, tables.LABEL_SETS, found.known)
        found.label_sets[labels] = has_file
        is_hidden = row.is_so("is_hidden")
        if is_hidden:
            found.hidden_labels.add(labels)
        if has_file:
            check_file(bundle, row, tables.label_file(place), row.text("digest"), found)
            hidden_files = hidden_files or is_hidden
        elif not is_hidden:  # who gives hidden labels again would make them public
            row.refuse("public labels without their file", "the file, for it is no secret")
    found.counts["label_sets"] = len(found.label_sets)
    if hidden_files and not bundle.facts.has_hidden_labels:
        raise FormatError(
            source=bundle.source, found="hidden labels", expected="none, for the manifest says that there are none"
        )


def _check_runs(bundle: Bundle, found: Contents) -> None:
    for number, row in enumerate(bundle.rows(tables.RUNS), start=1):
        label = row.text("label")
        if row.whole("number") != number or label in found.runs:
            row.refuse(f"run {label[:20]} with number {row.whole('number'):,}", f"the next run, number {number:,}")
        read_names(row, tables.RUNS, found.known)
        row.text("state")
        check_file(bundle, row, tables.original_file(label), row.text("digest"), found)
        check_file(bundle, row, tables.parquet_file(label), None, found)
        kept = {name: row[name] for name in ("number", "team", "state", "is_baseline")}
        found.runs[label] = Row(source=row.source, line=row.line, values=kept)
    found.counts["runs"] = len(found.runs)


def _check_board(bundle: Bundle, found: Contents) -> None:
    row = bundle.row(tables.BOARD)
    if row.text("slug") != bundle.facts.board or row.text("title") != bundle.facts.title:
        row.refuse("another board", "that of the manifest")
    read_names(row, tables.BOARD, found.known)


def _check_charges(bundle: Bundle, found: Contents) -> None:
    charged = set()
    for row in bundle.rows(tables.CHARGES):
        run = row.one_of("run", found.runs, "a run")
        if run in charged or row["team"] != found.runs[run]["team"]:
            row.refuse(f"a charge of {run} for {row['team']!r}", "one for each run, of its own team")
        charged.add(run)
    found.counts["charges"] = len(charged)
    for run, row in found.runs.items():
        if row["team"] is not None and row["state"] != FAILED and run not in charged:
            row.refuse(f"no charge for {run}", "one for every run of a team")


def _check_claims(bundle: Bundle, found: Contents) -> None:
    claimed = set()
    for number, row in enumerate(bundle.rows(tables.CLAIMS), start=1):
        names = read_names(row, tables.CLAIMS, found.known)
        run, holder = names["run"], names["holder"]
        if row.whole("number") != number or run in claimed or run == holder:
            row.refuse(f"claim {row.whole('number'):,} of {run} against {holder}", f"claim {number:,}, the next")
        claimed.add(run)
    found.counts["claims"] = len(claimed)


def _check_named(bundle: Bundle, found: Contents) -> None:
    """Tables whose rows stand by themselves, but for whom and what they name."""
    for table in NAMING:
        for row in bundle.rows(table):
            names = read_names(row, table, found.known)
            if table == tables.COLUMNS:
                _check_column(row, has_labels=found.label_sets[names["labels"]])
    found.counts["results"] = sum(1 for _ in bundle.rows(tables.RESULTS))
    found.counts["announcements"] = sum(1 for _ in bundle.rows(tables.ANNOUNCEMENTS))


def _check_column(row: Row, *, has_labels: bool) -> None:
    """Scores of single queries come with the labels they are of, or not at all."""
    if (row.text_or_none("packed") is not None) != has_labels:
        has = "with" if has_labels else "without"
        row.refuse("scores of queries without their labels, or the other way", f"a column {has} them")


def _check_audit(bundle: Bundle, found: Contents) -> None:
    chain = Chain(bundle.facts.board)
    for row in bundle.rows(tables.AUDIT):
        for name in ("at", "who", "what", "previous", "digest"):
            row.text(name)
        row.whole("number")
        if not isinstance(row["details"], dict) or not chain.follows(row.values):
            row.refuse(f"an audit entry that does not follow from entry {chain.n:,}", f"entry {chain.n + 1:,}")
    if chain.head != bundle.facts.audit_head:
        raise FormatError(
            source=f"{bundle.source}, {tables.AUDIT}", found="another last entry", expected="that of the manifest"
        )
    found.counts["audit_entries"] = chain.n


def _check_members(bundle: Bundle, found: Contents) -> None:
    known = {tables.BOARD, *tables.TABLES, *found.files}
    surplus = [name for name in bundle.manifest.by_name if name not in known]
    if surplus:
        raise FormatError(
            source=bundle.source, found=f"{surplus[0]}, which no table names", expected="what the tables name alone"
        )


def _check_counts(bundle: Bundle, found: Contents) -> None:
    for name, count in bundle.facts.counts.items():
        if count != found.counts[name]:
            raise FormatError(
                source=bundle.source,
                found=f"{found.counts[name]:,} {name.replace('_', ' ')}",
                expected=f"{count:,}, as the manifest says",
            )
