"""Look up labelled documents in rows that are in ranking order."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from toprung.arrays import np
from toprung.data.ordered import OrderedRows
from toprung.data.placement import Placement, PlacementArrays
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.data.wanted import WantedDocuments

if TYPE_CHECKING:
    from numpy.typing import NDArray


def place_run(run: Run, qrels: Qrels, *, float32_ties: bool = False) -> Placement:
    """Where a run held in memory put the labelled documents."""
    rows = run.to_ordered(float32_ties=float32_ties)
    return place_rows(rows, WantedDocuments.of(qrels), name=run.name, n_contradicting=run.n_contradicting_queries)


def place_rows(rows: OrderedRows, wanted: WantedDocuments, *, name: str, n_contradicting: int = 0) -> Placement:
    """Where a run put the labelled documents, given as its rows."""
    arrays = PlacementArrays.empty(wanted.qrels)
    unknown = fill_placement(arrays, rows, wanted)
    return arrays.finish(
        name, wanted.qrels, n_rows=rows.frame.height, n_unknown=unknown, n_contradicting=n_contradicting
    )


def fill_placement(arrays: PlacementArrays, rows: OrderedRows, wanted: WantedDocuments) -> int:
    """Write down where the wanted documents stand; returns how many of the rows' queries have no labels."""
    at, wanted_rows = wanted.find(rows)
    first, last = rows.tie_ranks(at)
    in_32_bits = rows.ranks_32_bit(at)
    _to_array(arrays.rank)[wanted_rows] = rows.ranks[at]
    _to_array(arrays.tie_first)[wanted_rows] = first
    _to_array(arrays.tie_last)[wanted_rows] = last
    _to_array(arrays.rank_32_bit)[wanted_rows] = np.where(in_32_bits == rows.ranks[at], 0, in_32_bits)

    found = (wanted.query_places.get(query_id, -1) for query_id in rows.query_ids.to_list())
    places = np.fromiter(found, dtype=np.int64, count=len(rows.query_ids))
    is_known = places >= 0
    _to_array(arrays.retrieved)[places[is_known]] = np.diff(rows.starts)[is_known]
    return int(np.count_nonzero(~is_known))


def _to_array(numbers: array[int]) -> NDArray[np.int32]:
    return np.frombuffer(numbers, dtype=np.int32)
