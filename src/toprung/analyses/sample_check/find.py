"""Does a sample of queries order runs as all queries do? If not, what is judged on the sample may not hold for all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from toprung.analyses.run_scores import (
    is_higher_better,
    order_correlation,
    score_runs,
)
from toprung.data.matrices import ScoreTable
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.result import Cell, Column, Explanation, Result, Rows
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, Ints
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.ranks.places import places_of
from toprung.words.wording import list_names, say_count, say_queries, show_number


def check_sample_order(
    qrels: Qrels,
    runs: Any,
    query_ids: Collection[str],
    measure: str = "RR@10",
    *,
    on_progress: Callable[[str], None] = lambda _: None,
) -> SampleCheck:
    """Compare the order of runs on some queries with that on all labelled ones.

    Parameters
    ----------
    qrels, runs
        The labels of all queries, and the runs in any form that ``evaluate`` takes.
    query_ids
        The sample.
    measure
        By its name, such as ``"RR@10"``.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d3": 1}})
    >>> good = {"q1": {"d1": 2, "x": 1}, "q2": {"d2": 2, "x": 1}, "q3": {"x": 2, "d3": 1}}
    >>> poor = {"q1": {"x": 2, "d1": 1}, "q2": {"x": 2, "d2": 1}, "q3": {"d3": 2, "x": 1}}
    >>> print(check_sample_order(qrels, {"good": good, "poor": poor}, ["q1", "q2"], "RR").sentence)
    On the 2 sampled queries the 2 runs stand in the same order by RR as on all 3.

    """
    return compare_orders(score_runs(qrels, runs, measure, on_progress=on_progress), query_ids)


def compare_orders(table: ScoreTable, query_ids: Collection[str]) -> SampleCheck:
    """The same for scores that are there already."""
    if len(table.runs) < 2:
        raise InputError(f"Found {len(table.runs)} run; expected at least two to order.")
    unknown = sorted(set(query_ids) - set(table.query_ids))
    if unknown:
        raise InputError(
            f"Found {say_count(len(unknown), 'sampled query', 'sampled queries')} without labels, "
            f"'{unknown[0]}' first; expected labelled queries."
        )
    sample = table.select_queries(query_ids, name="sample")
    return SampleCheck(
        measure=table.measure,
        runs=table.runs,
        means=column_means(table.values),
        sample_means=column_means(sample.values),
        n_queries=len(table.query_ids),
        n_sampled=len(sample.query_ids),
        higher_is_better=is_higher_better(table.measure),
        digest=table.digest,
        sample_digest=sample.digest,
        remarks=table.remarks,
    )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SampleCheck(Result):
    """The order of runs on all queries and on a sample."""

    FIGURES = (
        "measure is_same_order tau swapped",
        Rows(
            "runs",
            of="_ordered",
            columns=(
                Column("run", str, "0"),
                Column("score", float, "1"),
                Column("place", int, "2"),
                Column("sample_score", float, "3"),
                Column("sample_place", int, "4"),
            ),
        ),
    )
    MADE_FROM = (
        "measure scores_digest=digest sample_scores_digest=sample_digest n_queries n_sampled n_runs=len(runs)",
    )

    measure: str
    runs: tuple[str, ...]
    means: Floats
    sample_means: Floats
    n_queries: int
    n_sampled: int
    higher_is_better: bool
    digest: str
    """Of the scores on all queries."""
    sample_digest: str
    remarks: tuple[str, ...] = ()

    @cached_property
    def places(self) -> Ints:
        return places_of(self.means, higher_is_better=self.higher_is_better)

    @cached_property
    def sample_places(self) -> Ints:
        return places_of(self.sample_means, higher_is_better=self.higher_is_better)

    @property
    def _ordered(self) -> list[tuple[str, float, int, float, int]]:
        """Run, score and place on all queries, score and place on the sample; by the place on all queries."""
        rows = zip(self.runs, self.means, self.places, self.sample_means, self.sample_places, strict=True)
        return sorted(rows, key=lambda row: (row[2], row[0]))

    @property
    def is_same_order(self) -> bool:
        return bool((self.places == self.sample_places).all())

    @cached_property
    def swapped(self) -> tuple[tuple[str, str], ...]:
        """Pairs of runs whose order on the sample is not that on all queries, the one that is ahead on all first."""
        return tuple(self._swapped())

    def _swapped(self) -> Iterator[tuple[str, str]]:
        for one, other in combinations(self._ordered, 2):
            if np.sign(other[2] - one[2]) != np.sign(other[4] - one[4]):
                yield one[0], other[0]

    @cached_property
    def tau(self) -> float:
        """Kendall's τ-b of the two orders."""
        return order_correlation(self.means, self.sample_means)

    @property
    def sentence(self) -> str:
        sampled = f"On the {say_count(self.n_sampled, 'sampled query', 'sampled queries')}"
        runs = f"the {len(self.runs):,} runs stand in"
        if self.is_same_order:
            return f"{sampled} {runs} the same order by {self.measure} as on all {self.n_queries:,}."
        pairs = f"{len(self.swapped):,} of {len(self.runs) * (len(self.runs) - 1) // 2:,} pairs"
        differs = (
            f"{pairs} {'differs' if len(self.swapped) == 1 else 'differ'} (Kendall's τ = {show_number(self.tau, 2)})"
        )
        return f"{sampled} {runs} another order by {self.measure} than on all {self.n_queries:,}: {differs}."

    def cells(self) -> list[Cell]:
        return [
            Cell("run", lambda row: row[0]),
            Cell(f"{self.measure} on all", lambda row: show_number(row[1], 4), is_number=True),
            Cell("place", lambda row: str(row[2]), is_number=True),
            Cell("on the sample", lambda row: show_number(row[3], 4), is_number=True),
            Cell("place there", lambda row: str(row[4]), is_number=True),
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        told = [f"Order differs: {list_names([' and '.join(pair) for pair in self.swapped])}."] if self.swapped else []
        close = (round(float(gap), MEAN_DIGITS) for gap in np.abs(np.diff(np.sort(self.means))))
        nearest = min((gap for gap in close if gap > 0), default=None)
        if self.swapped and nearest is not None:
            told.append(f"The nearest two runs on all queries are {show_number(nearest, 4)} apart.")
        return (*told, *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"The runs are put in order by mean {self.measure}, once over the {say_queries(self.n_sampled)} of the "
                f"sample and once over all {self.n_queries:,}. Pairs of runs that stand the other way round are "
                "counted, and Kendall's τ-b says how far the two orders agree."
            ),
            assumptions=(
                "The sample was drawn at random.",
                "Runs that lie close are not told apart by this: nothing is tested.",
            ),
        )

    def __repr__(self) -> str:
        return f"SampleCheck({len(self.runs):,} runs, {self.n_sampled:,} of {self.n_queries:,} queries)"
