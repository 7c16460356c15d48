"""Are two runs nearly the same? What their top lists have in common, over all queries.

Documents are told apart by 64-bit hashes of their ids: what is the same is never missed, and that two others of a query
meet is less likely than that a disk lies.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from toprung.data.run import Run
from toprung.errors import InputError
from toprung.stats.inputs import Ints
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


@dataclass(frozen=True, eq=False, kw_only=True)
class TopOfRun:
    """The first documents of every query of a run, to be compared with others."""

    query_ids: tuple[str, ...]
    """In the order of their letters."""
    hashes: NDArray[np.uint64]
    """Of the documents: places × queries; anything below the last one."""
    lengths: Ints
    """How many of the places are taken, for each query."""

    @classmethod
    def of(cls, run: Run, depth: int) -> Self:
        """The first ``depth`` documents; places have no gaps, whatever the ranks are."""
        if depth < 1:
            raise InputError(f"depth: found {depth}; expected at least 1.")
        places = np.arange(len(run)) - run.starts[run.query_of_row]
        is_kept = places < depth
        hashes = np.zeros((depth, len(run.query_ids)), dtype=np.uint64)
        of_rows = run.doc_ids.gather(np.flatnonzero(is_kept)).hash().to_numpy()
        hashes[places[is_kept], run.query_of_row[is_kept]] = of_rows
        order = sorted(range(len(run.query_ids)), key=run.query_ids.__getitem__)
        return cls(
            query_ids=tuple(run.query_ids[query] for query in order),
            hashes=hashes[:, order],
            lengths=np.minimum(np.diff(run.starts), depth)[order],
        )

    def spread(self, query_ids: tuple[str, ...]) -> Self:
        """The same with columns for these queries; one that the run lacks has no document."""
        if query_ids == self.query_ids:
            return self
        place_of = {query_id: place for place, query_id in enumerate(query_ids)}
        places = [place_of[query_id] for query_id in self.query_ids]
        hashes = np.zeros((len(self.hashes), len(query_ids)), dtype=np.uint64)
        lengths = np.zeros(len(query_ids), dtype=np.int64)
        hashes[:, places], lengths[places] = self.hashes, self.lengths
        return replace(self, query_ids=query_ids, hashes=hashes, lengths=lengths)


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
