"""The arrays of a placement while they are filled."""

from __future__ import annotations

import numpy as np

from toprung.data.placement import PlacementArrays
from toprung.data.qrels import Qrels

QRELS = Qrels.from_dict({"q1": {"a": 1, "b": 0}, "q2": {"c": 1}})


def test_nothing_is_retrieved_until_it_is_found() -> None:
    placement = PlacementArrays.empty(QRELS).finish("toy", QRELS, n_rows=0, n_unknown=0, n_contradicting=0)
    for column in (placement.rank, placement.tie_first, placement.tie_last):
        assert column.tolist() == [0, 0, 0]
        assert column.dtype == np.int32
    assert placement.retrieved.tolist() == [0, 0]
    assert not placement.has_ties


def test_what_was_found_is_what_is_told() -> None:
    arrays = PlacementArrays.empty(QRELS)
    arrays.rank[1], arrays.tie_first[1], arrays.tie_last[1] = 3, 2, 4
    placement = arrays.finish("toy", QRELS, n_rows=9, n_unknown=2, n_contradicting=1)
    assert placement.rank.tolist() == [0, 3, 0]
    assert placement.has_ties
    assert (placement.n_rows, placement.n_unknown_queries, placement.n_contradicting_queries) == (9, 2, 1)
