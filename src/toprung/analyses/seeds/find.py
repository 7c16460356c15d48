"""How good is a system over its seeds? The mean over several runs of one system, and systems held against each other.

One run is one draw: another seed would have scored differently, and the best of several seeds scores higher than the
system does. The mean over seeds is held to how far the seeds spread; two systems are compared by a test for which
seeds and queries are both samples.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toprung.analyses.inputs import check_scores
from toprung.analyses.seeds.systems import SystemPair, SystemSeeds, compare_all, gather_systems
from toprung.analyses.seeds.words import explain, pairs_table, say_notes, say_spread, systems_table
from toprung.analyses.subject import MeasureName, Source, to_score_table
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.result import Column, Explanation, Fact, Result, Rows, Table, columns
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.inputs import check_share


def seeds(
    table: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    systems: Mapping[str, Sequence[str]],
    correction: str = "holm",
    alpha: float = 0.05,
) -> SeedSpread:
    """Say how systems do over their seeds, and which differ beyond chance.

    Parameters
    ----------
    table
        The values of one measure, queries × runs; what ``evaluate`` gave, or labels. The name of the measure tells
        whether less is better.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    systems
        For each system its runs, one a seed, such as ``Metadata.systems()``. Runs that are in no system are left out.
    correction
        Of ``"raw"``, ``"bonferroni"``, ``"holm"`` and ``"bh"``; the family is all pairs of systems that are tested.
    alpha
        The level of the tests; intervals have a confidence of 1 − alpha.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[0.1, 0.3, 0.6, 0.7], [0.5, 0.5, 0.6, 0.8], [0.3, 0.4, 0.9, 0.9]])
    >>> table = ScoreTable(query_ids=("1", "2", "3"), runs=("a1", "a2", "b1", "b2"), values=values, measure="P@10")
    >>> found = seeds(table, systems={"a": ["a1", "a2"], "b": ["b1", "b2"]})
    >>> print(found.sentence.partition(":")[0])
    Over seeds and queries, b does better than a in P@10 beyond chance

    """
    check_share(alpha, name="alpha")
    table = to_score_table(table, runs, measure)
    listed = {run for seeded in systems.values() for run in seeded}
    seeded = _select(table, listed)
    is_higher_better = higher_is_better(table.measure)
    gathered = gather_systems(seeded, systems, confidence=1 - alpha, higher_is_better=is_higher_better)
    return SeedSpread(
        measure=table.measure,
        systems=gathered,
        pairs=compare_all(
            seeded,
            gathered,
            tuple(systems),
            correction=correction,
            alpha=alpha,
            higher_is_better=is_higher_better,
        ),
        n_queries=len(table.query_ids),
        without_system=tuple(run for run in table.runs if run not in listed),
        without_scores=tuple(run for each in systems.values() for run in each if run not in table.runs),
        higher_is_better=is_higher_better,
        correction=correction,
        alpha=alpha,
        digest=seeded.digest,
        remarks=table.remarks,
    )


def _select(table: ScoreTable, listed: Collection[str]) -> ScoreTable:
    known = [run for run in table.runs if run in listed]
    if not known:
        raise InputError("Found no run of a system among the scores; expected the runs of one system at least.")
    seeded = table.select(known)
    check_scores(seeded, least_queries=1, least_runs=1)
    return seeded


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SeedSpread(Result):
    """Systems with their seeds, the best mean first, and every pair of systems that has several seeds each."""

    FIGURES = (
        "measure",
        Rows(
            "systems",
            (
                Column("system", str),
                Column("n_seeds", int, "mean.n_seeds"),
                *columns(float, "mean=mean.estimate low=mean.low high=mean.high sd=mean.sd"),
                Column("lowest", path=lambda each: min(each.scores)),
                Column("highest", path=lambda each: max(each.scores)),
                Rows("seeds", of=lambda each: zip(each.runs, each.scores, strict=True), columns=("run=0 score=1",)),
            ),
        ),
        Rows(
            "pairs",
            (
                *columns(str, "a b"),
                *columns(float, "delta=found.delta delta_low=found.low delta_high=found.high p=found.p p_corrected"),
                *columns(float, "df=found.df seed_share=found.seed_share"),
                Column("better", str),
            ),
        ),
        "without_system without_scores",
    )
    MADE_FROM = (
        "measure scores_digest=digest n_queries n_systems=len(systems)",
        Fact("n_runs", lambda self: sum(len(each.runs) for each in self.systems)),
        Fact("test", lambda _: "min F′ as t (Clark 1973)"),
        "correction alpha",
        Fact("interval", lambda _: "t over the means of seeds"),
    )

    measure: str
    systems: tuple[SystemSeeds, ...]
    pairs: tuple[SystemPair, ...]
    n_queries: int
    without_system: tuple[str, ...]
    """Runs that have scores and are of no system."""
    without_scores: tuple[str, ...]
    """Runs of a system that have no scores."""
    higher_is_better: bool
    correction: str
    alpha: float
    digest: str
    """Of the scores of all runs of systems."""
    remarks: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        return say_spread(self)

    @property
    def table(self) -> Table:
        return systems_table(self)

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        """The systems, and where two can be compared the differences."""
        if not self.pairs:
            return super().tables
        return (*super().tables, ("Differences, B less A", pairs_table(self)))

    def paper_tables(self) -> tuple[Table, ...]:
        return tuple(table for _, table in self.tables)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain(self)

    def __repr__(self) -> str:
        n_runs = sum(len(each.runs) for each in self.systems)
        return f"SeedSpread({len(self.systems):,} systems, {n_runs:,} runs, {self.n_queries:,} queries)"
