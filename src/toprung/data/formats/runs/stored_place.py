"""Where did a stored run put the labelled documents? Told by its index, a million rows in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from toprung.arrays import np
from toprung.data.formats.runs import compiled
from toprung.data.formats.runs.stored_index import StoredIndex
from toprung.data.placement import Placement, PlacementArrays
from toprung.data.qrels import Qrels

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class WantedHashes:
    """The labelled documents, made ready to be looked up in as many stored runs as there are."""

    qrels: Qrels
    hashes: NDArray[np.uint64]
    """By query, and rising within it."""
    rows: NDArray[np.int64]
    """Which row of the labels each hash is."""
    query_places: dict[bytes, int]

    @classmethod
    def of(cls, qrels: Qrels) -> Self:
        hashes = compiled.hash_packed(qrels.packed_doc_ids)
        rows = np.lexsort((hashes, qrels.query_of_row))
        places = {query_id.encode(): place for place, query_id in enumerate(qrels.query_ids)}
        return cls(qrels, hashes[rows], rows, places)

    @property
    def starts(self) -> NDArray[np.int64]:
        return self.qrels.starts

    def find_queries(self, index: StoredIndex) -> NDArray[np.int64]:
        """For each query of the run which of the labels it is, or -1."""
        data, ends = index.query_ids.data, index.query_ids.ends.tolist()
        ids = (data[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True))
        return np.fromiter((self.query_places.get(each, -1) for each in ids), dtype=np.int64, count=len(ends))


def place_stored(index: StoredIndex, wanted: WantedHashes, *, name: str) -> Placement:
    arrays = PlacementArrays.empty(wanted.qrels)
    query = wanted.find_queries(index)
    compiled.place_stored(index, wanted, query, arrays)
    unknown = int(np.count_nonzero(query < 0))
    return arrays.finish(name, wanted.qrels, n_rows=len(index.hashes), n_unknown=unknown, n_contradicting=0)
