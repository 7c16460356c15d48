"""What could these queries show? From pilot runs: the difference that would be found, and the queries it takes.

Power belongs to a difference that is chosen because it would matter. At the observed difference it says no more than
the p-value does, so it is not shown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from toprung.analyses.inputs import check_scores
from toprung.analyses.power.words import explain_power, power_table, say_power, say_power_notes
from toprung.analyses.subject import MeasureName, Source, to_score_table
from toprung.errors import InputError
from toprung.result import Arrays, Column, Explanation, Result, Table, columns
from toprung.scoring.catalogue import higher_is_better, scale_of
from toprung.stats.finding import Scale
from toprung.stats.inputs import Bools, Floats, Ints
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.pairs.power import PairPower, check_power, pair_equivalences, pair_power, powers_of, queries_needed
from toprung.stats.pairs.results import Pairs, all_pairs
from toprung.stats.pairs.spreads import pair_spreads, spreads_from_first
from toprung.stats.ranks.places import best_first
from toprung.workers import IN_PROCESS, Workers

if TYPE_CHECKING:
    import polars as pl


def power(
    table: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    baseline: str | None = None,
    difference: float | None = None,
    margin: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    workers: Workers = IN_PROCESS,
) -> Power:
    """Ask of each pair of pilot runs what its queries could show.

    Parameters
    ----------
    table
        The values of one measure, queries × runs; what ``evaluate`` gave, or labels. The name of the measure tells
        whether less is better.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    baseline
        Compare every run with this one; every pair when left out.
    difference
        A difference that would matter: the power to find it on these queries, and how many it needs.
    margin
        A difference that would not matter: which pairs are shown to be equivalent within it, by two one-sided tests.
    power
        The chance with which a difference is to be found.
    workers
        Who does the work, by blocks of pairs; the result is the same.

    Examples
    --------
    >>> import toprung as tr
    >>> values = np.column_stack([np.zeros(100), [0.01, -0.01] * 50])
    >>> query_ids = tuple(f"q{i:03}" for i in range(100))
    >>> table = tr.ScoreTable(query_ids=query_ids, runs=("old", "new"), values=values, measure="AP")
    >>> found = power(table, margin=0.002)
    >>> round(float(found.equivalence_p[0]), 6), bool(found.is_equivalent[0])
    (0.024676, True)

    """
    table = to_score_table(table, runs, measure)
    check_scores(table, least_queries=2)
    check_power(alpha, power)
    check_size("difference", difference)
    check_size("margin", margin)
    means = column_means(table.values)
    order = best_first(means, table.runs, higher_is_better=higher_is_better(table.measure)).tolist()
    if baseline is not None:
        table.column(baseline)  # refuses an unknown run
        order = [table.runs.index(baseline), *(run for run in order if table.runs[run] != baseline)]
    ordered = table.select([table.runs[run] for run in order])
    pairs = all_pairs(len(order)) if baseline is None else _against_first(len(order))
    find_spreads = pair_spreads if baseline is None else spreads_from_first
    spreads = find_spreads(ordered.values, workers=workers)
    return Power(
        measure=table.measure,
        runs=ordered.runs,
        means=means[order],
        pairs=pairs,
        found=pair_power(spreads, len(table.query_ids), alpha=alpha, power=power),
        baseline=baseline,
        difference=difference,
        margin=margin,
        alpha=alpha,
        power=power,
        scale=scale_of(table.measure),
        digest=table.digest,
        remarks=table.remarks,
    )


def check_size(name: str, size: float | None) -> None:
    """A difference or a margin is more than 0."""
    if size is not None and not (size > 0 and math.isfinite(size)):
        raise InputError(f"{name}: found {size:g}; expected a number above 0.")


def _against_first(n_runs: int) -> Pairs:
    others: Ints = np.arange(1, n_runs, dtype=np.int64)
    return Pairs(first=np.zeros_like(others), second=others)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Power(Result):
    """What the queries could show of each pair; a difference is B less A, and A is the baseline or the better run.

    ``runs`` stand with the baseline first, then the best mean; ``found`` has one element per pair.
    """

    FIGURES = (
        "measure scale=scale.name.lower()",
        Arrays(
            "pairs",
            (
                Column("a", str, lambda self: [self.runs[run] for run in self.pairs.first]),
                Column("b", str, lambda self: [self.runs[run] for run in self.pairs.second]),
                Column("a_mean", path=lambda self: self.means[self.pairs.first]),
                Column("b_mean", path=lambda self: self.means[self.pairs.second]),
                *columns(float, "delta=found.mean delta_low=found.low delta_high=found.high"),
                Column("n", int, lambda self: np.full(len(self.pairs), self.n_queries)),
                *columns(float, "sd=found.sd detectable=found.detectable"),
                Column("needed_for_delta", int, lambda self: _count_queries(self.found.needed)),
                Column("needed_for_difference", int, lambda self: _count_queries(self.needed_for_difference)),
                *columns(float, "power_for_difference equivalence_p"),
                Column("is_equivalent", bool),
            ),
        ),
    )
    MADE_FROM = (
        "measure scores_digest=digest n_queries n_runs=len(runs) n_pairs=len(pairs)",
        "baseline difference margin alpha power",
    )

    measure: str
    runs: tuple[str, ...]
    means: Floats
    pairs: Pairs
    found: PairPower
    baseline: str | None
    difference: float | None
    margin: float | None
    alpha: float
    power: float
    """What was asked for."""
    scale: Scale | None
    digest: str
    """Of the scores."""
    remarks: tuple[str, ...] = ()

    @property
    def n_queries(self) -> int:
        return self.found.n

    @cached_property
    def needed_for_difference(self) -> Floats | None:
        """For each pair, how many queries show the chosen difference with the power asked for; NaN without spread."""
        if self.difference is None:
            return None
        return queries_needed(self.difference, self.found.sd, alpha=self.alpha, power=self.power)

    @cached_property
    def power_for_difference(self) -> Floats | None:
        """For each pair, the chance that these queries show the chosen difference; NaN without spread."""
        if self.difference is None:
            return None
        return powers_of(self.difference, self.found.sd, self.n_queries, alpha=self.alpha)

    @cached_property
    def equivalence_p(self) -> Floats | None:
        """For each pair, the p of two one-sided t-tests (TOST): small means a difference within the margin."""
        return None if self.margin is None else pair_equivalences(self.found, margin=self.margin)

    @property
    def is_equivalent(self) -> Bools | None:
        """For each pair, whether a difference within the margin is shown."""
        return None if self.equivalence_p is None else self.equivalence_p <= self.alpha

    @property
    def sentence(self) -> str:
        return say_power(self)

    @property
    def table(self) -> Table:
        """A row for each pair, or for the first runs against the best one where there are many pairs."""
        return power_table(self)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_power_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_power(self)

    def __repr__(self) -> str:
        return f"Power({len(self.runs):,} runs, {len(self.pairs):,} pairs, {self.n_queries:,} queries)"


def _count_queries(needed: Floats | None) -> pl.Series | None:
    """Whole numbers; none where no number would do, or it is not known."""
    from toprung.extras.frames import pl

    if needed is None:
        return None
    return pl.Series(np.where(np.isfinite(needed), needed, np.nan), nan_to_null=True).cast(pl.Int64)
