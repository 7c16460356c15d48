"""How does a row of a board come about? Scores, ranks, outcomes and the claim of one run, brought together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from toprung.analyses.timeline.find import DatedRun, Timeline
from toprung.boards.answers import Answers, find_answers
from toprung.boards.engine.top_group import TopGroup
from toprung.boards.row import BoardRow, OutcomeShares, Status
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.stats.intervals.bootstrap import Effect, mean_intervals


@dataclass(frozen=True, kw_only=True)
class RunDetails:
    """What is known of runs beside their results, by name; none of it decides anything."""

    dates: Mapping[str, date] = field(default_factory=dict)
    teams: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class RowMaker:
    """Makes the rows of a board."""

    matrix: FirstRanks | ScoreTable
    top: TopGroup
    """Of the runs of the matrix."""
    timeline: Timeline | None
    details: RunDetails
    baselines: Collection[str]
    voided: Collection[str]
    """Runs whose claim counts no more."""
    seed: int
    score_intervals: Mapping[str, Effect] | None = None
    """Of all runs, where they are known."""

    def make_rows(self) -> tuple[BoardRow, ...]:
        """In order of score."""
        return tuple(self._make_row(number, run) for number, run in enumerate(self.top.runs))

    @property
    def last_proved(self) -> DatedRun | None:
        """Whose claim was the last to pass; nobody where claims are not tested, or that run is not shown."""
        if self.timeline is None or not self.timeline.policy.is_tested:
            return None
        last = self.timeline.last_proved
        return last if last is not None and last.run in self.top.runs else None

    def _make_row(self, number: int, run: str) -> BoardRow:
        interval, ranks = self._score_intervals[run], self.top.intervals
        answers = self._answers[run]
        return BoardRow(
            run=run,
            score=float(self.top.scores[number]),
            score_low=interval.low,
            score_high=interval.high,
            rank_low=int(ranks.low[number]),
            rank_high=int(ranks.high[number]),
            top_group=bool(self.top.is_member[number]),
            place=int(self.top.places[number]),
            proved_since=self._proved.get(run),
            status=self._status(run),
            answered=answers.share,
            mean_esl=answers.mean_esl,
            outcomes=self._outcomes(run),
            is_baseline=run in self.baselines,
            date=self.details.dates.get(run),
            team=self.details.teams.get(run, ""),
            tags=tuple(self.details.tags.get(run, ())),
        )

    @cached_property
    def _score_intervals(self) -> Mapping[str, Effect]:
        if self.score_intervals is not None:
            return self.score_intervals
        scores = to_scores(self.matrix)
        found = mean_intervals(scores.values, confidence=self.top.intervals.confidence, rng=self.seed)
        return dict(zip(scores.runs, found, strict=True))

    @cached_property
    def _answers(self) -> dict[str, Answers]:
        return find_answers(self.matrix)

    @cached_property
    def _tested(self) -> tuple[DatedRun, ...]:
        """The submissions whose claims were tested."""
        if self.timeline is None or not self.timeline.policy.is_tested:
            return ()
        return tuple(each for each in self.timeline.submissions if each.claim is not None)

    @cached_property
    def _claimed(self) -> set[str]:
        return {each.run for each in self._tested}

    @cached_property
    def _proved(self) -> dict[str, date | None]:
        """When each claim that passed came."""
        return {each.run: each.date for each in self._tested if each.claim is not None and each.claim.passed}

    def _outcomes(self, run: str) -> OutcomeShares | None:
        """None of the run that has the highest score, and of a measure without ranks."""
        return None if run == self.top.runs[0] else self._outcomes_of.get(run)

    @cached_property
    def _outcomes_of(self) -> dict[str, OutcomeShares]:
        return OutcomeShares.of_all(self.matrix, self.top.runs[0]) if isinstance(self.matrix, FirstRanks) else {}

    def _status(self, run: str) -> Status:
        if run in self._proved:
            is_last = self.last_proved is not None and self.last_proved.run == run
            return Status.LAST_PROVED if is_last else Status.PROVED
        if run in self.voided:
            return Status.VOIDED
        if run in self._claimed:
            return Status.NOT_PASSED
        return Status.BASELINE if run in self.baselines else Status.NONE
