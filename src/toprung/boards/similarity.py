"""Are two runs nearly the same? What their top lists have in common, over all queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.run import Run
from toprung.stats.ranks.overlap import PERSISTENCE, extrapolated_overlap

DEPTH = 10


@dataclass(frozen=True, kw_only=True)
class Similarity:
    """How alike the top lists of two runs are.

    ``rbo`` is the mean rank-biased overlap, ``identical`` the share of queries with the same documents in the same
    order, both over the queries that either run has: a query that one lacks is not alike.
    """

    rbo: float
    identical: float
    n_queries: int


def run_similarity(a: Run, b: Run, *, depth: int = DEPTH, p: float = PERSISTENCE) -> Similarity:
    """Compare the first ``depth`` documents of two runs on every query.

    >>> first = Run.from_dict({"q1": {"x": 3, "y": 2}, "q2": {"x": 2, "y": 1}})
    >>> second = Run.from_dict({"q1": {"x": 9, "y": 8}, "q2": {"z": 1}})
    >>> run_similarity(first, second)
    Similarity(rbo=0.5, identical=0.5, n_queries=2)
    """
    return compare_tops(TopOfRun.of(a, depth), TopOfRun.of(b, depth), p=p)


def compare_tops(a: TopOfRun, b: TopOfRun, *, p: float = PERSISTENCE) -> Similarity:
    """The same of what was taken from two runs, to the same depth."""
    query_ids = a.query_ids if a.query_ids == b.query_ids else tuple(sorted({*a.query_ids, *b.query_ids}))
    one, other = a.spread(query_ids), b.spread(query_ids)
    met = np.zeros((len(one.hashes), len(query_ids)), dtype=np.int16)  # small, to stay in the cache
    alike = np.zeros(len(query_ids), dtype=np.int64)
    is_taken = np.arange(len(other.hashes))[:, None] < other.lengths
    for place, documents in enumerate(one.hashes):
        is_same = other.hashes == documents
        is_same &= is_taken
        is_same &= place < one.lengths
        for earlier in is_same[: place + 1]:
            met[place] += earlier
        met[place + 1 :] += is_same[place + 1 :]
        alike += is_same[place]
    rbo = extrapolated_overlap(met.cumsum(axis=0, dtype=np.int64).T, one.lengths, other.lengths, p=p)
    return Similarity(
        rbo=float(rbo.mean()),
        identical=float(((alike == one.lengths) & (alike == other.lengths)).mean()),
        n_queries=len(query_ids),
    )
