"""What do several parts of a report need? Each is found once, when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from toprung.analyses.given import TopLists
from toprung.analyses.judged_labels import JudgedLabels
from toprung.analyses.leaderboard.find import Leaderboard, make_board
from toprung.analyses.leaderboard.making import RunDetails
from toprung.analyses.material import Material
from toprung.analyses.significance.find import SignificanceGrid, significance
from toprung.analyses.stability.find import Stability, stability
from toprung.analyses.timeline.find import Timeline, timeline
from toprung.boards.engine.defaults import default_rule
from toprung.boards.engine.rules import Rule
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.matrices import FirstRanks
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.data.submissions import Submissions
from toprung.errors import InputError
from toprung.stats.intervals.bootstrap import Effect, mean_intervals


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
    def top(self) -> TopGroup:
        """Who may be best, and who is better than whom: found once, and the same in every part."""
        return find_top_group(self.matrix, alpha=self.options.alpha, seed=self.options.seed)

    @cached_property
    def score_intervals(self) -> dict[str, Effect]:
        """Of every run, for the board and wherever it is drawn again."""
        found = mean_intervals(self.scores.values, confidence=1 - self.options.alpha, rng=self.options.seed)
        return dict(zip(self.scores.runs, found, strict=True))

    @cached_property
    def timeline(self) -> Timeline:
        """The claims in order of date; an InputError where a run has none."""
        return timeline(
            self.matrix,
            dates=self.dates,
            rule=self._rule,
            baselines=self.inputs.baselines,
            tags=self.metadata.tags() if self.metadata else None,
            alpha=self.options.alpha,
            seed=self.options.seed,
        )

    @property
    def _rule(self) -> Rule | None:
        """What a claim must show: as asked for, else as the labels ask for."""
        if self.options.rule is not None or self.inputs.qrels is None:
            return self.options.rule
        return default_rule(self.inputs.qrels, has_ranks=isinstance(self.matrix, FirstRanks))

    @cached_property
    def grid(self) -> SignificanceGrid:
        return significance(self.scores, top=self.top, alpha=self.options.alpha, seed=self.options.seed)

    @cached_property
    def stability(self) -> Stability:
        options = self.options
        return stability(self.scores, trials=options.trials, alpha=options.alpha, top_group=self.top, seed=options.seed)

    @cached_property
    def board(self) -> Leaderboard:
        known = self.metadata
        return make_board(
            self.matrix,
            self.top,
            self.timeline if self.dates and not self.undated else None,
            details=RunDetails(dates=self.dates, teams=known.teams(), tags=known.tags()) if known else RunDetails(),
            baselines=self.inputs.baselines,
            seed=self.options.seed,
            score_intervals=self.score_intervals,
        )

    @property
    def best(self) -> str:
        """The run with the highest score, which others are compared with."""
        return self.top.runs[0]

    @property
    def next_best(self) -> str:
        """The next highest score; a baseline only if there is no other run."""
        others = self.top.runs[1:]
        return next((run for run in others if run not in self.inputs.baselines), others[0])

    @property
    def tops(self) -> dict[str, Run | TopOfRun]:
        """The first documents of every run, as many as the policy on small changes looks at."""
        return self.top_lists()

    @property
    def top_documents(self) -> dict[str, Run]:
        """The same with their ids, which are kept where there is a judging effort."""
        return {name: top for name, top in self.tops.items() if isinstance(top, Run)}
