"""Would other queries have said the same? How often two halves of the queries agree on which runs differ.

A test that finds much and then contradicts itself on the next queries is of no use; nor is one that agrees with itself
because it finds nothing. So agreement stands beside the share of pairs that a test finds significant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from toprung.analyses.agreement.words import (
    explain_agreement,
    published_table,
    rest_table,
    say_agreement,
    say_agreement_notes,
    spread_table,
)
from toprung.analyses.inputs import check_scores
from toprung.analyses.subject import MeasureName, Source, to_score_table
from toprung.errors import InputError, check_choice
from toprung.result import Explanation, Result, Table
from toprung.stats.inputs import Ints, check_share
from toprung.stats.pairs.encoded import encode_runs
from toprung.stats.pairs.split_half import (
    AGGREGATES,
    COLUMNS,
    READINGS,
    Aggregate,
    Reading,
    TestName,
    read_counts,
    tally_split,
)
from toprung.workers import IN_PROCESS, Workers

if TYPE_CHECKING:
    import polars as pl

type SplitMethod = Literal["asymptotic", "auto"]

SPLIT_METHODS: tuple[SplitMethod, ...] = ("asymptotic", "auto")
LEAST_QUERIES = 4  # two in each half: a t-test needs them
# The part of the splits that the spread of a rate leaves out at either end.
TAIL = 0.05


@dataclass(frozen=True, kw_only=True)
class AgreementRates:
    """Shares of pairs and splits, from 0 to 1; the first three sum to 1."""

    agree: float
    partial: float
    disagree: float
    significant: float
    """In at least one of the halves."""


def agreement(
    table: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    splits: int = 100,
    alpha: float = 0.05,
    method: SplitMethod = "asymptotic",
    reading: Reading = "text",
    seed: int = 0,
    workers: Workers = IN_PROCESS,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Agreement:
    """Split the queries at random in two halves, many times, and compare what the halves say of every pair of runs.

    Parameters
    ----------
    table
        The values of one measure, queries × runs; what ``evaluate`` gave, or labels.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    alpha
        The level of each test; the pairs are not corrected for their number, as published.
    method
        Of the signed-rank test: ``"asymptotic"``, as published, or ``"auto"``, which is exact or permutes signs where
        a half has fewer than 50 queries.
    reading
        What counts as agreement: as the paper says (``"text"``), or as its tables 4a and 4b have it (``"table4ab"``).
        The result can be read either way.
    workers
        Who does the work: one piece of it is one split.

    References
    ----------
    Craswell, Mitra, Yilmaz, Campos, Lin, MS MARCO: Benchmarking Ranking Models in the Large-Data Regime, SIGIR 2021,
    section 4.3.

    Examples
    --------
    >>> import toprung as tr
    >>> values = np.array([[0.9, 0.1, 0.2]] * 10 + [[0.8, 0.2, 0.1]] * 10)
    >>> table = tr.ScoreTable(
    ...     query_ids=tuple(f"q{i:02}" for i in range(20)), runs=("x", "y", "z"), values=values, measure="P@10"
    ... )
    >>> found = agreement(table, splits=10)
    >>> found.rates("sign", "mean").significant  # x against y and z
    0.6666666666666666

    """
    table = to_score_table(table, runs, measure)
    check_scores(table, least_queries=LEAST_QUERIES)
    _check_options(splits, alpha, method, reading)
    # In the order of their names, so that the order runs came in shows nowhere, not even in the last bit of a sum.
    values = np.ascontiguousarray(table.select(sorted(table.runs)).values)
    work = partial(tally_split, encode_runs(values), alpha=alpha, method=method)
    tallies = workers.map(work, np.random.default_rng(seed).spawn(splits), on_progress=on_progress)
    return Agreement(
        measure=table.measure,
        n_runs=len(table.runs),
        n_queries=len(table.query_ids),
        counts=np.stack([tally.counts for tally in tallies]),
        undirected=np.stack([tally.undirected for tally in tallies]),
        alpha=alpha,
        method=method,
        reading=reading,
        seed=seed,
        digest=table.digest,
        remarks=table.remarks,
    )


def _check_options(splits: int, alpha: float, method: str, reading: str) -> None:
    if splits < 1:
        raise InputError(f"splits: found {splits}; expected a number from 1.")
    check_share(alpha, name="alpha")
    check_choice(method, SPLIT_METHODS, name="method")
    check_choice(reading, READINGS, name="reading")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Agreement(Result):
    """How often the halves of a split agree, for each test with each aggregate (``COLUMNS``).

    ``counts[split, column, flips, k]`` counts the pairs that are significant in k halves and whose direction is the
    same in both (``flips`` 0) or not (1): either reading is made of these. ``undirected[split, aggregate]`` counts
    pairs × halves whose aggregates are equal.
    """

    MADE_FROM = (
        "measure scores_digest=digest n_queries n_runs n_pairs n_splits alpha signed_rank_method=method reading seed",
    )

    measure: str
    n_runs: int
    n_queries: int
    counts: Ints
    undirected: Ints
    alpha: float
    method: SplitMethod
    reading: Reading
    seed: int
    digest: str
    """Of the scores."""
    remarks: tuple[str, ...] = ()

    @property
    def n_splits(self) -> int:
        return len(self.counts)

    @property
    def n_pairs(self) -> int:
        return self.n_runs * (self.n_runs - 1) // 2

    def read_as(self, reading: Reading) -> Agreement:
        """The same counts in the other reading."""
        check_choice(reading, READINGS, name="reading")
        return replace(self, reading=reading)

    def rates(self, test: TestName, aggregate: Aggregate) -> AgreementRates:
        """The rates of one column over all splits."""
        found = read_counts(self.counts[:, _column(test, aggregate)].sum(axis=0), self.reading)
        return AgreementRates(**{name: float(share) for name, share in asdict(found).items()})

    def spread(self, test: TestName, aggregate: Aggregate) -> tuple[AgreementRates, AgreementRates]:
        """The 5th and the 95th percentile of each rate over the splits, which are not independent."""
        by_split = asdict(read_counts(self.counts[:, _column(test, aggregate)], self.reading))
        low, high = (
            AgreementRates(**{name: float(np.quantile(shares, at)) for name, shares in by_split.items()})
            for at in (TAIL, 1 - TAIL)
        )
        return low, high

    def tie_rate(self, aggregate: Aggregate) -> float:
        """The share of pairs × halves in which two runs have the same mean, or median: neither is favoured."""
        equal = self.undirected[:, AGGREGATES.index(aggregate)].sum()
        return float(equal / (2 * self.n_pairs * self.n_splits))

    @property
    def sentence(self) -> str:
        return say_agreement(self)

    @property
    def table(self) -> Table:
        """As published, with the spread over splits below each rate, and how often aggregates are equal."""
        return spread_table(self)

    def paper_tables(self) -> tuple[Table, ...]:
        """The table as published, and what it leaves out."""
        return (published_table(self), rest_table(self))

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_agreement_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_agreement(self)

    def to_frame(self) -> pl.DataFrame:
        """One row for each test and aggregate: rates, their spread over splits, and the counts behind them."""
        from toprung.extras.frames import pl

        return pl.DataFrame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        return [self._row(test, aggregate) for test, aggregate in COLUMNS]

    def _row(self, test: TestName, aggregate: Aggregate) -> dict[str, Any]:
        low, high = (asdict(bound) for bound in self.spread(test, aggregate))
        rates: dict[str, float] = {}
        for name, share in asdict(self.rates(test, aggregate)).items():
            rates |= {name: share, f"{name}_p5": low[name], f"{name}_p95": high[name]}
        same, flipped = self.counts[:, _column(test, aggregate)].sum(axis=0).tolist()
        counts = {
            f"{direction}_{halves}": count
            for direction, cells in (("same", same), ("flipped", flipped))
            for halves, count in zip(("none", "one", "both"), cells, strict=True)
        }
        return {
            "test": test,
            "aggregate": aggregate,
            "reading": self.reading,
            **rates,
            "tie_rate": self.tie_rate(aggregate),
            "n_pairs": self.n_pairs,
            "n_splits": self.n_splits,
            **counts,
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything, in both readings."""
        return {
            "sentence": self.sentence,
            "measure": self.measure,
            "reading": self.reading,
            "readings": {reading: self.read_as(reading)._rows() for reading in READINGS},
            "notes": list(self.notes),
            "provenance": self.provenance,
        }

    def __repr__(self) -> str:
        return f"Agreement({self.n_splits:,} splits, {self.n_pairs:,} pairs, {self.n_queries:,} queries)"


def _column(test: TestName, aggregate: Aggregate) -> int:
    if (test, aggregate) not in COLUMNS:
        known = ", ".join(f"{each} with the {by}" for each, by in COLUMNS)
        raise InputError(f"Found {test} with the {aggregate}; expected one of {known}.")
    return COLUMNS.index((test, aggregate))
