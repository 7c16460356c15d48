"""Who may be best now? The runs that no other is better than, and the ranks that every run may have.

One relation, ``is_better``, holds for all pairs of a board at once; rank intervals, letters, status and exports follow
from it. Whether a run belongs to the top group says nothing of its neighbours: one that is more like the best run is
told apart from it sooner.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from toprung.boards.engine.kept_pairs import KeptPairs
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.errors import InputError
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats, Ints
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.ranks.intervals import RESAMPLES, RankIntervals, rank_intervals
from toprung.stats.ranks.places import best_first, places_of
from toprung.workers import IN_PROCESS, Workers


@dataclass(frozen=True, eq=False, kw_only=True)
class TopGroup:
    """Runs in order of score, names deciding between equals; every array has an element, or a row, for each."""

    runs: tuple[str, ...]
    measure: str
    n_queries: int
    scores: Floats
    places: Ints
    """From 1; equal scores share the better place."""
    intervals: RankIntervals

    @property
    def is_better(self) -> Bools:
        """Runs × runs: whether the row is better than the column."""
        return self.intervals.is_better

    @property
    def is_member(self) -> Bools:
        """Whether no run is better, so that it may be best."""
        found: Bools = self.intervals.low == 1
        return found

    @property
    def members(self) -> tuple[str, ...]:
        return tuple(run for run, is_member in zip(self.runs, self.is_member.tolist(), strict=True) if is_member)

    @property
    def alpha(self) -> float:
        """The chance that any two runs are told apart wrongly."""
        return round(1 - self.intervals.confidence, MEAN_DIGITS)

    def select(self, runs: Collection[str]) -> TopGroup:
        """The same of some of its runs: what is known of them by comparing all, places among all included."""
        if len(runs) == len(self.runs) and set(runs) == set(self.runs):
            return self
        rows = np.array(sorted(self.row(run) for run in runs), dtype=np.int64)
        return replace(
            self,
            runs=tuple(self.runs[row] for row in rows.tolist()),
            scores=self.scores[rows],
            places=self.places[rows],
            intervals=self.intervals.reordered(rows),
        )

    def row(self, run: str) -> int:
        if run not in self._rows:
            raise InputError(f"Found no run '{run}'; expected one of {', '.join(self.runs)}.")
        return self._rows[run]

    def relation(self, a: str, b: str) -> int:
        """+1 where B is better than A, −1 where A is better, 0 where they cannot be told apart."""
        first, second = self.row(a), self.row(b)
        return int(self.is_better[second, first]) - int(self.is_better[first, second])

    def better_than(self, run: str) -> tuple[str, ...]:
        """The runs that this one is better than, in order of score."""
        return self._names(self.is_better[self.row(run)])

    def worse_than(self, run: str) -> tuple[str, ...]:
        return self._names(self.is_better[:, self.row(run)])

    def not_told_apart_from(self, run: str) -> tuple[str, ...]:
        row = self.row(run)
        is_tied = ~(self.is_better[row] | self.is_better[:, row])
        is_tied[row] = False
        return self._names(is_tied)

    def _names(self, chosen: Bools) -> tuple[str, ...]:
        return tuple(self.runs[row] for row in np.flatnonzero(chosen).tolist())

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {run: row for row, run in enumerate(self.runs)}


def find_top_group(
    matrix: FirstRanks | ScoreTable,
    *,
    alpha: float = 0.05,
    resamples: int = RESAMPLES,
    seed: int = 0,
    kept: KeptPairs | None = None,
    means: Floats | None = None,
    workers: Workers = IN_PROCESS,
) -> TopGroup:
    """Compare all runs at once, baselines included; with what was ``kept`` of most of them, if there are many.

    ``means`` are the scores of the runs of the matrix, where they are known.

    >>> scores = ScoreTable(query_ids=tuple("abcdefgh"), runs=("x", "y"), measure="nDCG@10",
    ...                     values=np.column_stack([np.zeros(8), np.arange(1, 9) / 10]))
    >>> found = find_top_group(scores)
    >>> found.runs, found.members, found.relation("x", "y")
    (('y', 'x'), ('y',), 1)
    """
    table = to_scores(matrix)
    if not table.runs or not table.query_ids:
        found = f"{len(table.runs)} runs and {len(table.query_ids)} queries"
        raise InputError(f"Found {found}; expected at least one of each.")
    is_higher_better = higher_is_better(table.measure)
    scores = column_means(table.values) if means is None else means
    find_intervals = rank_intervals if kept is None else kept.rank_intervals
    intervals = find_intervals(
        table.values,
        confidence=1 - alpha,
        resamples=resamples,
        higher_is_better=is_higher_better,
        rng=seed,
        workers=workers,
    )
    order = best_first(scores, table.runs, higher_is_better=is_higher_better)
    return TopGroup(
        runs=tuple(table.runs[run] for run in order.tolist()),
        measure=table.measure,
        n_queries=len(table.query_ids),
        scores=scores[order],
        places=places_of(scores[order], higher_is_better=is_higher_better),
        intervals=intervals.reordered(order),
    )
