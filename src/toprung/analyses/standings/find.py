"""Who stands where, and who is better than whom? The order of the leaderboard, and what each run is to all others.

All of it comes from the top group (``toprung.boards.engine.top_group``), which compares all runs at once. The order by
the verdicts of Lin et al. 2021 is another one, asked for by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Literal

from toprung.analyses.inputs import check_run_count, check_scores, find_named
from toprung.analyses.standings.rows import StandingRow
from toprung.analyses.standings.tiers import TierStandings, standings_by_tiers
from toprung.analyses.standings.words import explain_standings, say_notes
from toprung.analyses.subject import MeasureName, Source, to_matrix
from toprung.boards.answers import Answers, find_answers
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.boards.engine.words import say_top_group
from toprung.boards.lin2021.breakdown import FacetName, FacetTest
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError, check_choice
from toprung.result import Cell, Column, Explanation, Result, Rows, columns
from toprung.stats.inputs import check_share
from toprung.words.wording import fit_names, show_number, show_rank_range, show_share
from toprung.workers import IN_PROCESS, Workers

type StandingRule = Literal["measure", "lin2021"]

NAMES_WIDTH = 24
USUAL_FACETS = ("esl", "t")


def standings(
    matrix: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    rule: StandingRule = "measure",
    facet: FacetName = "esl",
    facet_test: FacetTest = "t",
    alpha: float = 0.05,
    submitted_at: Mapping[str, date] | None = None,
    seed: int = 0,
    workers: Workers = IN_PROCESS,
) -> Standings | TierStandings:
    """Runs in order of score, each with the runs that it is better than, worse than, or cannot be told apart from.

    Parameters
    ----------
    matrix
        First relevant ranks, the scores of any measure, what ``evaluate`` gave, or labels.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    rule
        ``"measure"``: all runs are compared at once on the measure, as on a leaderboard. ``"lin2021"``: the order by
        tiers that the verdicts of Lin et al. 2021 on every pair allow, from first ranks; see ``standings_by_tiers``.
    facet, facet_test, submitted_at
        Of ``"lin2021"`` alone.
    seed
        Of the resamples.
    workers
        Who does the work, by blocks of pairs; the result is the same.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[3, 1], [4, 2], [9, 2], [0, 1], [7, 3], [5, 2]], dtype=np.int32)
    >>> ranks = FirstRanks(query_ids=("1", "2", "3", "4", "5", "6"), runs=("old", "new"), values=values, cutoff=10)
    >>> print(standings(ranks).sentence)
    new does best, beyond chance.

    """
    check_choice(rule, ("measure", "lin2021"), name="rule")
    matrix = to_matrix(matrix, runs, measure)
    if rule == "measure":
        _refuse_what_has_no_effect(facet, facet_test, submitted_at)
        return _make_standings(matrix, alpha=alpha, seed=seed, workers=workers)
    if not isinstance(matrix, FirstRanks):
        raise InputError(f"rule: found 'lin2021' with scores of {matrix.measure}; expected first ranks.")
    return standings_by_tiers(
        matrix,
        facet=facet,
        facet_test=facet_test,
        alpha=alpha,
        submitted_at=submitted_at,
        seed=seed,
        workers=workers,
    )


def _refuse_what_has_no_effect(facet: str, facet_test: str, submitted_at: Mapping[str, date] | None) -> None:
    if (facet, facet_test) != USUAL_FACETS:
        raise InputError(f"Found {facet} and {facet_test} for the ranking facet; expected the rule lin2021 with them.")
    if submitted_at:
        raise InputError("Found dates; expected the rule lin2021 with them: equal scores share a place.")


def _make_standings(matrix: FirstRanks | ScoreTable, *, alpha: float, seed: int, workers: Workers) -> Standings:
    check_run_count(matrix.runs)
    check_share(alpha, name="alpha")
    if isinstance(matrix, ScoreTable):
        check_scores(matrix, least_queries=1)
    if not matrix.query_ids:
        raise InputError("Found no queries; expected at least one to compare runs on.")
    top = find_top_group(matrix, alpha=alpha, seed=seed, workers=workers)
    return Standings(matrix=matrix, top=top, seed=seed)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Standings(Result):
    """Runs in order of score, and what each is to every other."""

    FIGURES = (
        "measure top_group=top.members",
        Rows(
            "standings",
            of="rows",
            columns=(
                *columns(int, "place rank_low rank_high"),
                Column("top_group", bool),
                Column("run", str),
                *columns(float, "score answered mean_esl"),
                *columns(list, "better_than worse_than cannot_be_told_apart_from"),
            ),
        ),
    )
    MADE_FROM = (
        "measure matrix_digest=matrix.digest n_queries=top.n_queries n_runs=len(runs) alpha=top.alpha",
        "resamples=top.intervals.resamples seed",
    )

    matrix: FirstRanks | ScoreTable
    top: TopGroup
    seed: int

    @property
    def measure(self) -> str:
        return self.top.measure

    @property
    def runs(self) -> tuple[str, ...]:
        """In order of score."""
        return self.top.runs

    @cached_property
    def rows(self) -> tuple[StandingRow, ...]:
        """One row a run, in order of score."""
        return tuple(self._make_row(number, run) for number, run in enumerate(self.runs))

    @cached_property
    def _answers(self) -> dict[str, Answers]:
        return find_answers(self.matrix)

    def _make_row(self, number: int, run: str) -> StandingRow:
        top, answers = self.top, self._answers[run]
        return StandingRow(
            place=int(top.places[number]),
            rank_low=int(top.intervals.low[number]),
            rank_high=int(top.intervals.high[number]),
            top_group=bool(top.is_member[number]),
            run=run,
            score=float(top.scores[number]),
            answered=answers.share,
            mean_esl=answers.mean_esl,
            better_than=top.better_than(run),
            worse_than=top.worse_than(run),
            cannot_be_told_apart_from=top.not_told_apart_from(run),
        )

    def __getitem__(self, run: str) -> StandingRow:
        return find_named("run", run, {row.run: row for row in self.rows})

    @property
    def sentence(self) -> str:
        return " ".join(filter(None, self.said))

    @property
    def said(self) -> tuple[str, str]:
        """Who may be best: what is bold on a page, and what follows it."""
        return say_top_group(self.top.members, n_runs=len(self.runs), n_queries=self.top.n_queries)

    def cells(self) -> Sequence[Cell]:
        answers = (
            Cell("answered", lambda row: show_share(row.answered), is_number=True),
            Cell("ESL", lambda row: "–" if row.mean_esl is None else show_number(row.mean_esl, 2), is_number=True),
        )
        return (
            Cell("place", lambda row: str(row.place), is_number=True),
            Cell("rank", lambda row: show_rank_range(row.rank_low, row.rank_high), is_number=True),
            Cell("may be best", lambda row: "yes" if row.top_group else ""),
            Cell("run", lambda row: row.run),
            Cell(self.measure, lambda row: show_number(row.score, 4), is_number=True),
            *(answers if isinstance(self.matrix, FirstRanks) else ()),
            Cell("better", lambda row: str(len(row.better_than)), is_number=True),
            Cell("worse", lambda row: str(len(row.worse_than)), is_number=True),
            Cell("cannot be told apart", lambda row: fit_names(row.cannot_be_told_apart_from, NAMES_WIDTH)),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.matrix.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_standings(self)

    def __repr__(self) -> str:
        return f"Standings({len(self.runs):,} runs, {len(self.top.members):,} may be best)"
