"""How does a row of a board come about? Scores, ranks, outcomes and claims of one run, brought together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

import numpy as np

from toprung.analyses.leaderboard.evidence import BoardEvidence
from toprung.analyses.timeline.find import Reign
from toprung.boards.outcomes import Outcomes
from toprung.boards.row import AgainstTop, BoardGroup, BoardRow, OutcomeShares, Status
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.intervals.bootstrap import Effect, mean_intervals
from toprung.stats.ranks.intervals import RankIntervals, rank_intervals


@dataclass(frozen=True, eq=False, kw_only=True)
class RunRanks:
    """The ranks that runs may have, and whose they are."""

    runs: tuple[str, ...]
    intervals: RankIntervals

    @cached_property
    def by_run(self) -> dict[str, tuple[int, int]]:
        bounds = zip(self.intervals.low.tolist(), self.intervals.high.tolist(), strict=True)
        return dict(zip(self.runs, bounds, strict=True))


@dataclass(frozen=True, kw_only=True)
class RunDetails:
    """What is known of runs beside their results, by name; none of it decides anything."""

    dates: Mapping[str, date] = field(default_factory=dict)
    teams: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, Sequence[str]] = field(default_factory=dict)


def find_run_ranks(scores: ScoreTable, *, confidence: float, seed: int) -> RunRanks:
    """The ranks that each run may have, for all at once; the order that runs come in shows in no digit."""
    names = sorted(scores.runs)
    found = rank_intervals(
        scores.select(names).values, confidence=confidence, higher_is_better=higher_is_better(scores.measure), rng=seed
    )
    return RunRanks(runs=tuple(names), intervals=found)


@dataclass(frozen=True, eq=False, kw_only=True)
class RowMaker:
    """Makes the rows of a board."""

    matrix: FirstRanks | ScoreTable
    evidence: BoardEvidence
    ranks: RunRanks
    details: RunDetails
    baselines: Collection[str]
    seed: int

    def make_rows(self, groups: Sequence[BoardGroup]) -> Iterator[BoardRow]:
        """From the top down."""
        for group in groups:
            against = self.evidence.against_all(group.runs, self.evidence.holder)
            for run, relation in zip(group.runs, against, strict=True):
                yield self._make_row(run, group, relation)

    def _make_row(self, run: str, group: BoardGroup, against: AgainstTop) -> BoardRow:
        score, (rank_low, rank_high), reign = self._scores[run], self.ranks.by_run[run], self._reigns.get(run)
        answered, mean_esl = self._answers(run)
        return BoardRow(
            run=run,
            score=score.estimate,
            score_low=score.low,
            score_high=score.high,
            rank_low=rank_low,
            rank_high=rank_high,
            answered=answered,
            mean_esl=mean_esl,
            outcomes=self._outcomes(run),
            against_top=against,
            group=group.number,
            group_words=group.words,
            status=self._status(run, against),
            is_baseline=run in self.baselines,
            date=self.details.dates.get(run),
            team=self.details.teams.get(run, ""),
            tags=tuple(self.details.tags.get(run, ())),
            held_since=reign.since if reign else None,
            held_until=reign.until if reign else None,
        )

    @cached_property
    def _scores(self) -> dict[str, Effect]:
        scores = to_scores(self.matrix)
        confidence = self.ranks.intervals.confidence
        found = mean_intervals(scores.values, confidence=confidence, rng=self.seed)
        return dict(zip(scores.runs, found, strict=True))

    @cached_property
    def _reigns(self) -> dict[str, Reign]:
        return {each.run: each for each in self.evidence.timeline.holders} if self.evidence.timeline else {}

    @cached_property
    def _claims(self) -> dict[str, bool]:
        """For each run that made a claim, whether it was supported."""
        return {each.run: each.is_supported for each in self.evidence.timeline.claims} if self.evidence.timeline else {}

    def _answers(self, run: str) -> tuple[float | None, float | None]:
        """The share of queries answered, and the mean rank over these."""
        if not isinstance(self.matrix, FirstRanks):
            return None, None
        ranks = self.matrix.column(run)
        n_answered = int(np.count_nonzero(ranks))
        return n_answered / len(ranks), int(ranks.sum(dtype=np.int64)) / n_answered if n_answered else None

    def _outcomes(self, run: str) -> OutcomeShares | None:
        holder = self.evidence.holder
        if run == holder or not isinstance(self.matrix, FirstRanks):
            return None
        return OutcomeShares.of(Outcomes.of(self.matrix.column(holder), self.matrix.column(run)))

    def _status(self, run: str, against: AgainstTop) -> Status:
        if run == self.evidence.holder:
            return Status.FIRST if self.evidence.grid and not self.evidence.timeline else Status.HOLDER
        if run in self.baselines:
            return Status.BASELINE
        if run in self._reigns:
            return Status.HELD
        if self._claims.get(run) is False:
            return Status.NOT_SUPPORTED
        return {AgainstTop.TIED: Status.TIED, AgainstTop.CONFLICT: Status.CONFLICT}.get(against, Status.NONE)
