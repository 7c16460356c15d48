"""Are two runs nearly the same? What their top lists have in common, over all queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from toprung.data.run import Run
from toprung.errors import InputError
from toprung.stats.inputs import Ints
from toprung.stats.ranks.overlap import PERSISTENCE, extrapolated_overlap

if TYPE_CHECKING:
    import polars as pl

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


def run_similarity(a: Run, b: Run, *, depth: int = DEPTH, p: float = PERSISTENCE) -> Similarity:
    """Compare the first ``depth`` documents of two runs on every query.

    >>> first = Run.from_dict({"q1": {"x": 3, "y": 2}, "q2": {"x": 2, "y": 1}})
    >>> second = Run.from_dict({"q1": {"x": 9, "y": 8}, "q2": {"z": 1}})
    >>> run_similarity(first, second)
    Similarity(rbo=0.5, identical=0.5, n_queries=2)
    """
    from toprung.extras.frames import pl

    if depth < 1:
        raise InputError(f"depth: found {depth}; expected at least 1.")
    of_a, of_b = _top_lists(a, depth), _top_lists(b, depth)
    query_ids = pl.concat([of_a["query_id"], of_b["query_id"]]).unique().sort()
    rows = pl.DataFrame({"query_id": query_ids}).with_row_index("query")
    shared = of_a.join(of_b, on=["query_id", "doc_id"]).join(rows, on="query_id")
    queries = shared["query"].to_numpy()
    rank_in_a, rank_in_b = shared["place"].to_numpy(), shared["place_right"].to_numpy()
    met = np.zeros((len(query_ids), depth), dtype=np.int64)
    np.add.at(met, (queries, np.maximum(rank_in_a, rank_in_b) - 1), 1)
    lengths = _lengths(of_a, rows), _lengths(of_b, rows)
    alike = np.bincount(queries[rank_in_a == rank_in_b], minlength=len(query_ids))
    rbo = extrapolated_overlap(met.cumsum(axis=1), *lengths, p=p)
    return Similarity(
        rbo=float(rbo.mean()),
        identical=float(((alike == lengths[0]) & (alike == lengths[1])).mean()),
        n_queries=len(query_ids),
    )


def _top_lists(run: Run, depth: int) -> pl.DataFrame:
    """The first documents of each query with their places, which have no gaps."""
    from toprung.extras.frames import pl

    frame = run.to_frame().select("query_id", "doc_id")
    places = np.arange(len(run)) - run.starts[run.query_of_row] + 1
    return frame.with_columns(pl.Series("place", places)).filter(pl.col("place") <= depth)


def _lengths(top_lists: pl.DataFrame, rows: pl.DataFrame) -> Ints:
    counted = rows.join(top_lists.group_by("query_id").len(), on="query_id", how="left").sort("query")
    lengths: Ints = counted["len"].fill_null(0).to_numpy().astype(np.int64)
    return lengths
