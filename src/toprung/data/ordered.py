"""In which order does a run rank its documents? Decided here, once, for every measure.

TREC runs: score descending, then doc_id descending; the rank column is never trusted. MS MARCO runs: the
rank column. Only queries and ties that are not in order yet are sorted, since most files already are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toprung.arrays import np
from toprung.records import record

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

type Positions = NDArray[np.int64]


@record(eq=False)
class OrderedRows:
    """The rows of a run in ranking order, the rows of each query together.

    ``frame`` has the columns query_id, doc_id, rank (as written; may be missing) and score (missing in
    MS MARCO runs). ``ranks`` are the ranks in force. ``scores`` are what ties are judged by, or None where
    the rank column decides and nothing can tie.
    """

    frame: pl.DataFrame
    query_ids: pl.Series
    starts: Positions
    ranks: NDArray[np.int32]
    scores: NDArray[np.float64] | None

    def top(self, depth: int) -> OrderedRows:
        """Only the rows of the first ``depth`` ranks; every query keeps one, unless its written ranks begin later."""
        kept = self.ranks <= depth
        sizes = np.add.reduceat(kept, self.starts[:-1])
        return OrderedRows(
            self.frame.filter(kept),
            self.query_ids.filter(sizes > 0),
            np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64),
            self.ranks[kept],
            None if self.scores is None else self.scores[kept],
        )

    def tie_groups(self) -> Positions:
        """Where each group of equally scored rows of one query starts, and where the last one ends."""
        return np.flatnonzero(self._starts_group())

    def tie_ranks(self, at: Positions) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The first and the last rank that the rows at these positions could have if ties were broken otherwise."""
        first, last = self.ranks[at], self.ranks[at]
        starts_group = self._starts_group()
        is_tied = ~(starts_group[at] & starts_group[at + 1])
        if is_tied.any():
            groups = np.flatnonzero(starts_group)
            group = np.searchsorted(groups, at[is_tied], side="right")
            first[is_tied], last[is_tied] = self.ranks[groups[group - 1]], self.ranks[groups[group] - 1]
        return first, last

    def _starts_group(self) -> NDArray[np.bool_]:
        """Whether each row, and the end, is no tie of the row above."""
        n = self.frame.height
        is_start = np.ones(n + 1, dtype=bool)
        if self.scores is not None:
            is_start[1:n] = self.scores[1:] != self.scores[:-1]
            is_start[self.starts] = True
        return is_start

    def ranks_32_bit(self, at: Positions) -> NDArray[np.int32]:
        """The ranks that 32-bit scores would give the rows at these positions, for more of them tie."""
        if self.scores is None:
            return self.ranks[at]
        with np.errstate(over="ignore"):  # as in order_rows
            rounded = self.scores.astype(np.float32)
        ties_anew = (rounded[1:] == rounded[:-1]) & (self.scores[1:] != self.scores[:-1])
        ties_anew[self.starts[1:-1] - 1] = False  # from one query to the next
        if not ties_anew.any():
            return self.ranks[at]
        order = np.arange(self.frame.height)
        affected = _rows_out_of_order(rounded.astype(np.float64), self.starts)
        order[affected] = _sorted_by_score_then_doc(self.frame, rounded.astype(np.float64), self.starts, affected)
        ranks = np.empty_like(self.ranks)
        ranks[order] = self.ranks
        return ranks[at]

    def contradicting_queries(self) -> Positions:
        """Which queries have written ranks that do not rise from one tie group to the next."""
        if self.scores is None or "rank" not in self.frame.columns:
            return np.empty(0, dtype=np.int64)
        written = self.frame["rank"].to_numpy()
        does_not_rise = written[1:] <= written[:-1]
        does_not_rise[self.starts[1:-1] - 1] = False  # from one query to the next
        if not does_not_rise.any():
            return np.empty(0, dtype=np.int64)
        groups = self.tie_groups()[:-1]
        lowest, highest = np.minimum.reduceat(written, groups), np.maximum.reduceat(written, groups)
        query_of_group = np.searchsorted(self.starts, groups, side="right") - 1
        contradicts = (lowest[1:] <= highest[:-1]) & (query_of_group[1:] == query_of_group[:-1])
        return np.unique(query_of_group[1:][contradicts])


