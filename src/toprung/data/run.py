"""What did a system retrieve? A ranked run, as held in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from toprung.arrays import np
from toprung.data.frames import check_ids, to_run_columns
from toprung.data.ordered import OrderedRows, order_rows
from toprung.errors import FormatError
from toprung.records import record
from toprung.words.visible import quoted
from toprung.words.wording import say_queries

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray


@record(eq=False, repr=False)
class Run:
    """A ranked run: for each query its documents in ranking order.

    Columnar: row ``i`` is document ``doc_ids[i]``. The rows of query ``q`` lie between ``starts[q]`` and
    ``starts[q + 1]``. Runs ordered by a rank column have no scores.

    >>> run = Run.from_dict({"q1": {"d1": 0.5, "d2": 0.75}}, name="toy")
    >>> run
    Run('toy', 1 query, 2 rows)
    >>> run.to_frame().rows()
    [('q1', 'd2', 1, 0.75), ('q1', 'd1', 2, 0.5)]
    """

    name: str
    query_ids: tuple[str, ...]
    starts: NDArray[np.int64]
    doc_ids: pl.Series
    ranks: NDArray[np.int32]
    scores: NDArray[np.float64] | None
    tag: str = ""
    n_contradicting_queries: int = 0
    """Queries whose rank column said another order than the scores."""

    def __post_init__(self) -> None:
        for array in (self.starts, self.ranks, self.scores):
            if array is not None:
                array.setflags(write=False)

    @classmethod
    def from_ordered(cls, rows: OrderedRows, *, name: str, tag: str = "") -> Run:
        """From rows that are already in ranking order."""
        return cls(
            name=name,
            query_ids=tuple(rows.query_ids.to_list()),
            starts=rows.starts,
            doc_ids=rows.frame["doc_id"],
            ranks=rows.ranks,
            scores=rows.frame["score"].to_numpy() if "score" in rows.frame.columns else None,
            tag=tag,
            n_contradicting_queries=len(rows.contradicting_queries()),
        )

    @classmethod
    def from_dict(cls, run: Mapping[str, Mapping[str, float]], *, name: str = "run") -> Run:
        """From ``{query_id: {doc_id: score}}``, as pytrec_eval and ranx hold runs."""
        from toprung.extras.frames import pl

        check_ids(run, name)
        sizes = [len(docs) for docs in run.values()]
        frame = pl.DataFrame(
            {
                "query_id": pl.Series(list(run), dtype=pl.String).gather(np.repeat(np.arange(len(sizes)), sizes)),
                "doc_id": list(chain.from_iterable(run.values())),
                "score": _to_scores(list(chain.from_iterable(docs.values() for docs in run.values())), name),
            },
            schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64},
        )
        return cls.from_checked_frame(frame, name=name)

    @classmethod
    def from_frame(cls, frame: Any, *, name: str = "run") -> Run:
        """From a Polars or pandas frame with the columns of Toprung, ir_measures or PyTerrier.

        Ordered by score, or by rank where there is no score.
        """
        return cls.from_checked_frame(to_run_columns(frame, source=name), name=name)

    @classmethod
    def from_checked_frame(cls, frame: pl.DataFrame, *, name: str, source: str | None = None) -> Run:
        """From a Polars frame in Toprung's own columns, refusing what a run file could not hold either."""
        check_rows(frame, source=source or name)
        return cls.from_ordered(order_rows(frame), name=name)

    def to_frame(self) -> pl.DataFrame:
        """One row per retrieved document: query_id, doc_id, rank and, where there are any, score."""
        from toprung.extras.frames import pl

        columns: dict[str, object] = {
            "query_id": pl.Series(self.query_ids, dtype=pl.String).gather(self._query_codes),
            "doc_id": self.doc_ids,
            "rank": self.ranks,
        }
        if self.scores is not None:
            columns["score"] = self.scores
        return pl.DataFrame(columns)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """As ``{query_id: {doc_id: score}}``; a run without scores gives 1 / rank."""
        values = (self.scores if self.scores is not None else 1.0 / self.ranks).tolist()
        doc_ids = self.doc_ids.to_list()
        return {
            query_id: dict(zip(doc_ids[start:end], values[start:end], strict=True))
            for query_id, start, end in zip(self.query_ids, self.starts[:-1], self.starts[1:], strict=True)
        }

    def to_ordered(self, *, float32_ties: bool = False) -> OrderedRows:
        """Its rows in ranking order; compared as 32-bit scores they may have to be ordered anew."""
        frame = self.to_frame()
        if self.scores is None or float32_ties:
            return order_rows(frame, float32_ties=float32_ties)
        return OrderedRows(frame, frame["query_id"].gather(self.starts[:-1]), self.starts, self.ranks, self.scores)

    def top(self, depth: int) -> Run:
        """The same run cut to the first ``depth`` ranks of each query."""
        kept = self.ranks <= depth
        sizes = np.add.reduceat(kept, self.starts[:-1])
        return replace(
            self,
            query_ids=tuple(q for q, size in zip(self.query_ids, sizes, strict=True) if size),
            starts=np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64),
            doc_ids=self.doc_ids.filter(kept),
            ranks=self.ranks[kept],
            scores=None if self.scores is None else self.scores[kept],
        )

    @property
    def has_rank_gaps(self) -> bool:
        """Whether a query has fewer documents than its last rank says."""
        return bool((np.maximum.reduceat(self.ranks, self.starts[:-1]) != np.diff(self.starts)).any())

    @property
    def query_of_row(self) -> NDArray[np.int64]:
        """For each row the index of its query."""
        return np.repeat(np.arange(len(self.query_ids)), np.diff(self.starts))

    @property
    def _query_codes(self) -> NDArray[np.uint32]:
        """The same in the numbers that Polars gathers by."""
        return np.repeat(np.arange(len(self.query_ids), dtype=np.uint32), np.diff(self.starts))

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.doc_ids)

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {say_queries(len(self.query_ids))}, {len(self):,} rows)"


