"""Where did a run put the documents that carry a label? All that scoring needs to know of a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toprung.data.qrels import Qrels

Ranks = NDArray[np.int32]


@dataclass(frozen=True, eq=False, kw_only=True)
class Placement:
    """The ranks of the labelled documents in one run.

    ``rank``, ``tie_first`` and ``tie_last`` run along the rows of the labels: the document's rank (0 = not
    retrieved) and the first and last rank it could have had if its ties were broken otherwise.
    ``retrieved`` runs along their queries: how many documents the run has for each (0 = query missing).
    """

    run: str
    qrels: Qrels
    rank: Ranks
    tie_first: Ranks
    tie_last: Ranks
    retrieved: Ranks
    n_rows: int
    """Lines of the whole run."""
    n_unknown_queries: int
    """Queries of the run that have no labels."""
    n_contradicting_queries: int
    """Queries whose rank column says another order than the scores."""
    rank_32_bit: Ranks | None = None
    """The ranks that 32-bit scores would give, of which more tie; None where no labelled document would move."""

    @property
    def has_ties(self) -> bool:
        """Whether another way to break ties could move any labelled document."""
        return bool((self.tie_first != self.tie_last).any())


@dataclass(frozen=True, eq=False)
class PlacementArrays:
    """The arrays of a placement while they are being filled."""

    rank: Ranks
    tie_first: Ranks
    tie_last: Ranks
    retrieved: Ranks
    rank_32_bit: Ranks
    """Only where it is another rank; else 0."""

    @classmethod
    def empty(cls, qrels: Qrels) -> PlacementArrays:
        sizes = (len(qrels), len(qrels), len(qrels), qrels.n_queries, len(qrels))
        return cls(*(np.zeros(size, dtype=np.int32) for size in sizes))

    def finish(self, run: str, qrels: Qrels, *, n_rows: int, n_unknown: int, n_contradicting: int) -> Placement:
        for array in (self.rank, self.tie_first, self.tie_last, self.retrieved):
            array.setflags(write=False)
        return Placement(
            run=run,
            qrels=qrels,
            rank=self.rank,
            tie_first=self.tie_first,
            tie_last=self.tie_last,
            retrieved=self.retrieved,
            n_rows=n_rows,
            n_unknown_queries=n_unknown,
            n_contradicting_queries=n_contradicting,
            rank_32_bit=self._ranks_32_bit(),
        )

    def _ranks_32_bit(self) -> Ranks | None:
        is_moved = self.rank_32_bit > 0
        return np.where(is_moved, self.rank_32_bit, self.rank) if is_moved.any() else None
