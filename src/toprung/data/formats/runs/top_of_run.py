"""What does a run put first? 64 bits for each of the first documents, by which runs are compared.

What is the same is never missed, and that two others of a query meet is less likely than that a disk lies.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Self

from toprung.arrays import np
from toprung.data.formats.runs import compiled
from toprung.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from toprung.data.run import Run


@dataclass(frozen=True, eq=False, kw_only=True)
class TopOfRun:
    """The first documents of every query of a run, to be compared with others."""

    query_ids: tuple[str, ...]
    """In the order of their letters."""
    hashes: NDArray[np.uint64]
    """Of the documents: places × queries; anything below the last one."""
    lengths: NDArray[np.int64]
    """How many of the places are taken, for each query."""

    @classmethod
    def of(cls, run: Run, depth: int) -> Self:
        """The first ``depth`` documents; places have no gaps, whatever the ranks are."""
        if depth < 1:
            raise InputError(f"depth: found {depth}; expected at least 1.")
        lengths = np.diff(run.starts)
        doc_ids, starts = run.doc_ids, run.starts
        if lengths.max(initial=0) > depth:
            is_kept = np.arange(len(run)) - starts[run.query_of_row] < depth
            doc_ids = doc_ids.filter(is_kept)
            starts = np.concatenate([[0], np.cumsum(np.minimum(lengths, depth))])
        hashes = compiled.hash_series(doc_ids) if compiled.has_scanner() else doc_ids.hash().to_numpy()
        return cls.of_rows(hashes, starts, run.query_ids, depth)

    @classmethod
    def of_rows(
        cls, hashes: NDArray[np.uint64], starts: NDArray[np.int64], query_ids: tuple[str, ...], depth: int
    ) -> Self:
        """Of documents in ranking order, each query's from one start to the next: ``depth`` of them at most."""
        lengths = np.diff(starts)
        if (lengths == depth).all():
            by_query = hashes.reshape(-1, depth)
        else:
            by_query = np.zeros((len(query_ids), depth), dtype=np.uint64)
            by_query[np.arange(depth) < lengths[:, None]] = hashes
        ordered, order = _by_letters(query_ids)
        return cls(query_ids=ordered, hashes=np.ascontiguousarray(by_query[order].T), lengths=lengths[order])

    def to_depth(self, depth: int) -> Self:
        """The same with fewer documents."""
        if not 1 <= depth <= len(self.hashes):
            raise InputError(f"depth: found {depth}; expected 1 to {len(self.hashes)}, the documents that were kept.")
        return replace(self, hashes=self.hashes[:depth], lengths=np.minimum(self.lengths, depth))

    def only(self, query_ids: Collection[str]) -> Self:
        """The same of those of the queries that are among these."""
        is_kept = np.array([query_id in query_ids for query_id in self.query_ids], dtype=bool)
        if is_kept.all():
            return self
        kept = tuple(query_id for query_id, is_one in zip(self.query_ids, is_kept.tolist(), strict=True) if is_one)
        return replace(self, query_ids=kept, hashes=self.hashes[:, is_kept], lengths=self.lengths[is_kept])

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


@lru_cache(maxsize=2)
def _by_letters(query_ids: tuple[str, ...]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The ids in order, and where each stood. One run after the other has the same."""
    order = sorted(range(len(query_ids)), key=query_ids.__getitem__)
    return tuple(query_ids[query] for query in order), np.array(order, dtype=np.int64)
