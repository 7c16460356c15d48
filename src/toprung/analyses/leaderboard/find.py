"""Where does every run stand, and how sure is that? The leaderboard: scores and ranks with intervals, and tie groups.

Nothing is computed here that another analysis computes: who does better comes from ``standings`` or ``significance``,
who holds the top rung from ``timeline``, the ranks a run may have from ``rank_intervals``, as in ``stability``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from toprung.analyses.leaderboard.evidence import BoardEvidence, judge_ranks, judge_scores
from toprung.analyses.leaderboard.groups import count_upset, group_runs
from toprung.analyses.leaderboard.making import RowMaker, RunDetails, RunRanks, find_run_ranks
from toprung.analyses.leaderboard.tables import board_table, frame_columns
from toprung.analyses.leaderboard.words import explain, say_because, say_notes, say_verdict
from toprung.boards.claims import TopRule
from toprung.boards.lin2021.breakdown import FacetName, FacetTest
from toprung.boards.lin2021.verdict import LinRule
from toprung.boards.row import BoardGroup, BoardRow
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.errors import InputError
from toprung.result import Explanation, Fact, Result, Rows, Table
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import check_share
from toprung.stats.intervals.bootstrap import RESAMPLES
from toprung.stats.sequences.online import DEFAULT_GAMMA, Gamma

type Basis = Literal["outcomes", "scores"]


def leaderboard(
    matrix: FirstRanks | ScoreTable,
    *,
    dates: Mapping[str, date] | None = None,
    baselines: Collection[str] = (),
    teams: Mapping[str, str] | None = None,
    tags: Mapping[str, Sequence[str]] | None = None,
    rule: TopRule = LinRule.NO_HARM,
    facet: FacetName = "esl",
    facet_test: FacetTest = "t",
    gamma: Gamma = DEFAULT_GAMMA,
    alpha: float = 0.05,
    confidence: float = 0.95,
    seed: int = 0,
) -> Leaderboard:
    """Make the leaderboard of runs.

    Parameters
    ----------
    matrix
        First relevant ranks, whose runs are compared outcome by outcome; or the scores of any measure, whose runs are
        compared by the paired t-test with Holm's correction.
    dates
        When each run was submitted: then the claims, in that order, decide who holds the top rung. Without them the
        run that stands first by evidence does. Scores alone make no claims; their dates are only shown.
    baselines
        Runs that make no claim; see ``timeline``.
    teams, tags
        Of runs, to show.
    rule, facet, facet_test, gamma, alpha
        As in ``timeline`` and ``standings``.
    confidence
        Of the intervals of scores, each by itself, and of ranks, all at once.
    seed
        Of the resamples behind the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[3, 1, 1], [4, 2, 2], [9, 2, 1], [0, 1, 3], [7, 3, 3], [5, 2, 2]], dtype=np.int32)
    >>> ranks = FirstRanks(query_ids=("1", "2", "3", "4", "5", "6"), runs=("x", "y", "z"), values=values, cutoff=10)
    >>> print(leaderboard(ranks).sentence)
    y holds the top rung; z cannot be told apart from it.

    """
    _check(matrix, baselines, confidence)
    if isinstance(matrix, FirstRanks):
        evidence = judge_ranks(
            matrix,
            dates=dates,
            baselines=baselines,
            rule=rule,
            facet=facet,
            facet_test=facet_test,
            gamma=gamma,
            alpha=alpha,
            seed=seed,
        )
    else:
        evidence = judge_scores(matrix, alpha=alpha, seed=seed)
    return make_board(
        matrix,
        evidence,
        find_run_ranks(to_scores(matrix), confidence=confidence, seed=seed),
        details=RunDetails(dates=dates or {}, teams=teams or {}, tags=tags or {}),
        baselines=baselines,
        alpha=alpha,
        seed=seed,
    )


def _check(matrix: FirstRanks | ScoreTable, baselines: Collection[str], confidence: float) -> None:
    check_share(confidence, name="confidence")
    if not matrix.runs or not matrix.query_ids:
        found = f"{len(matrix.runs)} runs and {len(matrix.query_ids)} queries"
        raise InputError(f"Found {found}; expected at least one of each.")
    unknown = [run for run in baselines if run not in matrix.runs]
    if unknown:
        raise InputError(f"baselines: found no run '{unknown[0]}'; expected one of {', '.join(matrix.runs)}.")


def make_board(
    matrix: FirstRanks | ScoreTable,
    evidence: BoardEvidence,
    ranks: RunRanks,
    *,
    details: RunDetails,
    baselines: Collection[str] = (),
    alpha: float = 0.05,
    seed: int = 0,
) -> Leaderboard:
    """The board of analyses made before."""
    groups = group_runs(evidence, baselines)
    maker = RowMaker(matrix=matrix, evidence=evidence, ranks=ranks, details=details, baselines=baselines, seed=seed)
    failed = evidence.standings.misalignment if evidence.standings else None
    return Leaderboard(
        measure=matrix.measure,
        n_queries=len(matrix.query_ids),
        rows=tuple(maker.make_rows(groups)),
        groups=groups,
        basis="outcomes" if isinstance(matrix, FirstRanks) else "scores",
        decided_by=evidence.decided_by,
        has_claims=evidence.timeline is not None,
        circle=evidence.circle,
        n_upset=count_upset(groups, evidence),
        n_unaligned=failed.n_pairs if failed else 0,
        alignment_warning=failed.worst.warning if failed else "",
        alpha=alpha,
        confidence=ranks.intervals.confidence,
        rank_resamples=ranks.intervals.resamples,
        seed=seed,
        digest=matrix.digest,
        remarks=matrix.remarks,
    )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Leaderboard(Result):
    """Runs from the top down, in groups; the holder of the top rung stands first, whatever the scores say."""

    FIGURES = ("verdict because measure basis holder=holder.run groups rows",)
    FRAME = Rows("rows", tuple(frame_columns()))
    MADE_FROM = (
        "measure matrix_digest=digest n_queries n_runs=len(rows) told_apart_by=decided_by alpha confidence",
        Fact("interval", lambda _: f"BCa bootstrap, {RESAMPLES:,} samples"),
        "rank_resamples",
        "seed",
    )

    measure: str
    n_queries: int
    rows: tuple[BoardRow, ...]
    groups: tuple[BoardGroup, ...]
    basis: Basis
    """Whether runs were compared outcome by outcome, or by their scores."""
    decided_by: str
    has_claims: bool
    """Whether dates were known, so that claims decide who holds the top rung."""
    circle: tuple[str, ...]
    """The runs that share the first place because each does better than another of them."""
    n_upset: int
    """Runs that stand above one that does better than them."""
    n_unaligned: int
    """Pairs whose rows do not seem to belong to the same queries."""
    alignment_warning: str
    alpha: float
    confidence: float
    rank_resamples: int
    seed: int
    digest: str
    """Of the ranks or scores."""
    remarks: tuple[str, ...] = ()

    def __getitem__(self, run: str) -> BoardRow:
        for row in self.rows:
            if row.run == run:
                return row
        raise InputError(f"Found no run '{run}'; expected one of {', '.join(row.run for row in self.rows)}.")

    @property
    def holder(self) -> BoardRow:
        """Who stands first."""
        return self.rows[0]

    @property
    def top_group(self) -> tuple[BoardRow, ...]:
        """The holder and the runs that it does not do better than."""
        return tuple(row for row in self.rows if row.group == 1)

    @property
    def higher_scores(self) -> tuple[BoardRow, ...]:
        """The runs that score better than the holder, the best first."""
        sign = 1 if higher_is_better(self.measure) else -1
        ahead = [row for row in self.rows if round(sign * (row.score - self.holder.score), MEAN_DIGITS) > 0]
        return tuple(sorted(ahead, key=lambda row: (-sign * row.score, row.run)))

    @property
    def verdict(self) -> str:
        """Who holds the top, and who cannot be told apart from it."""
        return say_verdict(self)

    @property
    def because(self) -> str:
        """Which higher scores do not hold the top, and why; empty where there are none."""
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
        return f"Board({len(self.rows):,} runs, {len(self.groups):,} groups, {self.n_queries:,} queries)"
