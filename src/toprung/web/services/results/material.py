"""What are the results for one audience made of? The runs it may see, and what is found of these runs, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from toprung.analyses.leaderboard.find import Leaderboard, make_board
from toprung.analyses.leaderboard.making import RunDetails
from toprung.analyses.significance.find import SignificanceGrid, significance
from toprung.analyses.stability.find import Stability, stability
from toprung.analyses.timeline.find import Timeline
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.engine.gains import usual_spread
from toprung.boards.engine.kept_pairs import KeptPairs
from toprung.boards.engine.kept_scores import KeptScores
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.stats.intervals.bootstrap import Effect
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.columns import board_matrix, first_ranks, score_table
from toprung.web.core.store.disclosing import disclosure_of
from toprung.web.core.store.kept_pairs import kept_pairs_of
from toprung.web.core.store.relations import pack_relations
from toprung.web.services.claims.records import dates_of, recorded_timeline
from toprung.web.services.results.inputs import digest_of_inputs
from toprung.web.services.results.other_scores import OtherMeasure, find_other_measures

MOST_TRIALS, FEWEST_TRIALS = 10_000, 1_000
MOST_RANKED = 1_000_000
"""Runs × trials: of a large board fewer trials are drawn."""
MOST_IN_STABILITY = 1_000
MOST_IN_GRID = 60
"""Runs in the grid of all pairs: more cannot be read."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Findings:
    """What is found of some runs of a board, however many audiences see them; each only if it is asked for."""

    board: Board
    labels: LabelSet
    submissions: Sequence[Submission]
    drawn: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Figures that are the same for all who see these runs, by kind."""

    @cached_property
    def matrix(self) -> FirstRanks | ScoreTable:
        """The official measure: what claims are tested on, and runs compared by."""
        return board_matrix(self.labels, self.submissions, self.board)

    @cached_property
    def ranks(self) -> FirstRanks:
        matrix = self.matrix
        return matrix if isinstance(matrix, FirstRanks) else first_ranks(self.labels, self.submissions)

    @cached_property
    def scores(self) -> ScoreTable:
        return score_table(self.labels, self.submissions, self.board.official_measure)

    def first_scores(self, n_runs: int) -> ScoreTable:
        """Of the runs with the best scores, in their order."""
        by_run = {each.run_id: each for each in self.submissions}
        first = [by_run[run] for run in self.top.runs[:n_runs]]
        return score_table(self.labels, first, self.board.official_measure)

    @cached_property
    def score_intervals(self) -> dict[str, Effect]:
        scores, kept = to_scores(self.matrix), KeptScores(folder=kept_pairs_of(self.labels))
        found = kept.mean_intervals(scores.values, confidence=1 - self.board.alpha, seed=self.board.seed)
        return dict(zip(scores.runs, found, strict=True))

    @cached_property
    def length_intervals(self) -> dict[str, Effect]:
        """Of the mean search length over the queries that each run answers; none where scores tell no ranks."""
        matrix, kept = self.matrix, KeptScores(folder=kept_pairs_of(self.labels))
        if not isinstance(matrix, FirstRanks):
            return {}
        found = np.where(matrix.values > 0, matrix.values, np.nan)
        effects = kept.mean_intervals(found, confidence=1 - self.board.alpha, seed=self.board.seed)
        return dict(zip(matrix.runs, effects, strict=True))

    @cached_property
    def top(self) -> TopGroup:
        """Who is better than whom: whatever is said of it comes from here."""
        return find_top_group(
            self.matrix,
            alpha=self.board.alpha,
            seed=self.board.seed,
            kept=KeptPairs(folder=kept_pairs_of(self.labels)),
            means=np.array([each.estimate for each in self.score_intervals.values()]),
        )

    @cached_property
    def better_than(self) -> dict[str, str]:
        """For each run those that it is better than, all compared at once: what comparisons of two say first."""
        number_of = {each.run_id: each.number for each in self.submissions}
        numbers = np.array([number_of[run] for run in self.top.runs])
        return dict(zip(self.top.runs, pack_relations(self.top.is_better, numbers), strict=True))

    @cached_property
    def other_measures(self) -> list[OtherMeasure]:
        """Shown beside the official one, with their intervals."""
        return find_other_measures(self.board, self.labels, self.submissions)

    @cached_property
    def release(self) -> Disclosure:
        return disclosure_of(self.board, self.submissions)

    @cached_property
    def made_of(self) -> str:
        """A digest of all that goes into what is found and shown of these runs."""
        return digest_of_inputs(self)

    @cached_property
    def followed(self) -> Timeline:
        return recorded_timeline(self.board, self.matrix, self.submissions)

    @cached_property
    def usual_spread(self) -> float:
        """How much runs differ from the one that the next must do better than."""
        scores = to_scores(self.matrix)
        return usual_spread(scores, self.followed.challenged.run, scores.runs)

    @cached_property
    def leaderboard(self) -> Leaderboard:
        """Who may be best, and what was proved by the claims as recorded."""
        runs = self.submissions
        return make_board(
            self.matrix,
            self.top,
            self.followed,
            details=RunDetails(dates=dates_of(runs), tags={each.run_id: each.tags for each in runs}),
            baselines=[each.run_id for each in runs if each.is_baseline],
            voided=set(self.board.claims.exclude(voided_at=None).values_list("submission__run_id", flat=True)),
            seed=self.board.seed,
            score_intervals=self.score_intervals,
        )

    @cached_property
    def stability(self) -> Stability:
        """Of a board with thousands of runs the first are ranked again: it takes long, and nobody reads on."""
        first = self.first_scores(MOST_IN_STABILITY)
        n_runs, n_ranked = len(self.submissions), len(first.runs)
        left_out = [f"The first {n_ranked:,} of {n_runs:,} runs are ranked here."] if n_ranked < n_runs else []
        trials = max(FEWEST_TRIALS, min(MOST_TRIALS, MOST_RANKED // n_ranked))
        return stability(
            replace(first, remarks=(*first.remarks, *left_out)), trials=trials, top_group=self.top, seed=self.board.seed
        )

    @cached_property
    def grid(self) -> SignificanceGrid:
        """Of the first runs of the board."""
        return significance(
            self.first_scores(MOST_IN_GRID),
            tests=("t", "wsr"),
            corrections=("holm",),
            alpha=self.board.alpha,
            top=self.top,
            seed=self.board.seed,
        )


@dataclass(frozen=True, kw_only=True)
class BoardMaterial:
    """What the results for one audience are made of."""

    findings: Findings
    audience: Audience

    @property
    def board(self) -> Board:
        return self.findings.board

    @property
    def labels(self) -> LabelSet:
        return self.findings.labels

    @property
    def submissions(self) -> Sequence[Submission]:
        return self.findings.submissions

    @property
    def is_public(self) -> bool:
        return self.audience is Audience.PUBLIC

    @property
    def release(self) -> Disclosure:
        return self.findings.release


def gather(board: Board, labels: LabelSet, shown_to: Mapping[Audience, Sequence[Submission]]) -> list[BoardMaterial]:
    """For each audience; those that see the same runs share what is found of them."""
    shared: dict[tuple[str, ...], Findings] = {}
    materials = []
    for audience, submissions in shown_to.items():
        runs = tuple(each.run_id for each in submissions)
        findings = shared.setdefault(runs, Findings(board=board, labels=labels, submissions=submissions))
        materials.append(BoardMaterial(findings=findings, audience=audience))
    return materials
