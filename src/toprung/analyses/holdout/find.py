"""Does what the public leaderboard shows hold on private queries? Scores, gains and orders on both.

A team that fits its runs to the public queries gains there and not on private ones (Craswell et al. 2021, section 3.2).
For every run its gain over a reference is compared between the two sets, and so are the two orders of all runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from toprung.analyses.holdout.sets import (
    STEPS,
    BothSides,
    HeldOutRun,
    PrivateSet,
    compare_sides,
    correct_over_sets,
    runs_with_values,
)
from toprung.analyses.holdout.tables import RUN_COLUMNS, SETS, TEAM_GAINS, TEAMS, run_table, set_table, team_table
from toprung.analyses.holdout.teams import HoldoutTeam, TeamGain, follow_teams
from toprung.analyses.holdout.words import explain_holdout, say_notes, say_sentence
from toprung.analyses.inputs import find_named
from toprung.analyses.subject import MeasureName, Source, to_score_table, to_score_tables
from toprung.data.matrices import ScoreTable
from toprung.data.submissions import Submissions
from toprung.errors import InputError
from toprung.result import Explanation, Fact, Result, Rows, Table
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.inputs import check_share
from toprung.stats.models.divergence import LEVEL, resamples_for
from toprung.workers import IN_PROCESS, Workers

if TYPE_CHECKING:
    import polars as pl

type ChosenBy = Literal["asked", "earliest", "mean"]

PUBLIC, PRIVATE = "public", "private"
MEAN_OF_OTHERS = "mean of the other runs"


def holdout(
    public: Source,
    private: Source | Mapping[str, Source],
    runs: Any = None,
    measure: MeasureName = None,
    *,
    reference: str | None = None,
    submissions: Submissions | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    workers: Workers = IN_PROCESS,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Holdout:
    """Compare runs on public and on private queries.

    Parameters
    ----------
    public, private
        Scores of the same measure, queries × runs, or what ``evaluate`` gave; several private sets by name. Or labels.
        Queries with the same id on both sides are the same query (under other labels), and are drawn together.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    reference
        The run that gains are counted from: best a baseline that nobody tuned. When left out, the earliest submitted,
        or without submissions the mean of the other runs, for the choice must not look at public scores.
    submissions
        Who submitted what, and when: then teams are followed too.
    confidence
        Of the intervals. Divergences of runs are tested at 0.025, one-sided, after Holm's correction over all of them.
    workers
        Who does the work, by blocks of runs; the result is the same.
    on_progress
        Called after each of the ``count_steps(private, submissions)`` steps.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> values = rng.random((80, 2)) + [0, 0.5]
    >>> ids = tuple(f"q{row}" for row in range(80))
    >>> public = ScoreTable(query_ids=ids[:60], runs=("old", "new"), values=values[:60], measure="nDCG@10")
    >>> private = ScoreTable(query_ids=ids[60:], runs=("old", "new"), values=values[60:], measure="nDCG@10")
    >>> holdout(public, private)["private"].order.tau.estimate
    1.0

    """
    check_share(confidence, name="confidence")
    named = _by_name(private, runs, measure)
    public = to_score_table(public, runs, measure)
    _refuse_what_has_no_gains(public, named)
    sign = 1 if higher_is_better(public.measure) else -1
    public = _sorted(public)
    sides = [BothSides.of(name, public, _sorted(table)) for name, table in named.items()]
    chosen, chosen_by = _choose_reference(sides, reference, submissions)
    n_tests = sum(len(side.runs) - (chosen is not None) for side in sides)
    compare = partial(compare_sides, sign=sign, confidence=confidence, n_tests=n_tests, seed=seed, workers=workers)
    sets = correct_over_sets([compare(side, chosen, on_progress=on_progress) for side in sides])
    scored = public.select(runs_with_values(public))
    teams: tuple[HoldoutTeam, ...] = ()
    if submissions is not None:
        private_tables = {side.name: side.private for side in sides}
        teams = follow_teams(submissions, scored, private_tables, sign=sign, seed=seed)
        on_progress("teams")
    not_scored, without_team = _compare_names(scored, submissions)
    return Holdout(
        measure=public.measure,
        higher_is_better=sign > 0,
        reference=MEAN_OF_OTHERS if chosen is None else chosen,
        chosen_by=chosen_by,
        n_public=len(public.query_ids),
        sets=sets,
        teams=teams,
        not_scored=not_scored,
        without_team=without_team,
        has_gaps=any(np.isnan(table.values).any() for side in sides for table in (side.public, side.private)),
        confidence=confidence,
        seed=seed,
        resamples=resamples_for(n_tests),
        public_digest=public.digest,
        submissions_digest=submissions.digest if submissions else "",
        remarks=tuple(f"{name}: {each}" for name, side in [(PUBLIC, public), *named.items()] for each in side.remarks),
    )


def count_steps(private: ScoreTable | Mapping[str, ScoreTable], submissions: Submissions | None = None) -> int:
    """How often `holdout` tells of its progress."""
    n_sets = len(private) if isinstance(private, Mapping) else 1
    return STEPS * n_sets + (submissions is not None)


def _by_name(private: Source | Mapping[str, Source], runs: Any, measure: MeasureName) -> dict[str, ScoreTable]:
    named = {name or PRIVATE: each for name, each in to_score_tables(private, runs, measure).items()}
    if not named:
        raise InputError(
            "Found no private set; expected scores on private queries, or the public ones on other labels."
        )
    return named


def _refuse_what_has_no_gains(public: ScoreTable, private: Mapping[str, ScoreTable]) -> None:
    for name, table in private.items():
        if table.measure != public.measure:
            raise InputError(
                f"Found {public.measure} on the public queries and {table.measure} on {name}; expected one measure, "
                "for gains in two cannot be compared."
            )
    for name, table in [("the public set", public), *private.items()]:
        if not table.query_ids:
            raise InputError(f"Found no queries on {name}; expected at least one.")


def _sorted(table: ScoreTable) -> ScoreTable:
    """By the names of runs: the order they came in must not matter, not even to the last digit."""
    return table.select(sorted(table.runs))


def _choose_reference(
    sides: Sequence[BothSides], asked: str | None, submissions: Submissions | None
) -> tuple[str | None, ChosenBy]:
    """A run that is on all sets, or None for the mean of the others."""
    everywhere = [run for run in sides[0].runs if all(run in side.runs for side in sides)]
    if asked is not None:
        if asked not in everywhere:
            expected = ", ".join(everywhere) or "a run that is on all of them"
            raise InputError(f"reference: found no run '{asked}' on all sets of queries; expected one of {expected}.")
        return asked, "asked"
    dated = [entry.run for entry in submissions.by_date() if entry.run in everywhere] if submissions else []
    return (dated[0], "earliest") if dated else (None, "mean")


def _compare_names(public: ScoreTable, submissions: Submissions | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Submitted runs without public scores, and runs with scores that nobody submitted."""
    if submissions is None:
        return (), ()
    submitted = [entry.run for entry in submissions.by_date()]
    not_scored = tuple(run for run in submitted if run not in public.runs)
    return not_scored, tuple(run for run in public.runs if run not in submitted)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Holdout(Result):
    """Runs on public and on private queries: what moves, what diverges, and what could have been seen."""

    FRAME = Rows("runs", RUN_COLUMNS, of="named_runs", keeps_nan=True)
    FIGURES = ("reference reference_chosen_by=chosen_by", SETS, TEAMS, "not_scored without_team")
    MADE_FROM = (
        "measure public_digest n_public_queries=n_public",
        Rows("private_sets", ("name digest n_queries",), of="sets"),
        "submissions_digest reference",
        Fact("test", lambda _: f"one-sided, {LEVEL:g}, studentised permutation, Holm"),
        "resamples confidence seed",
    )

    measure: str
    higher_is_better: bool
    reference: str
    """A run, or "mean of the other runs" where it was chosen by that."""
    chosen_by: ChosenBy
    n_public: int
    sets: tuple[PrivateSet, ...]
    teams: tuple[HoldoutTeam, ...]
    not_scored: tuple[str, ...]
    """Submitted runs without public scores."""
    without_team: tuple[str, ...]
    """Runs with public scores that no submission names; only where there are submissions."""
    has_gaps: bool
    """Whether some queries have no value for some runs."""
    confidence: float
    seed: int
    resamples: int
    public_digest: str
    submissions_digest: str
    remarks: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> PrivateSet:
        return find_named("private set", name, {each.name: each for each in self.sets})

    @property
    def sentence(self) -> str:
        return say_sentence(self)

    @property
    def table(self) -> Table:
        return run_table(self)

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        """A table for each private set, and one for the teams."""
        several = [(f"On {each.name}", set_table(self, each)) for each in self.sets]
        runs = several if len(several) > 1 else [("", self.table)]
        return (*runs, ("Teams", self.team_table)) if self.teams else tuple(runs)

    @cached_property
    def team_table(self) -> Table:
        """A row for each team and private set; without rows where no submissions were given."""
        return team_table(self)

    def paper_tables(self) -> tuple[Table, ...]:
        """The runs, and the teams where they are known."""
        return (self.table, self.team_table) if self.teams else (self.table,)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_holdout(self)

    @property
    def provenance(self) -> Mapping[str, object]:
        """Without submissions there is no digest of them."""
        return {name: each for name, each in super().provenance.items() if each != ""}

    @property
    def named_runs(self) -> list[tuple[str, HeldOutRun]]:
        """The runs on one private set after the other, in the public order, each with the name of the set."""
        return [named for each in self.sets for named in each.named_runs]

    @property
    def team_gains(self) -> list[tuple[HoldoutTeam, TeamGain | None]]:
        """Each team with its gain on each private set that has its first and best run, or once without."""
        return [(team, gain) for team in self.teams for gain in team.gains or (None,)]

    def to_frame(self) -> pl.DataFrame:
        """One row for each private set and run, in the public order; what cannot be seen is infinite."""
        from polars import selectors

        return super().to_frame().with_columns(selectors.float().fill_nan(None))

    def team_frame(self) -> pl.DataFrame:
        """One row for each team and private set that its first and best run are on, or one without a set."""
        return TEAM_GAINS.to_frame(self)

    def __repr__(self) -> str:
        return f"Holdout({self.measure}, {len(self.sets)} private sets, {len(self.teams)} teams)"
