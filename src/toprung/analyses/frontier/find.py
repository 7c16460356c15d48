"""Which runs are worth their cost? Score against cost or latency, with what the queries can and cannot show.

The front holds the runs that no run at the same cost or less scores above. Scores are estimates, so the front is one
too: a run is called dominated only where a run that costs no more does better beyond chance, and worth its cost only
where it does better than every cheaper run beyond chance. Who does better comes from the one relation of a board
(``toprung.boards.engine.top_group``), over all runs, those without a cost included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from toprung.analyses.frontier.rows import FrontierRow, PricedRuns, Worth
from toprung.analyses.frontier.words import explain, frontier_table, say_notes, say_worth
from toprung.analyses.inputs import check_run_count, check_scores
from toprung.analyses.subject import MeasureName, Source, to_score_table
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.data.run_card import A_COST, is_cost
from toprung.errors import InputError, check_choice
from toprung.result import Column, Explanation, Fact, Result, Rows, Table, columns
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.inputs import check_share
from toprung.stats.intervals.bootstrap import RESAMPLES, Effect, mean_intervals
from toprung.words.wording import list_names

type CostKind = Literal["cost", "latency"]
COST_KINDS: tuple[CostKind, ...] = ("cost", "latency")


def frontier(
    table: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    costs: Mapping[str, float],
    by: CostKind = "cost",
    alpha: float = 0.05,
    top: TopGroup | None = None,
    score_intervals: Mapping[str, Effect] | None = None,
    seed: int = 0,
) -> Frontier:
    """Hold every run against those that cost no more.

    Parameters
    ----------
    table
        The values of one measure, queries × runs; what ``evaluate`` gave, or labels. The name of the measure tells
        whether less is better.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    costs
        What each run costs, a positive number in one unit for all, such as ``Metadata.costs()`` or
        ``Metadata.latencies()``. Runs without one are left out and named.
    by
        What the costs are: of any unit (``"cost"``), or milliseconds per query (``"latency"``).
    alpha
        The chance that any two runs of the table are told apart wrongly.
    top
        Who is better than whom, as found before of the table's runs; found here when left out.
    score_intervals
        Of the table's runs, with the confidence 1 − alpha and this seed; found here when left out.
    seed
        Of the resamples behind the comparison of runs and the intervals of the scores.

    Examples
    --------
    >>> import toprung as tr
    >>> values = np.array([[0.1, 0.2, 0.9], [0.3, 0.3, 0.8], [0.2, 0.1, 0.9], [0.2, 0.4, 0.7]] * 3)
    >>> table = tr.ScoreTable(query_ids=tuple("abcdefghijkl"), runs=("x", "y", "z"), values=values, measure="P@10")
    >>> found = frontier(table, costs={"x": 1.0, "y": 5.0, "z": 2.0})
    >>> [(row.run, str(row.worth), row.rival) for row in found.rows]
    [('x', 'cheapest', None), ('z', 'shown', 'x'), ('y', 'dominated', 'z')]

    """
    _check(costs, by, alpha)
    table = to_score_table(table, runs, measure)
    known = [run for run in table.runs if run in costs]
    missing = tuple(run for run in table.runs if run not in costs)
    if len(known) < 2:
        named = f": {list_names(list(missing))} {'has' if len(missing) == 1 else 'have'} none" if missing else ""
        check_run_count(known, where=f" with a {by}{named}")
    check_scores(table, least_queries=1)
    compared = top or find_top_group(table, alpha=alpha, seed=seed)
    priced = table.select(known)
    judged = PricedRuns(
        table=priced,
        costs=np.array([costs[run] for run in known]),
        scores=[score_intervals[run] for run in known]
        if score_intervals is not None
        else mean_intervals(priced.values, confidence=1 - alpha, rng=seed),
        top=compared.select(known),
        higher_is_better=higher_is_better(table.measure),
    )
    rows = judged.judge()
    best = next(row for row in reversed(rows) if row.worth.is_on_front)
    return Frontier(
        measure=table.measure,
        by=by,
        rows=rows,
        cheapest_like_best=judged.cheapest_like(best.run),
        n_queries=len(table.query_ids),
        n_compared=len(compared.runs),
        without_cost=missing,
        n_without_scores=sum(run not in table.runs for run in costs),
        higher_is_better=judged.higher_is_better,
        alpha=alpha,
        seed=seed,
        digest=table.digest,
        remarks=table.remarks,
    )


def _check(costs: Mapping[str, float], by: str, alpha: float) -> None:
    check_share(alpha, name="alpha")
    check_choice(by, COST_KINDS, name="by")
    for run, cost in costs.items():
        if not is_cost(cost):
            raise InputError(f"costs: found {cost:g} for run '{run}'; expected {A_COST}.")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Frontier(Result):
    """Runs by cost, the cheapest first, each with what is shown of its worth."""

    FIGURES = (
        "measure by best=best.run cheapest_like_best",
        Rows(
            "runs",
            of="rows",
            columns=(
                Column("run", str),
                *columns(float, "cost score=score.estimate score_low=score.low score_high=score.high"),
                Column("n", int, "score.n"),
                Column("is_on_front", bool, "worth.is_on_front"),
                Column("worth", str),
                *columns(int, "n_cheaper n_cheaper_below"),
                Column("rival", str),
                *columns(float, "delta=delta.estimate delta_low=delta.low delta_high=delta.high"),
            ),
        ),
        "without_cost n_without_scores",
    )
    MADE_FROM = (
        "measure scores_digest=digest n_queries n_compared n_runs=len(rows) by alpha",
        Fact("interval", lambda _: f"BCa bootstrap, {RESAMPLES:,} samples"),
        "seed",
    )

    measure: str
    by: CostKind
    rows: tuple[FrontierRow, ...]
    cheapest_like_best: str
    """The cheapest run that cannot be told apart from the one with the best score; it may be that one."""
    n_queries: int
    n_compared: int
    """Runs that were compared at once, those without a cost included."""
    without_cost: tuple[str, ...]
    """Runs that have scores and no cost."""
    n_without_scores: int
    """Runs that have a cost and no scores."""
    higher_is_better: bool
    alpha: float
    seed: int
    digest: str
    """Of the scores of all runs that were compared."""
    remarks: tuple[str, ...] = ()

    @property
    def front(self) -> tuple[FrontierRow, ...]:
        """The runs that no run at their cost or less scores above, the cheapest first."""
        return tuple(row for row in self.rows if row.worth.is_on_front)

    @property
    def best(self) -> FrontierRow:
        """The run with the best score; of several the cheapest."""
        return self.front[-1]

    def row_of(self, run: str) -> FrontierRow:
        """What is known of a run that has a cost."""
        return next(row for row in self.rows if row.run == run)

    def runs_of(self, worth: Worth) -> tuple[str, ...]:
        """The runs of which that is shown, the cheapest first."""
        return tuple(row.run for row in self.rows if row.worth is worth)

    @property
    def sentence(self) -> str:
        return say_worth(self)

    @property
    def table(self) -> Table:
        return frontier_table(self)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain(self)

    def __repr__(self) -> str:
        return f"Frontier({len(self.rows):,} runs, {len(self.front):,} on the front, {self.n_queries:,} queries)"
