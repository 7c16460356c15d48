"""Where does a run put the documents that any of several sets of labels names? One reading of its file serves all sets.

A run is placed on all labels joined; what each set needs is taken from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toprung.data.placement import Placement
from toprung.data.qrels import Qrels

type Rows = NDArray[np.int64]
type Place = Callable[[Qrels], Placement]


@dataclass(frozen=True, eq=False)
class JoinedLabels:
    """Several sets of labels as one. Of a document that several name the first grade is kept: placing asks for none."""

    qrels: Qrels
    _known: dict[Qrels, tuple[Rows, Rows] | None] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, several: Iterable[Qrels]) -> JoinedLabels:
        joined: dict[str, dict[str, int]] = {}
        for each in several:
            for query_id, docs in each.to_dict().items():
                joined[query_id] = docs | joined.get(query_id, {})
        return cls(Qrels.from_dict(joined))

    def place_once(self, place: Place) -> Place:
        """The same as ``place``, but for labels that are all here it is called once, whichever of them are asked for.

        >>> from toprung.data.place import place_run
        >>> from toprung.data.run import Run
        >>> run = Run.from_dict({"q1": {"d1": 2.0, "d2": 1.0}})
        >>> one, other = Qrels.from_dict({"q1": {"d1": 1}}), Qrels.from_dict({"q1": {"d2": 1}})
        >>> place = JoinedLabels.of([one, other]).place_once(lambda qrels: place_run(run, qrels))
        >>> place(one).rank.tolist(), place(other).rank.tolist()
        ([1], [2])
        """
        placed: list[Placement] = []

        def take_from_joined(qrels: Qrels) -> Placement:
            rows = self._rows_of(qrels)
            if rows is None:
                return place(qrels)
            if not placed:
                placed.append(place(self.qrels))
            return _take(placed[0], qrels, *rows)

        return take_from_joined

    def _rows_of(self, qrels: Qrels) -> tuple[Rows, Rows] | None:
        """The places of its judgments and of its queries here; None if one of them is not here."""
        if qrels not in self._known:
            self._known[qrels] = self._look_up(qrels)
        return self._known[qrels]

    def _look_up(self, qrels: Qrels) -> tuple[Rows, Rows] | None:
        try:
            queries = [self._query_places[query_id] for query_id in qrels.query_ids]
            of_row = (qrels.query_ids[query] for query in qrels.query_of_row.tolist())
            rows = [self._row_places[key] for key in zip(of_row, qrels.doc_ids, strict=True)]
        except KeyError:
            return None
        return np.array(rows, dtype=np.int64), np.array(queries, dtype=np.int64)

    @cached_property
    def _query_places(self) -> dict[str, int]:
        return {query_id: place for place, query_id in enumerate(self.qrels.query_ids)}

    @cached_property
    def _row_places(self) -> dict[tuple[str, str], int]:
        of_row = (self.qrels.query_ids[query] for query in self.qrels.query_of_row.tolist())
        return {key: row for row, key in enumerate(zip(of_row, self.qrels.doc_ids, strict=True))}


def _take(placed: Placement, qrels: Qrels, rows: Rows, queries: Rows) -> Placement:
    retrieved = placed.retrieved[queries]
    n_queries = placed.n_unknown_queries + int(np.count_nonzero(placed.retrieved))
    return Placement(
        run=placed.run,
        qrels=qrels,
        rank=placed.rank[rows],
        tie_first=placed.tie_first[rows],
        tie_last=placed.tie_last[rows],
        retrieved=retrieved,
        n_rows=placed.n_rows,
        n_unknown_queries=n_queries - int(np.count_nonzero(retrieved)),
        n_contradicting_queries=placed.n_contradicting_queries,
        rank_32_bit=None if placed.rank_32_bit is None else placed.rank_32_bit[rows],
    )
