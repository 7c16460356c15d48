"""Where did a run put the documents that carry a label? All that scoring needs to know of a run."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

from toprung.data.held import INT32, as_array, buffer_of, hold, holds_arrays
from toprung.data.qrels import Qrels
from toprung.records import record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

type Ranks = NDArray[np.int32]


@holds_arrays(rank=INT32, tie_first=INT32, tie_last=INT32, retrieved=INT32, rank_32_bit=INT32)
@record(eq=False, kw_only=True)
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
        return bytes(self.buffer("tie_first")) != bytes(self.buffer("tie_last"))

    @property
    def has_known_queries(self) -> bool:
        """Whether the run has any of the labelled queries."""
        return any(self.buffer("retrieved"))

    def buffer(self, name: str) -> Any:
        """A field for compiled code: no array is made of it."""
        return buffer_of(self, name)


class PlacementArrays(NamedTuple):
    """The numbers of a placement while they are being filled."""

    rank: array[int]
    tie_first: array[int]
    tie_last: array[int]
    retrieved: array[int]
    rank_32_bit: array[int]
    """Only where it is another rank; else 0."""

    @classmethod
    def empty(cls, qrels: Qrels) -> PlacementArrays:
        sizes = (len(qrels), len(qrels), len(qrels), qrels.n_queries, len(qrels))
        return cls(*(array(INT32, bytes(4 * size)) for size in sizes))

    def finish(self, run: str, qrels: Qrels, *, n_rows: int, n_unknown: int, n_contradicting: int) -> Placement:
        return Placement(
            run=run,
            qrels=qrels,
            rank=as_array(self.rank),
            tie_first=as_array(self.tie_first),
            tie_last=as_array(self.tie_last),
            retrieved=as_array(self.retrieved),
            n_rows=n_rows,
            n_unknown_queries=n_unknown,
            n_contradicting_queries=n_contradicting,
            rank_32_bit=self._ranks_32_bit(),
        )

    def _ranks_32_bit(self) -> Ranks | None:
        if not any(self.rank_32_bit):
            return None
        return hold(INT32, (moved or rank for moved, rank in zip(self.rank_32_bit, self.rank, strict=True)))
