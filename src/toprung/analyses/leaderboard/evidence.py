"""Who does better than whom on a board, and who stands first? From verdicts on ranks, or from tests of scores.

First ranks are judged outcome by outcome (``standings``), and where dates are known the claims decide who holds the top
rung (``timeline``). Scores of any other measure are compared by the grid of tests (``significance``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np

from toprung.analyses.significance.find import SignificanceGrid, significance
from toprung.analyses.significance.grid_tests import TESTS
from toprung.analyses.standings import rows as judged
from toprung.analyses.standings.find import Relations, Standings, standings
from toprung.analyses.timeline.find import Timeline, timeline
from toprung.boards.claims import TopRule
from toprung.boards.lin2021.breakdown import FacetName, FacetTest
from toprung.boards.lin2021.verdict import LinRule
from toprung.boards.row import AgainstTop
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.stats.sequences.online import DEFAULT_GAMMA, Gamma
from toprung.stats.tests.corrections import CORRECTION_NAMES

AGAINST = {
    judged.BETTER: AgainstTop.BETTER,
    judged.WORSE: AgainstTop.WORSE,
    judged.NOT_TOLD_APART: AgainstTop.TIED,
    judged.IN_CONFLICT: AgainstTop.CONFLICT,
}


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardEvidence:
    """Runs from the top down, and for each two of them what the first is to the second."""

    runs: tuple[str, ...]
    relations: Relations
    """As ``standings.Standings.relations``, in the order of ``runs``."""
    standings: Standings | None = None
    timeline: Timeline | None = None
    grid: SignificanceGrid | None = None

    @property
    def holder(self) -> str:
        """Who stands first: by its claims where dates are known, else by evidence, else by score."""
        return self.runs[0] if self.timeline is None else self.timeline.holder.run

    @property
    def circle(self) -> tuple[str, ...]:
        """The runs that share the first place because each does better than another of them."""
        if self.timeline is not None or self.standings is None or not self.standings.tiers[0].is_cyclic:
            return ()
        return tuple(self.standings.runs[run] for run in self.standings.tiers[0].items)

    def against_all(self, runs: Sequence[str], other: str) -> list[AgainstTop]:
        """What each of some runs is to another one."""
        column = self.columns[other]
        relations = self.relations[[self.columns[run] for run in runs], column].tolist()
        return [
            AgainstTop.FIRST if run == other else AGAINST[relation]
            for run, relation in zip(runs, relations, strict=True)
        ]

    @cached_property
    def columns(self) -> dict[str, int]:
        """The place of each run in ``runs``."""
        return {run: column for column, run in enumerate(self.runs)}

    def say_first(self) -> str:
        """By what the holder stands first."""
        if self.grid is not None:
            return f"has the best {self.grid.measure}"
        return "holds the top rung" if len(self.runs) > 1 else "is the only run"

    @property
    def decided_by(self) -> str:
        """The name of what decides who does better, as it stands in a sentence."""
        if self.grid is None:
            return "the verdicts on answers and ranks"
        test, correction = self.grid.letters_by
        return f"the {TESTS[test].name} {CORRECTION_NAMES[correction]}"


def judge_ranks(
    ranks: FirstRanks,
    *,
    dates: Mapping[str, date] | None = None,
    baselines: Collection[str] = (),
    rule: TopRule = LinRule.NO_HARM,
    facet: FacetName = "esl",
    facet_test: FacetTest = "t",
    gamma: Gamma = DEFAULT_GAMMA,
    alpha: float = 0.05,
    seed: int = 0,
) -> BoardEvidence:
    """From first ranks: the verdicts on all pairs, and who holds the top rung by its claims if dates are known."""
    followed = None
    if dates is not None:
        followed = timeline(
            ranks,
            dates,
            rule=rule,
            facet=facet,
            facet_test=facet_test,
            alpha=alpha,
            gamma=gamma,
            baselines=baselines,
            seed=seed,
        )
    if len(ranks.runs) == 1:
        return BoardEvidence(runs=ranks.runs, relations=_nothing_known(1), timeline=followed)
    found = standings(ranks, facet=facet, facet_test=facet_test, alpha=alpha, submitted_at=dates, seed=seed)
    return from_standings(found, followed)


def from_standings(found: Standings, followed: Timeline | None = None) -> BoardEvidence:
    """The same of analyses made before."""
    order = [run for tier in found.tiers for run in tier.items]
    return BoardEvidence(
        runs=tuple(found.runs[run] for run in order),
        relations=found.relations[np.ix_(order, order)],
        standings=found,
        timeline=followed,
    )


def judge_scores(scores: ScoreTable, *, alpha: float = 0.05, seed: int = 0) -> BoardEvidence:
    """From the scores of any measure: the paired t-test on every pair, with Holm's correction."""
    if len(scores.runs) == 1:
        return BoardEvidence(runs=scores.runs, relations=_nothing_known(1))
    return from_grid(significance(scores, tests=("t",), corrections=("holm",), alpha=alpha, seed=seed))


def from_grid(grid: SignificanceGrid) -> BoardEvidence:
    """The same of a grid made before."""
    return BoardEvidence(runs=grid.ordered_runs, relations=grid.relations, grid=grid)


def _nothing_known(n_runs: int) -> Relations:
    return np.full((n_runs, n_runs), judged.NOT_TOLD_APART, dtype=np.int8)