def order_rows(frame: pl.DataFrame, *, float32_ties: bool = False) -> OrderedRows:
    """Put the rows of a run in ranking order: by score where there are scores, else by rank."""
    frame, starts = _gather_queries(frame)
    if "score" not in frame.columns:
        return _order_by_rank(frame, starts)
    scores = frame["score"].to_numpy()
    if float32_ties:
        with np.errstate(over="ignore"):  # beyond 32-bit range all are equally infinite, as in trec_eval
            scores = scores.astype(np.float32).astype(np.float64)
    to_sort = _rows_out_of_order(scores, starts)
    if len(to_sort):
        order = np.arange(frame.height)
        order[to_sort] = _sorted_by_score_then_doc(frame, scores, starts, to_sort)
        # Rows move only inside their query, so the query ids can stay where they are.
        moved = frame.drop("query_id")[order]
        frame, scores = frame.select("query_id").hstack(moved), scores[order]
    ranks = np.arange(frame.height) - np.repeat(starts[:-1], np.diff(starts)) + 1
    return OrderedRows(frame, frame["query_id"].gather(starts[:-1]), starts, ranks.astype(np.int32), scores)


def _gather_queries(frame: pl.DataFrame) -> tuple[pl.DataFrame, Positions]:
    """Bring the rows of each query together, queries in order of their first row."""
    from toprung.extras.frames import pl

    starts = query_starts(frame)
    if frame["query_id"].gather(starts[:-1]).n_unique() < len(starts) - 1:
        frame = frame.with_row_index("row").sort(pl.col("row").min().over("query_id"), "row").drop("row")
        starts = query_starts(frame)
    return frame, starts


def query_starts(frame: pl.DataFrame) -> Positions:
    """Where the rows of another query begin than the row above has, and where the last one ends."""
    query_ids = frame["query_id"]
    is_start = (query_ids != query_ids.shift(1)).fill_null(True).to_numpy()
    return np.append(np.flatnonzero(is_start), frame.height)


def _order_by_rank(frame: pl.DataFrame, starts: Positions) -> OrderedRows:
    ranks = frame["rank"].to_numpy()
    query = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    if ((ranks[1:] < ranks[:-1]) & (query[1:] == query[:-1])).any():
        frame = frame[np.lexsort((ranks, query))]
    ranks = frame["rank"].to_numpy().astype(np.int32)
    return OrderedRows(frame, frame["query_id"].gather(starts[:-1]), starts, ranks, None)


def _rows_out_of_order(scores: NDArray[np.float64], starts: Positions) -> Positions:
    """Rows of queries whose scores rise somewhere, and rows that tie with a neighbour."""
    n = len(scores)
    same_query = np.ones(max(n - 1, 0), dtype=bool)
    same_query[starts[1:-1] - 1] = False
    rises = (scores[1:] > scores[:-1]) & same_query
    ties = (scores[1:] == scores[:-1]) & same_query
    affected = np.zeros(n, dtype=bool)
    affected[1:] |= ties
    affected[:-1] |= ties
    for query in np.unique(np.searchsorted(starts, np.flatnonzero(rises), side="right")) - 1:
        affected[starts[query] : starts[query + 1]] = True
    return np.flatnonzero(affected)


def _sorted_by_score_then_doc(
    frame: pl.DataFrame, scores: NDArray[np.float64], starts: Positions, rows: Positions
) -> Positions:
    from toprung.extras.frames import pl

    query = np.searchsorted(starts, rows, side="right")
    affected = pl.DataFrame({"row": rows, "query": query, "score": scores[rows]}).with_columns(frame["doc_id"][rows])
    return affected.sort("query", "score", "doc_id", descending=[False, True, True])["row"].to_numpy()
