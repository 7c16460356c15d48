"""Which labelled documents stand where? What every measure is computed from.

One ranking of a run serves all measures; the lowest and highest it could be if ties were broken otherwise
are two more rankings of the same kind.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Self

from toprung.arrays import np
from toprung.data.held import INT64, buffer_of, hold, holds_arrays
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

type Ints = NDArray[np.int64]
type Floats = NDArray[np.float64]


@holds_arrays(index_of=INT64)
@record(eq=False)
class LabelledQueries:
    """The queries that are scored, those with at least one relevant document, sorted by id.

    ``index_of`` maps the labels' queries to them; queries without a relevant document are left out (-1).
    """

    qrels: Qrels
    query_ids: tuple[str, ...]
    index_of: Ints

    @classmethod
    def of(cls, qrels: Qrels) -> Self:
        scored = sorted(compress(range(qrels.n_queries), qrels.has_relevant), key=qrels.query_ids.__getitem__)
        index_of = [-1] * qrels.n_queries
        for index, query in enumerate(scored):
            index_of[query] = index
        return cls(qrels, tuple(qrels.query_ids[query] for query in scored), hold(INT64, index_of))

    def __len__(self) -> int:
        return len(self.query_ids)

    @property
    def n_left_out(self) -> int:
        """Queries of the labels that have no relevant document."""
        return self.qrels.n_queries - len(self)

    @cached_property
    def query_of_row(self) -> Ints:
        """For each row of the labels the scored query it belongs to, or -1."""
        return self.index_of[self.qrels.query_of_row]

    def count_relevant(self, rel: int) -> Ints:
        """How many documents of grade ``rel`` or more each query has."""
        is_relevant = (self.qrels.grades >= rel) & (self.query_of_row >= 0)
        return np.bincount(self.query_of_row[is_relevant], minlength=len(self))

    @cached_property
    def places(self) -> list[int]:
        """For each scored query its place among those of the labels."""
        index_of = buffer_of(self, "index_of").tolist()
        return sorted((query for query, index in enumerate(index_of) if index >= 0), key=index_of.__getitem__)

    def count_retrieved(self, placement: Placement) -> Ints:
        """How many documents a run has for each query, labelled or not."""
        is_scored = self.index_of >= 0
        retrieved = np.zeros(len(self), dtype=np.int64)
        retrieved[self.index_of[is_scored]] = placement.retrieved[is_scored]
        return retrieved

    @cached_property
    def ideal(self) -> RankedLabels:
        """The best possible ranking: for each query its labelled documents, best grade first."""
        rows = np.flatnonzero(self.query_of_row >= 0)
        rows = rows[np.lexsort((-self.qrels.grades[rows], self.query_of_row[rows]))]
        query = self.query_of_row[rows]
        retrieved = np.bincount(query, minlength=len(self))
        rank = 1 + np.arange(len(rows)) - np.repeat(np.cumsum(retrieved) - retrieved, retrieved)
        return RankedLabels(self, query, rank, self.qrels.grades[rows].astype(np.int64), rank, rank, retrieved)


@record(eq=False)
class RankedLabels:
    """The retrieved labelled documents of one run: query, rank and grade of each, by query, then by rank.

    ``tie_first`` and ``tie_last`` are the ranks its ties would allow. ``retrieved`` says for each scored query how many
    documents the run has, labelled or not.
    """

    labels: LabelledQueries
    query: Ints
    rank: Ints
    grade: Ints
    tie_first: Ints
    tie_last: Ints
    retrieved: Ints

    @classmethod
    def of(cls, placement: Placement, labels: LabelledQueries) -> Self:
        """The ranking in force."""
        return cls._arrange(placement, labels, placement.rank)

    @classmethod
    def best_of_ties(cls, placement: Placement, labels: LabelledQueries) -> Self:
        """Every tie broken in favour of the better label."""
        index = _index_in_tie(placement, labels)
        return cls._arrange(placement, labels, placement.tie_first + index)

    @classmethod
    def worst_of_ties(cls, placement: Placement, labels: LabelledQueries) -> Self:
        """Every tie broken against the better label, and against whatever is labelled at all."""
        index = _index_in_tie(placement, labels)
        return cls._arrange(placement, labels, placement.tie_last - index)

    @classmethod
    def _arrange(cls, placement: Placement, labels: LabelledQueries, rank: NDArray[np.int32]) -> Self:
        rows = np.flatnonzero((placement.rank > 0) & (labels.query_of_row >= 0))
        rows = rows[np.argsort((labels.query_of_row[rows] << 32) | rank[rows])]  # by query, then by rank, in one number
        grades = labels.qrels.grades[rows].astype(np.int64)
        retrieved = labels.count_retrieved(placement)
        tie_first, tie_last = placement.tie_first[rows].astype(np.int64), placement.tie_last[rows].astype(np.int64)
        ranks = rank[rows].astype(np.int64)
        return cls(labels, labels.query_of_row[rows], ranks, grades, tie_first, tie_last, retrieved)

    def up_to(self, cutoff: int | None) -> Self:
        """Only the documents among the first ``cutoff``."""
        return self if cutoff is None else self._keep(self.rank <= cutoff)

    def relevant(self, rel: int) -> Self:
        """Only the documents of grade ``rel`` or more."""
        return self._keep(self.grade >= rel)

    def _keep(self, kept: NDArray[np.bool_]) -> Self:
        return replace(
            self,
            query=self.query[kept],
            rank=self.rank[kept],
            grade=self.grade[kept],
            tie_first=self.tie_first[kept],
            tie_last=self.tie_last[kept],
        )

    def sum_by_query(self, values: Floats) -> Floats:
        """Add up, for each scored query, the values of its documents."""
        return np.bincount(self.query, weights=values, minlength=len(self.labels))

    def count_by_query(self) -> Ints:
        """How many documents each scored query has here."""
        return np.bincount(self.query, minlength=len(self.labels))

    def place_in_query(self) -> Ints:
        """For each document its place, from 1, among those of its query here."""
        counts = self.count_by_query()
        return 1 + np.arange(len(self.query)) - np.repeat(np.cumsum(counts) - counts, counts)


def _index_in_tie(placement: Placement, labels: LabelledQueries) -> NDArray[np.int32]:
    """For each label row its place, from 0, among the labelled documents it ties with, best grade first."""
    order = np.lexsort((-labels.qrels.grades, placement.tie_first, labels.qrels.query_of_row))
    query, first = labels.qrels.query_of_row[order], placement.tie_first[order]
    is_start = np.ones(len(order), dtype=bool)
    is_start[1:] = (query[1:] != query[:-1]) | (first[1:] != first[:-1])
    position = np.arange(len(order))
    index = np.empty(len(order), dtype=np.int32)
    index[order] = position - np.maximum.accumulate(np.where(is_start, position, 0))
    return index


def ratio(numerator: Floats | Ints, denominator: Floats | Ints) -> Floats:
    """Divide query by query; 0 where there is nothing to divide by."""
    return np.divide(numerator, denominator, out=np.zeros(len(numerator)), where=denominator != 0)
