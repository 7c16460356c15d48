"""Which of all runs of a board may be nearly the same as a file? Told from a few queries, without opening a run.

A sketch holds the first documents of some queries that nobody outside can foresee: who knew them would change these and
copy the rest. What is alike by its sketch is read and compared; what is not is not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from toprung.boards.policy import SmallChanges
from toprung.boards.similarity import DEPTH
from toprung.data.run import Run

type Sketch = Mapping[str, list[str]]
"""By the digest of a query those of its first documents."""

OF_THIS_SERVER = ("sketch", "compared_until")
"""What the report of a check has of it: no other server can use it, and it would tell which queries were chosen."""
N_QUERIES = 24
FEWEST_SHARED = 8
"""Queries that two sketches must both have: those that were made by another server's choice hardly do."""
LEAST_IDENTICAL, LEAST_OVERLAP = 0.3, 0.6
"""Of what the rule asks: a run that is just nearly the same has that much on so few queries too, 99 times in 100."""
QUERY_BYTES, DOCUMENT_BYTES = 4, 2


def choose_queries(query_ids: Iterable[str], key: bytes) -> frozenset[str]:
    """Those that a sketch is of: the same as long as the queries are there, whichever come beside them."""
    return frozenset(sorted(query_ids, key=lambda each: hashlib.blake2b(each.encode(), key=key).digest())[:N_QUERIES])


def sketch_of(run: Run, chosen: Collection[str]) -> dict[str, list[str]]:
    rows = run.top(DEPTH).to_frame().select("query_id", "doc_id")
    found: dict[str, list[str]] = {_digest(query_id, QUERY_BYTES): [] for query_id in sorted(chosen)}
    for query_id, doc_id in rows.iter_rows():
        if query_id in chosen:
            found[_digest(query_id, QUERY_BYTES)].append(_digest(doc_id, DOCUMENT_BYTES))
    return found


def without_sketch(report: Mapping[str, Any]) -> dict[str, Any]:
    """The report of a check as it leaves the server, or comes from another."""
    return {name: value for name, value in report.items() if name not in OF_THIS_SERVER}


def likeness(one: Sketch, other: Sketch, rule: SmallChanges) -> float:
    """How near two runs come to what the rule calls nearly the same, as far as their sketches tell; 0 is not near."""
    shared = one.keys() & other.keys()
    if len(shared) < FEWEST_SHARED:
        return 0.0
    pairs = [(one[query], other[query]) for query in shared]
    identical = sum(a == b for a, b in pairs) / len(pairs) / rule.identical
    overlap = sum(_overlap(a, b) for a, b in pairs) / len(pairs) / rule.rbo
    is_near = identical >= LEAST_IDENTICAL or overlap >= LEAST_OVERLAP
    return max(identical, overlap) if is_near else 0.0


def _overlap(one: Collection[str], other: Collection[str]) -> float:
    return len({*one} & {*other}) / max(len(one), len(other), 1)


def _digest(text: str, size: int) -> str:
    return hashlib.blake2b(text.encode(), digest_size=size).hexdigest()
