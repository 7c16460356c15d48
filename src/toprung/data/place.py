"""Look up labelled documents in rows that are in ranking order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from toprung.data.ordered import OrderedRows
from toprung.data.placement import Placement, PlacementArrays
from toprung.data.qrels import Qrels
from toprung.data.run import Run

if TYPE_CHECKING:
    import polars as pl


def place_run(run: Run, qrels: Qrels, *, float32_ties: bool = False) -> Placement:
    """Where a run held in memory put the labelled documents."""
    arrays = PlacementArrays.empty(qrels)
    unknown = fill_placement(arrays, run.to_ordered(float32_ties=float32_ties), wanted_frame(qrels), qrels)
    return arrays.finish(
        run.name, qrels, n_rows=len(run), n_unknown=unknown, n_contradicting=run.n_contradicting_queries
    )


def wanted_frame(qrels: Qrels) -> pl.DataFrame:
    """The labelled documents as a table that can be joined: query_id, doc_id and the row of the labels."""
    import polars as pl

    query_ids = pl.Series(qrels.query_ids, dtype=pl.String).gather(qrels.query_of_row)
    doc_ids = pl.Series(qrels.doc_ids, dtype=pl.String)
    return pl.DataFrame({"query_id": query_ids, "doc_id": doc_ids, "wanted": np.arange(len(qrels))})


def fill_placement(arrays: PlacementArrays, rows: OrderedRows, wanted: pl.DataFrame, qrels: Qrels) -> int:
    """Write down where the wanted documents stand; returns how many of the rows' queries have no labels."""
    import polars as pl

    candidates = rows.frame.select(pl.col("doc_id").is_in(wanted["doc_id"].unique().implode())).to_series()
    at = np.flatnonzero(candidates.to_numpy())
    found = rows.frame.select("query_id", "doc_id")[at].with_columns(at=at).join(wanted, on=["query_id", "doc_id"])
    at, wanted_rows = found["at"].to_numpy(), found["wanted"].to_numpy()
    arrays.rank[wanted_rows] = rows.ranks[at]

    if rows.scores is None:
        arrays.tie_first[wanted_rows] = arrays.tie_last[wanted_rows] = rows.ranks[at]
    else:
        groups = rows.tie_groups()
        group = np.searchsorted(groups, at, side="right")
        arrays.tie_first[wanted_rows] = rows.ranks[groups[group - 1]]
        arrays.tie_last[wanted_rows] = rows.ranks[groups[group] - 1]

    index_of = {query_id: index for index, query_id in enumerate(qrels.query_ids)}
    unknown = 0
    for query_id, size in zip(rows.query_ids.to_list(), np.diff(rows.starts).tolist(), strict=True):
        index = index_of.get(query_id)
        if index is None:
            unknown += 1
        else:
            arrays.retrieved[index] = size
    return unknown
