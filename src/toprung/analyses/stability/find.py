"""Would the same runs lead if other queries had been drawn? Ranks under bootstrapping, and where runs may truly stand.

After Craswell et al. 2021, sections 3.1 and 3.2: of 1,000 trials that draw as many queries with replacement, how many
put a run first, second, …? Under one condition, or under several: another measure, other queries, other labels. Those
shares tell how stable an order is; the confidence intervals for ranks beside them tell what is known of the true one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from toprung.analyses.inputs import check_run_count, find_named
from toprung.analyses.stability.board import STEPS, BoardStability, find_stability
from toprung.analyses.stability.tables import board_table, conditions_table, published_table, rest_tables
from toprung.analyses.stability.words import explain_stability, say_notes, say_stability
from toprung.analyses.subject import MeasureName, Source, to_score_tables
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.result import Explanation, Result, Rows, Table
from toprung.stats.inputs import check_share
from toprung.stats.ranks.mass import TRIALS
from toprung.workers import IN_PROCESS, Workers

if TYPE_CHECKING:
    import polars as pl

# Followed through several conditions unless others are named.
MOST_FOLLOWED = 3


def stability(
    tables: Source | Mapping[str, ScoreTable],
    runs: Any = None,
    measure: MeasureName = None,
    *,
    trials: int = TRIALS,
    top: int = 5,
    follow: Sequence[str] = (),
    alpha: float = 0.05,
    tau: int = 1,
    top_group: TopGroup | None = None,
    seed: int = 0,
    workers: Workers = IN_PROCESS,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Stability:
    """Rank runs on queries drawn anew, many times; and give confidence intervals for their ranks.

    Parameters
    ----------
    tables
        The values of one measure, queries × runs; what ``evaluate`` gave, or labels; or several matrices by name, such
        as a measure on the public and on the private queries. Runs that are not in all of them are left out and named.
        Whether less is better is known from the name of the measure.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    trials
        How many times queries are drawn.
    top
        The ranks that tables show.
    follow
        The runs that tables show: all of one table, and of several the first three of the first.
    alpha, tau
        The intervals for ranks have the confidence 1 − alpha, for all runs at once, as on the leaderboard; the runs
        that may be among the best ``tau`` are those whose interval goes up to it.
    top_group
        Of a single table, what was found before of these runs and maybe more; found here when left out.
    workers
        Who does the work, by blocks of pairs and of trials; the result is the same.
    on_progress
        Called ``count_steps(tables)`` times.

    Examples
    --------
    >>> values = np.array([[0.9, 0.2, 0.1], [0.8, 0.7, 0.3], [0.7, 0.9, 0.2], [0.9, 0.6, 0.1]])
    >>> table = ScoreTable(query_ids=("1", "2", "3", "4"), runs=("x", "y", "z"), values=values, measure="P@10")
    >>> print(stability(table, trials=500).sentence)
    x stands first in 92.4% of 500 bootstrap trials; at 95% confidence every one of the 3 runs may be best.

    """
    named = to_score_tables(tables, runs, measure)
    _check_options(trials, top, alpha)
    common, left_out = _common_runs(named)
    _check_tables(named, common, tau)
    unknown = [run for run in follow if run not in common]
    if unknown:
        raise InputError(f"follow: found no run '{unknown[0]}'; expected one of {', '.join(common)}.")
    if top_group is not None and len(named) > 1:
        raise InputError(f"top_group: found one for {len(named)} tables; expected none, or a single table.")
    boards = []
    for name, table in named.items():
        chosen = table.select(common)
        compared = (top_group or find_top_group(chosen, alpha=alpha, seed=seed, workers=workers)).select(common)
        on_progress(name or "intervals")
        boards.append(
            find_stability(
                chosen,
                compared,
                name=name,
                trials=trials,
                tau=tau,
                seed=seed,
                workers=workers,
                on_progress=on_progress,
            )
        )
    default = boards[0].runs[:MOST_FOLLOWED] if len(boards) > 1 else ()
    return Stability(
        boards=tuple(boards),
        followed=tuple(dict.fromkeys(follow)) or default,
        left_out=left_out,
        trials=trials,
        top=min(top, len(common)),
        seed=seed,
    )


def count_steps(tables: ScoreTable | Mapping[str, ScoreTable]) -> int:
    """How often progress is reported."""
    return STEPS * (1 if isinstance(tables, ScoreTable) else len(tables))


def _check_options(trials: int, top: int, alpha: float) -> None:
    for name, value in (("trials", trials), ("top", top)):
        if value < 1:
            raise InputError(f"{name}: found {value}; expected a whole number from 1.")
    check_share(alpha, name="alpha")


def _common_runs(named: Mapping[str, ScoreTable]) -> tuple[list[str], tuple[str, ...]]:
    """The runs of all tables, and those of only some, both by name."""
    if not named:
        raise InputError("Found no table of scores; expected at least one.")
    everywhere = set.intersection(*(set(table.runs) for table in named.values()))
    somewhere = set.union(*(set(table.runs) for table in named.values()))
    return sorted(everywhere), tuple(sorted(somewhere - everywhere))


def _check_tables(named: Mapping[str, ScoreTable], common: list[str], tau: int) -> None:
    check_run_count(common, where="" if len(named) == 1 else f" in all {len(named)} conditions")
    empty = [name for name, table in named.items() if not table.query_ids]
    if empty:
        raise InputError(f"{f'{empty[0]}: found' if empty[0] else 'Found'} no queries; expected at least one to draw.")
    if not 1 <= tau <= len(common):
        raise InputError(f"tau: found {tau}; expected a whole number from 1 to {len(common)}, the number of runs.")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Stability(Result):
    """How stable the order of runs is, under one condition or several.

    Each board has, in the order of the scores, ``runs``, ``scores``, ``mass`` (runs × positions, the share of trials),
    ``expected_ranks`` and the confidence ``intervals`` of the ranks.
    """

    FIGURES = (
        Rows(
            "conditions",
            ("name measure n_queries may_be_top pairs_judged=intervals.n_judged runs=records()",),
            of="boards",
        ),
        "followed left_out",
    )
    MADE_FROM = (
        Rows("conditions", ("name measure scores_digest=digest n_queries",), of="boards"),
        "n_runs=len(runs) trials interval_resamples=boards.0.intervals.resamples",
        "confidence=boards.0.intervals.confidence tau=boards.0.tau seed",
    )

    boards: tuple[BoardStability, ...]
    followed: tuple[str, ...]
    left_out: tuple[str, ...]
    """Runs that are not in all conditions."""
    trials: int
    top: int
    seed: int

    @property
    def runs(self) -> tuple[str, ...]:
        """In the order of the first condition."""
        return self.boards[0].runs

    def __getitem__(self, condition: str) -> BoardStability:
        return find_named("condition", condition, {board.name: board for board in self.boards})

    @property
    def sentence(self) -> str:
        return say_stability(self.boards, trials=self.trials)

    @property
    def table(self) -> Table:
        if len(self.boards) > 1:
            return conditions_table(self.boards, self.followed, top=self.top)
        return board_table(self.boards[0], self.followed, top=self.top)

    def paper_tables(self) -> tuple[Table, ...]:
        """For each condition the share of trials at each of the first ranks, as published; then what else is known."""
        published = (published_table(board, self.followed, top=self.top) for board in self.boards)
        return (*published, *rest_tables(self.boards, self.followed, top=self.top))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(say_notes(self.boards, self.followed, self.left_out, trials=self.trials, top=self.top))

    @property
    def explanation(self) -> Explanation:
        return explain_stability(self.boards, trials=self.trials)

    def to_frame(self) -> pl.DataFrame:
        """One row for each condition, run and rank: its share of the trials, and the intervals of the run."""
        from toprung.extras.frames import pl

        return pl.concat([self._frame_of(board) for board in self.boards])

    def _frame_of(self, board: BoardStability) -> pl.DataFrame:
        from toprung.extras.frames import pl

        n_runs = len(board.runs)
        every_rank = {name: np.repeat(values, n_runs) for name, values in board.by_run.items()}
        return pl.DataFrame(
            {
                "condition": [board.name or board.measure] * n_runs**2,
                "measure": [board.measure] * n_runs**2,
                "n_queries": np.full(n_runs**2, board.n_queries),
                "run": pl.Series(board.runs, dtype=pl.String).gather(np.repeat(np.arange(n_runs), n_runs)),
                "rank": np.tile(np.arange(1, n_runs + 1), n_runs),
                "share": board.mass.ravel(),
                **every_rank,
            },
            nan_to_null=True,
        )

    def __repr__(self) -> str:
        return f"Stability({len(self.boards)} conditions, {len(self.runs):,} runs, {self.trials:,} trials)"
