"""Do the campaigns and data files of a bundle hold together? Nothing hidden is there unless the manifest says so."""

from __future__ import annotations

from collections import Counter

from toprung.boards.archive import tables
from toprung.boards.archive.bundle import Bundle
from toprung.boards.archive.contents import Contents, check_file
from toprung.boards.archive.references import read_names
from toprung.boards.archive.rows import Row

WITH_TEXTS = ("queries", "passages", "corpus")
"""Kinds of files that come along only if texts were asked for."""
OF_CAMPAIGNS = (tables.DESIGNS, tables.PROPOSED_GOLDS, tables.REFUSED_LABELS, tables.CHALLENGES, tables.ORIGINS)


def check_data_files(bundle: Bundle, found: Contents) -> None:
    names = set()
    for place, row in enumerate(bundle.rows(tables.DATA_FILES), start=1):
        name = row.text("name")
        if name in names:
            row.refuse(f"the file '{name[:80]}' twice", "each once")
        names.add(name)
        read_names(row, tables.DATA_FILES, found.known)
        if row.is_so("has_file"):
            check_file(bundle, row, tables.data_file(place), row.text("digest"), found)
            _check_may_be_there(bundle, row)
        elif not row.text("link"):
            row.refuse(f"neither a file nor a link for '{name[:80]}'", "one of them")
    found.counts["data_files"] = len(names)


def _check_may_be_there(bundle: Bundle, row: Row) -> None:
    if row.is_so("is_hidden"):
        _check_hidden_may_be_there(bundle, row, "a hidden file")
    if row.text("kind") in WITH_TEXTS and not bundle.facts.has_texts:
        row.refuse("a file with texts", "none, for the manifest says that there are none")


def _check_hidden_may_be_there(bundle: Bundle, row: Row, what: str) -> None:
    if not bundle.facts.has_hidden_labels:
        row.refuse(what, "none, for the manifest says that nothing hidden is there")


def check_campaigns(bundle: Bundle, found: Contents) -> None:
    """Judgments of hidden labels tell them: they come along only where the labels do."""
    for row in bundle.rows(tables.CAMPAIGNS):
        slug = row.text("slug")
        if slug in found.campaigns:
            row.refuse(f"the campaign '{slug[:80]}' twice", "each once")
        names = read_names(row, tables.CAMPAIGNS, found.known)
        if names["labels"] in found.hidden_labels:
            _check_hidden_may_be_there(bundle, row, "a campaign on hidden labels")
        found.campaigns.add(slug)
    found.counts["campaigns"] = len(found.campaigns)
    for table in OF_CAMPAIGNS:
        for row in bundle.rows(table):
            names = read_names(row, table, found.known)
            if table == tables.ORIGINS and names["labels"] in found.hidden_labels and row.values.get("doubt"):
                _check_hidden_may_be_there(bundle, row, "answers that hidden labels may have")


def check_records(bundle: Bundle, found: Contents) -> None:
    """Of each kind of a campaign from 1, without a gap: a judgment that was taken out is missed."""
    numbers: Counter[tuple[str, str]] = Counter()
    for row in bundle.rows(tables.RECORDS):
        campaign, kind = read_names(row, tables.RECORDS, found.known)["campaign"], row.text("kind")
        numbers[campaign, kind] += 1
        expected = numbers[campaign, kind]
        if row.whole("number") != expected:
            row.refuse(f"record {row.whole('number'):,} of {kind[:40]}", f"record {expected:,}, the next")
    found.counts["judging_records"] = numbers.total()
