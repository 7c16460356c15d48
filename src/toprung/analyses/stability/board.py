"""How stable is one leaderboard? Its runs by score, with the ranks they take when other queries are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from toprung.boards.engine.top_group import TopGroup
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats, Ints
from toprung.stats.ranks.intervals import RankIntervals
from toprung.stats.ranks.mass import bootstrap_rank_mass, expected_rank
from toprung.workers import IN_PROCESS, Workers

# on_progress is called so often for each board.
STEPS = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardStability:
    """One board, the best score first; every array has one element, or one row, per run."""

    name: str
    """What the board is called among several; empty if it is the only one."""
    measure: str
    n_queries: int
    runs: tuple[str, ...]
    places: Ints
    """By score; the same score shares the best place."""
    scores: Floats
    mass: Floats
    """Runs × positions: the share of trials in which a run takes a position."""
    expected_ranks: Floats
    intervals: RankIntervals
    """The ranks that runs may truly have, all compared at once, as on the leaderboard."""
    tau: int
    """How many of the best are asked for."""
    has_gaps: bool
    """Whether some queries have no value for some runs."""
    is_constant: bool
    """Whether all runs have the same value on every query."""
    digest: str
    """Of the scores."""
    remarks: tuple[str, ...]
    score_decimals: int = 4
    """What a score is written with; fewer where it was rounded before."""

    def row(self, run: str) -> int:
        if run not in self.runs:
            raise InputError(f"Found no run '{run}'; expected one of {', '.join(self.runs)}.")
        return self.runs.index(run)

    def first(self, most: int) -> BoardStability:
        """The first rows, and of the ranks those up to the last that any of them took."""
        if len(self.runs) <= most:
            return self
        rows = slice(most)
        n_ranks = max(self.ranks_seen(row)[1] for row in range(most))
        return replace(
            self,
            runs=self.runs[rows],
            places=self.places[rows],
            scores=self.scores[rows],
            mass=self.mass[rows, :n_ranks],
            expected_ranks=self.expected_ranks[rows],
            intervals=self.intervals.reordered(np.arange(most)),
        )

    @property
    def most_often_first(self) -> int:
        """The row of the run that stands first in most trials; of several the one with the better score."""
        return int(np.argmax(self.mass[:, 0].round(MEAN_DIGITS)))

    def ranks_seen(self, row: int) -> tuple[int, int]:
        """The best and the worst rank that a run took in any trial."""
        (seen,) = np.nonzero(self.mass[row])
        return int(seen[0]) + 1, int(seen[-1]) + 1

    @property
    def may_be_top(self) -> tuple[str, ...]:
        """The runs that may be among the best ``tau``: of one, the top group."""
        return tuple(run for run, may_be in zip(self.runs, self.is_among_best.tolist(), strict=True) if may_be)

    @property
    def is_among_best(self) -> Bools:
        """Whether fewer than ``tau`` runs are better."""
        found: Bools = self.intervals.low <= self.tau
        return found

    @property
    def by_run(self) -> dict[str, np.ndarray[Any, Any]]:
        """Scores and intervals of the ranks, by what programs call them."""
        found = self.intervals
        return {
            "score": self.scores,
            "expected_rank": self.expected_ranks,
            "rank_low": found.low,
            "rank_high": found.high,
            "may_be_top": self.is_among_best,
        }

    def records(self) -> list[dict[str, object]]:
        """Every run with all that is known of it."""
        columns = {"run": self.runs, "place": self.places, **self.by_run, "shares": self.mass}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def find_stability(
    table: ScoreTable,
    compared: TopGroup,
    *,
    name: str,
    trials: int,
    tau: int,
    seed: int,
    workers: Workers = IN_PROCESS,
    on_progress: Callable[[str], None],
) -> BoardStability:
    """Draw trials; the order that the runs come in does not show in any digit. ``compared`` is of the same runs."""
    table = table.select(sorted(table.runs))
    order = [table.runs.index(run) for run in compared.runs]
    is_higher_better = higher_is_better(table.measure)
    mass = bootstrap_rank_mass(
        table.values, trials=trials, higher_is_better=is_higher_better, rng=seed, workers=workers
    )[order]
    on_progress(name or "trials")
    same = (table.values == table.values[:, :1]) | (np.isnan(table.values) & np.isnan(table.values[:, :1]))
    return BoardStability(
        name=name,
        measure=table.measure,
        n_queries=len(table.query_ids),
        runs=compared.runs,
        places=compared.places,
        scores=compared.scores,
        mass=mass,
        expected_ranks=expected_rank(mass),
        intervals=compared.intervals,
        tau=tau,
        has_gaps=bool(np.isnan(table.values).any()),
        is_constant=bool(same.all()),
        digest=table.digest,
        remarks=table.remarks,
    )
