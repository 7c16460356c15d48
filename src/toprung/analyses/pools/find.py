"""How large are the pools, and what would judging them take? Said before anyone is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from toprung.analyses.judging_cost.find import CostEstimate, estimate_cost
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.plans.price import Price
from toprung.labels.pools.pool import Pool
from toprung.result import Explanation, Fact, Result, Rows, Table, columns
from toprung.version import __version__
from toprung.words.wording import list_names, say_count, say_queries, show_share


@dataclass(frozen=True, kw_only=True)
class PoolSize:
    """How many queries have a pool of this size."""

    items: int
    n_queries: int

    @property
    def n_pairs(self) -> int:
        return self.n_queries * self.items * (self.items - 1) // 2


def describe_pools(
    pools: Sequence[Pool],
    *,
    price: Price | None = None,
    votes: int = 1,
    remarks: Sequence[str] = (),
    inputs: Mapping[str, object] | None = None,
) -> PoolReport:
    """The histogram of pool sizes, and the pairs, tasks and cost they make.

    ``inputs`` says what the pools were built from: it is passed on as provenance.
    """
    if not pools:
        raise InputError("Found no pool; expected at least one query that a run or the labels have an answer to.")
    sizes = Counter(len(pool.items) for pool in pools)
    return PoolReport(
        sizes=tuple(PoolSize(items=items, n_queries=sizes[items]) for items in sorted(sizes)),
        n_settled=sum(pool.is_settled for pool in pools),
        median=float(median(len(pool.items) for pool in pools)),
        n_same_text=sum(len(pool.same_text) for pool in pools),
        price=price or Price(),
        votes=votes,
        remarks=tuple(remarks),
        inputs=dict(inputs or {}),
    )


def remarks_on_inputs(
    qrels: Qrels, runs: Mapping[str, Run], pools: Sequence[Pool], *, texts: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """What the labels, runs and texts lack."""
    return tuple(_say_lacks(qrels, runs, pools, texts))


def _say_lacks(
    qrels: Qrels, runs: Mapping[str, Run], pools: Sequence[Pool], texts: Mapping[str, str] | None
) -> Iterator[str]:
    labelled = set(qrels.query_ids)
    unknown = set().union(*(run.query_ids for run in runs.values())) - labelled
    if unknown:
        yield f"Left out: {say_queries(len(unknown))} of the runs without labels, such as '{min(unknown)}'."
    incomplete = [name for name, run in runs.items() if labelled - set(run.query_ids)]
    if incomplete:
        yield f"Labelled queries are missing from {list_names(incomplete)}: nothing of theirs is in those pools."
    without = sum(pool.label is None for pool in pools)
    if without:
        yield f"Without a relevant label: {say_queries(without)}, where the pool holds the runs' answers only."
    if texts is not None:
        items = {doc_id for pool in pools for doc_id in pool.sources}
        missing = [doc_id for doc_id in items if not texts.get(doc_id)]
        if missing:
            yield (
                f"Without a text: {len(missing):,} of {len(items):,} documents, such as '{min(missing)}'. "
                "Nobody can be shown them, and whether they equal others is not known."
            )


@dataclass(frozen=True, kw_only=True)
class PoolReport(Result):
    """Pool sizes with their pairs. A pool of the label alone is settled: there is nothing to compare."""

    FIGURES = (
        Rows("sizes", columns(int, "items queries=n_queries pairs=n_pairs")),
        "n_queries n_settled mean median n_pairs",
        Fact("n_tasks", lambda self: self.judging.n_tasks),
        Fact("cost", lambda self: float(self.judging.total)),
    )

    sizes: tuple[PoolSize, ...]
    n_settled: int
    median: float
    n_same_text: int
    """Items that another with the same text stands for."""
    price: Price
    votes: int
    """On each pair."""
    remarks: tuple[str, ...]
    inputs: Mapping[str, object]

    @property
    def n_queries(self) -> int:
        return sum(size.n_queries for size in self.sizes)

    @property
    def n_unvouched(self) -> int:
        """Pools of one answer that is no label."""
        return sum(size.n_queries for size in self.sizes if size.items == 1) - self.n_settled

    @property
    def n_pairs(self) -> int:
        return sum(size.n_pairs for size in self.sizes)

    @property
    def mean(self) -> float:
        return sum(size.items * size.n_queries for size in self.sizes) / self.n_queries

    @property
    def judging(self) -> CostEstimate:
        """What it would cost."""
        largest = max((size.items for size in self.sizes), default=0)
        most = self.votes * largest * (largest - 1) // 2
        return estimate_cost(self.n_pairs, price=self.price, votes=self.votes, most_of_a_query=most)

    @property
    def sentence(self) -> str:
        settled = f", {self.n_settled:,} of them settled" if self.n_settled else ""
        if not self.n_pairs:
            settled = ", all settled" if self.n_settled == self.n_queries else settled
            return f"{say_queries(self.n_queries)}{settled}: there is nothing to compare."
        return f"{say_queries(self.n_queries)}{settled}: {self.judging.sentence}"

    @property
    def table(self) -> Table:
        rows = tuple(
            (
                f"{size.items:,}{' (settled)' if size.items == 1 and not self.n_unvouched else ''}",
                f"{size.n_queries:,}",
                show_share(size.n_queries / self.n_queries),
                f"{size.n_pairs:,}",
            )
            for size in self.sizes
        )
        total = ("all", f"{self.n_queries:,}", "100.0%", f"{self.n_pairs:,}")
        return Table(
            header=("items", "queries", "share", "pairs"), rows=(*rows, total), numeric=frozenset({0, 1, 2, 3})
        )

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self._say_notes(), *self.remarks)

    def _say_notes(self) -> Iterator[str]:
        yield f"A pool holds {self.mean:.2f} items in the mean, {self.median:g} in the median."
        if self.n_pairs:
            yield f"Cost: {self.price.say()}, {say_count(self.votes, 'vote')} on each pair."
            yield self.price.say_source()
        if self.n_unvouched:
            queries = say_queries(self.n_unvouched)
            yield f"{queries} with one answer that is no label: nothing to compare it with, so it becomes none."
        if self.n_same_text:
            items = say_count(self.n_same_text, "item")
            yield f"{items} with the text of another: that one stands for both, and they are never compared."

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                "The pool of a query holds the first answers of every run and the label (Arabzadeh et al. 2021), and "
                "answers with the same text count once. Every two answers of a pool make a pair to judge, so a pool of "
                "n takes n(n − 1)/2."
            ),
            assumptions=(
                "The best answer is the label or among the first of some run: what is in no pool is never judged.",
                "No vote is asked for again: even splits and work that fails a test question come on top of the cost.",
            ),
        )

    @property
    def provenance(self) -> Mapping[str, object]:
        return {**self.inputs, "n_queries": self.n_queries, "toprung": __version__}
