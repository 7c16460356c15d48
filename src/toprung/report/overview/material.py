"""What do several parts of a report need? Each is found once, when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from toprung.analyses.given import TopLists
from toprung.analyses.judged_labels import JudgedLabels
from toprung.analyses.leaderboard.evidence import BoardEvidence, from_grid, from_standings, judge_ranks, judge_scores
from toprung.analyses.leaderboard.find import Leaderboard, make_board
from toprung.analyses.leaderboard.making import RunDetails, RunRanks, find_run_ranks
from toprung.analyses.material import Material
from toprung.analyses.significance.find import SignificanceGrid, significance
from toprung.analyses.stability.find import Stability, stability
from toprung.analyses.standings.find import standings
from toprung.analyses.timeline.find import Timeline, timeline
from toprung.data.matrices import FirstRanks
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.data.submissions import Submissions
from toprung.errors import InputError


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportMaterial(Material):
    """The same with what several parts are made of."""

    top_lists: TopLists = dict

    @property
    def undated(self) -> list[str]:
        """Runs whose claims have no place in time; baselines need no date."""
        return [run for run in self.runs if run not in self.dates and run not in self.inputs.baselines]

    @cached_property
    def submissions(self) -> Submissions | None:
        """Who submitted what, if every run but baselines has a team and a date."""
        if self.metadata is None or self.unsubmitted:
            return None
        known = self.metadata.by_run
        made = [run for run in known if known[run].team and known[run].date is not None]
        return self.metadata.select(made).submissions() if made else None

    @property
    def unsubmitted(self) -> list[str]:
        """Runs without a team or a date, baselines apart."""
        known = self.metadata.by_run if self.metadata else {}
        made = {run for run, entry in known.items() if entry.team and entry.date is not None}
        return [run for run in self.runs if run not in made and run not in self.inputs.baselines]

    @property
    def qrels(self) -> Qrels:
        """The labels; an InputError where a matrix was given instead."""
        if self.inputs.qrels is None:
            raise InputError("Found a matrix; expected labels and runs.")
        return self.inputs.qrels

    @cached_property
    def judged(self) -> JudgedLabels:
        """The judging effort; an InputError where there is none."""
        if self.inputs.effort is None:
            raise InputError("Found no judging effort; expected its folder.")
        return JudgedLabels(state=self.inputs.effort, qrels=self.qrels)

    @cached_property
    def timeline(self) -> Timeline:
        """The claims in order of date; an InputError where a run has none."""
        if not isinstance(self.matrix, FirstRanks):
            raise InputError(f"Found scores of {self.measure}; expected first ranks, which claims are tested on.")
        return timeline(
            self.matrix,
            self.dates,
            baselines=self.inputs.baselines,
            tags=self.metadata.tags() if self.metadata else None,
            alpha=self.options.alpha,
            seed=self.options.seed,
        )

    @cached_property
    def grid(self) -> SignificanceGrid:
        return significance(self.scores, alpha=self.options.alpha, seed=self.options.seed)

    @cached_property
    def stability(self) -> Stability:
        return stability(
            self.scores, trials=self.options.trials, confidence=self.options.confidence, seed=self.options.seed
        )

    @cached_property
    def evidence(self) -> BoardEvidence:
        """Who does better than whom, and who stands first."""
        alpha, seed = self.options.alpha, self.options.seed
        if not isinstance(self.matrix, FirstRanks):
            return from_grid(self.grid) if len(self.runs) > 1 else judge_scores(self.matrix)
        has_dates = bool(self.dates) and not self.undated
        if len(self.runs) == 1:
            return judge_ranks(self.matrix, dates=self.dates if has_dates else None)
        found = standings(self.matrix, alpha=alpha, submitted_at=self.dates if has_dates else None, seed=seed)
        return from_standings(found, self.timeline if has_dates else None)

    @cached_property
    def board(self) -> Leaderboard:
        known = self.metadata
        return make_board(
            self.matrix,
            self.evidence,
            self._run_ranks,
            details=RunDetails(dates=self.dates, teams=known.teams(), tags=known.tags()) if known else RunDetails(),
            baselines=self.inputs.baselines,
            alpha=self.options.alpha,
            seed=self.options.seed,
        )

    @property
    def _run_ranks(self) -> RunRanks:
        if len(self.runs) == 1:
            return find_run_ranks(self.scores, confidence=self.options.confidence, seed=self.options.seed)
        only = self.stability.boards[0]
        return RunRanks(runs=only.runs, intervals=only.intervals)

    @property
    def holder(self) -> str:
        return self.board.holder.run

    @property
    def challenger(self) -> str:
        """Who comes closest to the holder: the best score of the others, and a baseline only if there is no other."""
        others = [row for row in self.board.rows if row.run != self.holder]
        higher = [row.run for row in self.board.higher_scores]
        runs = [row.run for row in others if not row.is_baseline] or [row.run for row in others]
        order = self.stability.runs  # the best score first
        return min(higher or runs, key=order.index)

    @property
    def tops(self) -> dict[str, Run]:
        """The first documents of every run, as many as the policy on small changes looks at."""
        return self.top_lists()
