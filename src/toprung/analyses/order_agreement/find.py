"""Does a run order answers as people prefer them? The judged pairs that both stand in its top ranks.

The win ratio looks only at the first answer of a run. This looks at every decided pair among its first ten: how often
does the preferred answer stand above the other?
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from toprung.analyses.inputs import find_named
from toprung.data.judgments import Pair
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import top_documents
from toprung.labels.votes.outcomes import PairOutcome
from toprung.result import Column, Explanation, Result, Rows, Table, columns
from toprung.stats.inputs import check_share
from toprung.stats.intervals.clustered_share import clustered_share
from toprung.stats.intervals.proportions import Share
from toprung.words.assumptions import CAREFUL_VOTES, FAIR_SAMPLE
from toprung.words.wording import say_count, show_confidence, show_share

DEPTH = 10


@dataclass(frozen=True, kw_only=True)
class RunAgreement:
    """One run's row: ``share`` holds the pairs it orders as preferred, of those in its top ranks."""

    run: str
    share: Share
    n_queries: int


def order_agreement(
    runs: Mapping[str, Run],
    outcomes: Mapping[Pair, PairOutcome],
    *,
    depth: int = DEPTH,
    confidence: float = 0.95,
    judgments_digest: str = "",
) -> OrderAgreement:
    """How often each run orders two answers as the judgments do.

    Parameters
    ----------
    runs
        The runs by name.
    outcomes
        The outcome of each judged pair; even splits do not count.
    depth
        Both answers must be among so many first of the run.
    confidence
        Of the intervals, which allow for pairs of one query being alike.
    judgments_digest
        Of the judgments behind the outcomes, for the provenance.

    Examples
    --------
    >>> pair = Pair("q", "d1", "d2")
    >>> outcomes = {pair: PairOutcome(pair=pair, wins_a=1, wins_b=0, ties=0, n=1)}
    >>> print(order_agreement({"mine": Run.from_dict({"q": {"d1": 2, "d2": 1}})}, outcomes).sentence)
    mine orders 1 of 1 decided pair in its top 10 as preferred (100.0%).

    """
    if not runs:
        raise InputError("Found no run; expected at least one to compare with the judgments.")
    if depth < 2:
        raise InputError(f"depth: found {depth}; expected at least 2, for two answers to stand in.")
    check_share(confidence, name="confidence")
    decided = [each for each in outcomes.values() if each.is_decided]
    rows = [_agreement(name, top_documents(run, depth=depth), decided, confidence) for name, run in runs.items()]
    rows.sort(key=lambda row: (-row.share.estimate if row.share.trials else 1.0, row.run))
    return OrderAgreement(
        rows=tuple(rows),
        depth=depth,
        confidence=confidence,
        n_decided=len(decided),
        judgments_digest=judgments_digest,
    )


def _agreement(run: str, top: Mapping[str, list[str]], decided: list[PairOutcome], confidence: float) -> RunAgreement:
    rank_of = {query_id: {doc: rank for rank, doc in enumerate(docs)} for query_id, docs in top.items()}
    counts: dict[str, list[int]] = {}  # of each query: agreed, all
    for outcome in decided:
        ranks = rank_of.get(outcome.pair.query_id, {})
        rank_a, rank_b = ranks.get(outcome.pair.a), ranks.get(outcome.pair.b)
        if rank_a is not None and rank_b is not None:
            count = counts.setdefault(outcome.pair.query_id, [0, 0])
            count[0] += (rank_a < rank_b) == (outcome.winner == outcome.pair.a)
            count[1] += 1
    table = np.array(list(counts.values()), dtype=np.int64).reshape(-1, 2)
    share = clustered_share(table[:, 0], table[:, 1], confidence=confidence)
    return RunAgreement(run=run, share=share, n_queries=len(table))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class OrderAgreement(Result):
    """How often runs order two answers as preferred; the run that does so most stands first."""

    FIGURES = (
        Rows(
            "runs",
            of="rows",
            columns=(
                Column("run", str),
                *columns(float, "share=share.estimate low=share.low high=share.high"),
                *columns(int, "agreed=share.successes n_pairs=share.trials n_queries"),
            ),
        ),
    )
    MADE_FROM = ("depth confidence judgments_digest n_decided_pairs=n_decided n_runs=len(rows)",)

    rows: tuple[RunAgreement, ...]
    depth: int
    confidence: float
    n_decided: int
    judgments_digest: str = ""

    def __getitem__(self, run: str) -> RunAgreement:
        return find_named("run", run, {row.run: row for row in self.rows})

    @property
    def sentence(self) -> str:
        first = self.rows[0]
        if not first.share.trials:
            return f"No run has two answers of a decided pair in its top {self.depth}."
        pairs = f"{say_count(first.share.trials, 'decided pair')} in its top {self.depth}"
        more = ", the highest share" if len(self.rows) > 1 else ""
        share = f"{show_share(first.share.estimate)}{more}"
        return f"{first.run} orders {first.share.successes:,} of {pairs} as preferred ({share})."

    @property
    def table(self) -> Table:
        header = ("run", "as preferred", f"{show_confidence(self.confidence)} interval", "pairs", "queries")
        rows = tuple((row.run, *_cells(row.share), f"{row.n_queries:,}") for row in self.rows)
        return Table(header=header, rows=rows, numeric=frozenset({1, 2, 3, 4}))

    @property
    def notes(self) -> tuple[str, ...]:
        return (
            f"Counted: pairs with a winner ({self.n_decided:,} in all) of which both answers are in a run's top "
            f"{self.depth}; each run has its own such pairs, so that shares of runs are not on the same pairs.",
            "Intervals: Wilson, with fewer effective pairs where pairs of one query agree with each other.",
        )

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"Of the decided pairs with both answers among the first {self.depth} of a run, those are counted that "
                "it orders as the votes do. Intervals are Wilson's, with fewer effective pairs where those of one "
                "query are alike (Korn and Graubard 1998)."
            ),
            assumptions=(
                FAIR_SAMPLE,
                CAREFUL_VOTES,
                "Shares of two runs are not read against each other: each run is judged on pairs of its own.",
            ),
        )

    def __repr__(self) -> str:
        return f"OrderAgreement({len(self.rows):,} runs, {self.n_decided:,} decided pairs)"


def _cells(share: Share) -> tuple[str, str, str]:
    if not share.trials:
        return "–", "–", "0"
    interval = f"{100 * share.low:.1f} to {100 * share.high:.1f}%"
    return show_share(share.estimate), interval, f"{share.trials:,}"