def _to_scores(scores: list[Any], source: str) -> list[float]:
    if {*map(type, scores)} <= {float}:
        return scores
    for score in scores:
        if not isinstance(score, int | float | np.number) or (isinstance(score, int) and abs(score) > 10**308):
            raise FormatError(source=source, found=f"score {score!r}", expected="a number")
    return [float(score) for score in scores]


def check_rows(frame: pl.DataFrame, *, source: str) -> None:
    """Refuse rows that no run may have: none at all, non-finite scores, a document or rank twice in a query."""
    from toprung.extras.frames import pl

    if not frame.height:
        raise FormatError(source=source, found="no rows", expected="at least one retrieved document")
    if "score" in frame.columns:
        bad = frame.with_row_index("row").filter(~pl.col("score").is_finite().fill_null(False))
        if bad.height:
            row, query_id, doc_id, score = bad.select("row", "query_id", "doc_id", "score").row(0)
            raise FormatError(
                source=source,
                found=f"score {score} in row {row + 1} (document {quoted(doc_id)} of query {quoted(query_id)})",
                expected="a finite number",
            )
    _refuse_repeated(frame, "doc_id", source, "document")
    if "score" not in frame.columns:
        _refuse_repeated(frame, "rank", source, "rank")


def _refuse_repeated(frame: pl.DataFrame, column: str, source: str, noun: str) -> None:
    from toprung.extras.frames import pl

    if not seems_repeated(frame, column):
        return
    repeated = frame.filter(pl.struct("query_id", column).is_duplicated())
    if repeated.height:
        query_id, value = repeated.select("query_id", column).row(0)
        raise FormatError(
            source=source,
            found=f"{noun} {quoted(str(value))} of query {quoted(query_id)} twice",
            expected=f"each {noun} at most once in a query",
        )


def seems_repeated(frame: pl.DataFrame, column: str) -> bool:
    """Whether a query seems to hold a value twice. Told by 64-bit hashes: a false alarm costs only time."""
    from toprung.extras.frames import pl

    keys = pl.col("query_id").hash(1) ^ pl.col(column).hash(2)
    return int(frame.select(keys.n_unique()).item()) < frame.height
