"""Where does every run stand, and how sure is that? Scores and ranks with intervals, who may be best, who proved it.

Nothing is decided here: who may be best comes from the top group (``toprung.boards.engine.top_group``), whose claim
passed from ``timeline``. Rows stand in order of score, whatever came of the claims.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from toprung.analyses.inputs import check_scores, find_named
from toprung.analyses.leaderboard.making import RowMaker, RunDetails
from toprung.analyses.leaderboard.tables import board_table, frame_columns
from toprung.analyses.leaderboard.words import explain, say_because, say_notes
from toprung.analyses.subject import MeasureName, Source, to_matrix
from toprung.analyses.timeline.find import Timeline, timeline
from toprung.boards.engine.defaults import default_rule
from toprung.boards.engine.rules import ClaimPolicy, Rule
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.boards.engine.words import say_no_run, say_top_group
from toprung.boards.misalignment import Misalignment, audit_pairs
from toprung.boards.row import BoardRow
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.result import Explanation, Fact, Result, Rows, Table
from toprung.stats.inputs import check_share
from toprung.stats.intervals.bootstrap import RESAMPLES, Effect
from toprung.stats.sequences.online import DEFAULT_GAMMA, Gamma
from toprung.words.wording import show_number
from toprung.workers import IN_PROCESS, Workers


def leaderboard(
    matrix: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    dates: Mapping[str, date] | None = None,
    baselines: Collection[str] = (),
    teams: Mapping[str, str] | None = None,
    tags: Mapping[str, Sequence[str]] | None = None,
    rule: Rule | None = None,
    gamma: Gamma = DEFAULT_GAMMA,
    alpha: float = 0.05,
    seed: int = 0,
    workers: Workers = IN_PROCESS,
) -> Leaderboard:
    """Make the leaderboard of runs.

    Parameters
    ----------
    matrix
        First relevant ranks, the scores of any measure, what ``evaluate`` gave, or labels.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    dates
        When each run was submitted: then the claims are tested in that order, as in ``timeline``. Rows stand in order
        of score all the same.
    baselines
        Runs that make no claim; see ``timeline``. They are compared like all others.
    teams, tags
        Of runs, to show.
    rule, gamma
        What a claim must show, and the levels of claims; see ``timeline``. Without a rule "no_harm" for first ranks,
        else "measure".
    alpha
        The chance that any two runs are told apart wrongly, and that any false claim passes; the intervals have the
        confidence 1 − alpha: of scores each by itself, of ranks all at once.
    seed
        Of the resamples behind the intervals.
    workers
        Who does the work, by blocks of pairs; the result is the same.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[3, 1, 1], [4, 1, 1], [9, 1, 1], [0, 1, 1], [7, 1, 1], [5, 2, 1]] * 3, dtype=np.int32)
    >>> ranks = FirstRanks(query_ids=tuple("abcdefghijklmnopqr"), runs=("x", "y", "z"), values=values, cutoff=10)
    >>> print(leaderboard(ranks).sentence)
    Two runs may be best: z and y; the labels cannot tell them apart.

    """
    check_share(alpha, name="alpha")
    matrix = to_matrix(matrix, runs, measure)
    _check(matrix, baselines)
    has_ranks = isinstance(matrix, FirstRanks)
    rule = default_rule(None, has_ranks=has_ranks) if rule is None else rule
    ClaimPolicy(rule=rule, alpha=alpha).check(matrix.measure, has_ranks=has_ranks)
    claims = None
    if dates is not None:
        claims = timeline(matrix, dates=dates, rule=rule, alpha=alpha, gamma=gamma, baselines=baselines, seed=seed)
    return make_board(
        matrix,
        find_top_group(matrix, alpha=alpha, seed=seed, workers=workers),
        claims,
        details=RunDetails(dates=dates or {}, teams=teams or {}, tags=tags or {}),
        baselines=baselines,
        seed=seed,
    )


def _check(matrix: FirstRanks | ScoreTable, baselines: Collection[str]) -> None:
    if not matrix.runs or not matrix.query_ids:
        found = f"{len(matrix.runs)} runs and {len(matrix.query_ids)} queries"
        raise InputError(f"Found {found}; expected at least one of each.")
    unknown = [run for run in baselines if run not in matrix.runs]
    if unknown:
        raise InputError(f"baselines: found no run '{unknown[0]}'; expected one of {', '.join(matrix.runs)}.")


def make_board(
    matrix: FirstRanks | ScoreTable,
    top: TopGroup,
    timeline: Timeline | None = None,
    *,
    details: RunDetails | None = None,
    baselines: Collection[str] = (),
    voided: Collection[str] = (),
    seed: int = 0,
    score_intervals: Mapping[str, Effect] | None = None,
) -> Leaderboard:
    """The board of what was found before: who may be best, of these runs or more, and the claims as they came.

    ``voided`` are runs whose claim counts no more; ``score_intervals`` of all runs need not be found again.
    """
    if isinstance(matrix, ScoreTable):
        check_scores(matrix, least_queries=1, least_runs=1)
    top = top.select(matrix.runs)
    maker = RowMaker(
        matrix=matrix,
        top=top,
        timeline=timeline,
        details=details or RunDetails(),
        baselines=baselines,
        voided=voided,
        seed=seed,
        score_intervals=score_intervals,
    )
    last, has_claims = maker.last_proved, timeline is not None and timeline.policy.is_tested
    return Leaderboard(
        measure=matrix.measure,
        n_queries=len(matrix.query_ids),
        rows=maker.make_rows(),
        holder=None if last is None else last.run,
        n_later=0 if timeline is None or last is None else _count_later(timeline, last.run),
        overtaken_by=() if last is None else top.worse_than(last.run),
        has_ranks=isinstance(matrix, FirstRanks),
        has_claims=has_claims,
        rule=timeline.policy.rule if timeline is not None else None,
        misalignment=audit_pairs(matrix) if isinstance(matrix, FirstRanks) else None,
        alpha=top.alpha,
        rank_resamples=top.intervals.resamples,
        seed=seed,
        digest=matrix.digest,
        remarks=matrix.remarks,
    )


def _count_later(timeline: Timeline, last_proved: str) -> int:
    """The claims since then; none of them passed."""
    runs = [claim.run for claim in timeline.claims]
    return len(runs) - 1 - runs.index(last_proved)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Leaderboard(Result):
    """Runs in order of score, those that may be best marked row by row; equal scores share a place."""

    FIGURES = (
        "verdict because measure holder",
        Fact("top_group", lambda found: [row.run for row in found.top_group]),
        "rows",
    )
    FRAME = Rows("rows", tuple(frame_columns()))
    MADE_FROM = (
        "measure matrix_digest=digest n_queries n_runs=len(rows) rule alpha confidence",
        Fact("interval", lambda _: f"BCa bootstrap, {RESAMPLES:,} samples"),
        "rank_resamples",
        "seed",
    )

    measure: str
    n_queries: int
    rows: tuple[BoardRow, ...]
    holder: str | None
    """Whose claim was the last to pass; None where none did."""
    n_later: int
    """Claims since then, of which none passed."""
    overtaken_by: tuple[str, ...]
    """The runs that are better than the holder."""
    has_ranks: bool
    has_claims: bool
    """Whether dates were known, so that claims were tested."""
    rule: Rule | None
    """What a claim must show."""
    misalignment: Misalignment | None
    """Where rows do not seem to belong to the same queries."""
    alpha: float
    rank_resamples: int
    seed: int
    digest: str
    """Of the ranks or scores."""
    remarks: tuple[str, ...] = ()

    def __getitem__(self, run: str) -> BoardRow:
        return find_named("run", run, self._by_run)

    @cached_property
    def _by_run(self) -> dict[str, BoardRow]:
        return {row.run: row for row in self.rows}

    @property
    def confidence(self) -> float:
        """Of the intervals of scores, each by itself, and of ranks, all at once."""
        return 1 - self.alpha

    @property
    def top_group(self) -> tuple[BoardRow, ...]:
        """The runs that may be best: no run is better."""
        return tuple(row for row in self.rows if row.top_group)

    @property
    def reference(self) -> BoardRow:
        """The run with the highest score, which outcomes are counted against."""
        return self.rows[0]

    @property
    def said(self) -> tuple[str, str]:
        """Who may be best now: what is bold on a page, and what follows it."""
        if all(row.is_baseline for row in self.rows):
            return say_no_run(self.reference.run, show_number(self.reference.score, 4))
        names = [row.run for row in self.top_group]
        return say_top_group(names, n_runs=len(self.rows), n_queries=self.n_queries)

    @property
    def verdict(self) -> str:
        """Who may be best now."""
        return " ".join(part for part in self.said if part)

    @property
    def because(self) -> str:
        """Which submission was the last to prove an improvement; empty where no claims were tested."""
        return say_because(self)

    @property
    def sentence(self) -> str:
        return " ".join(part for part in (self.verdict, self.because) if part)

    @property
    def table(self) -> Table:
        return board_table(self)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain(self)

    def __repr__(self) -> str:
        return f"Leaderboard({len(self.rows):,} runs, {len(self.top_group):,} may be best, {self.n_queries:,} queries)"
