"""Who looked at hidden labels, and why? Written down before anything is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toprung.errors import InputError
from toprung.web.core.access.reasons import check_reason
from toprung.web.core.models.labels import LabelAccess, LabelSet
from toprung.web.core.models.people import User
from toprung.web.core.store.audit import record
from toprung.web.core.store.columns import labels_of
from toprung.web.core.store.locks import lock_board
from toprung.words.wording import list_names, say_queries

MOST_SHOWN = 500
"""Labels on a page; all of them are in the file."""
MOST_QUERIES = 100
NAMED_QUERIES = 5


@dataclass(frozen=True, kw_only=True)
class SeenLabels:
    """The labels of some queries, as far as a page shows them."""

    rows: list[tuple[str, str, int]]
    """Query, document, grade."""
    n: int
    """How many there are."""
    missing: list[str]
    """Queries that were asked for and are not in the set."""


def read_queries(text: str) -> list[str]:
    """The queries somebody asks for, parted by blanks, commas or lines; none asks for all."""
    queries = list(dict.fromkeys(text.replace(",", " ").split()))
    if len(queries) > MOST_QUERIES:
        raise InputError(f"Queries: found {len(queries):,}; expected {MOST_QUERIES} at most, or none for all.")
    return queries


def note_view(labels: LabelSet, queries: Sequence[str], *, reason: str, by: User) -> LabelAccess:
    """Say it of queries by name where they are few, so that the log tells what was looked at."""
    named = f" ({list_names(list(queries), NAMED_QUERIES)})" if queries else ""
    which = f"labels of {say_queries(len(queries))}{named}" if queries else "labels"
    return _note(labels, f"Viewed {which}, {describe(labels)}", reason=reason, by=by)


def note_download(labels: LabelSet, *, reason: str, by: User) -> LabelAccess:
    return _note(labels, f"Downloaded labels, {describe(labels)}", reason=reason, by=by)


def note_export(labels: LabelSet, *, reason: str, by: User) -> LabelAccess:
    return _note(labels, f"Exported labels, {describe(labels)}", reason=reason, by=by)


def describe(labels: LabelSet) -> str:
    """Which set and version: "official v1", or "extra (graded) v1" where the name says more than the use."""
    name = labels.use if labels.name == labels.use else f"{labels.use} ({labels.name})"
    return f"{name} v{labels.version}"


def see_labels(labels: LabelSet, queries: Sequence[str]) -> SeenLabels:
    """Call it after the access was noted."""
    held = labels_of(labels).to_dict()
    wanted = list(queries) or list(held)
    rows = [(query, doc, grade) for query in wanted for doc, grade in held.get(query, {}).items()]
    return SeenLabels(rows=rows[:MOST_SHOWN], n=len(rows), missing=[query for query in wanted if query not in held])


def _note(labels: LabelSet, what: str, *, reason: str, by: User) -> LabelAccess:
    reason = check_reason(reason)
    what = what[: LabelAccess._meta.get_field("what").max_length]
    with lock_board(labels.board_id) as board:
        access = LabelAccess.objects.create(board=board, label_set=labels, user=by, what=what, reason=reason)
        record(board, by, what, reason=reason, labels=labels.digest)
    return access
