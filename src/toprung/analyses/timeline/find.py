"""Who held the top, by score and by evidence? Submissions in the order they came.

By score the top goes to whoever has the highest mean so far. By evidence the first run, or the best baseline, is who is
challenged; every later run that scores above it makes a claim, which is tested at the level online fallback gives, and
is challenged in its place if the claim passes (`toprung.boards.succession`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np

from toprung.analyses.subject import MeasureName, Source, to_matrix
from toprung.analyses.timeline.tables import paper_table, timeline_table
from toprung.analyses.timeline.walk import Walk, check_names, in_order, mean_scores
from toprung.analyses.timeline.words import explain_timeline, say_notes, say_timeline
from toprung.boards.engine.claims import TestedClaim
from toprung.boards.engine.defaults import default_rule
from toprung.boards.engine.margins import USUAL_MARGINS, Margins
from toprung.boards.engine.rules import ClaimPolicy, Rule, read_rule
from toprung.boards.engine.words import in_short
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.result import Column, Explanation, Fact, Result, Rows, Table, columns
from toprung.stats.intervals.bootstrap import RESAMPLES, Effect, mean_intervals
from toprung.stats.sequences.online import DEFAULT_GAMMA, Gamma, OnlineTest, spell_gamma


@dataclass(frozen=True, kw_only=True)
class DatedRun:
    """A run as it came: its score, the claim it made if any, and who stood where afterwards."""

    run: str
    date: date | None
    score: float
    is_baseline: bool
    claim: TestedClaim | None
    holder: str
    """Who is challenged next, once this is decided."""
    leader: str
    """Who has the highest score by then; the earlier of equals."""
    tags: tuple[str, ...] = ()

    @property
    def has_passed(self) -> bool:
        """Whether it made a claim, and the claim passed."""
        return self.claim is not None and self.claim.passed

    @property
    def is_challenged(self) -> bool:
        """Whether the next to claim had to beat this run: the first to come, and each whose claim passed."""
        return self.holder == self.run


@dataclass(frozen=True, kw_only=True)
class Reign:
    """Who held the top from when; ``until`` is None for who holds it now, and dates where none are known."""

    run: str
    since: date | None
    until: date | None
    score: float


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Timeline(Result):
    """Which submissions proved an improvement when they came, and who had the highest score over time."""

    FIGURES = (
        "holder=last_proved.run challenged=challenged.run leader=leader.run",
        Fact("next_level", lambda found: found.state.next_level if found.policy.is_tested else None),
        "holders leaders",
        Rows(
            "submissions",
            of="_with_effects",
            columns=(
                Column("run", str, "0.run"),
                Column("date", date, "0.date"),
                Column("score", float, "0.score"),
                Column("is_baseline", bool, "0.is_baseline"),
                Column("is_claim", bool, lambda row: row[0].claim is not None),
                Column("claim", int, "0.claim.t"),
                Column("over", str, "0.claim.holder"),
                *columns(float, "difference=1.estimate difference_low=1.low difference_high=1.high"),
                Column("n", int, "1.n"),
                Column("passed", bool, "0.claim.passed"),
                *columns(float, "p=0.claim.p level=0.claim.level smallest_gain=0.claim.smallest_gain"),
                *columns(str, "verdict=0.claim.verdict.verdict grade=0.claim.verdict.grade"),
                Column("measure_p", float, "0.claim.parts.measure.p"),
                *columns(float, "answered_p=0.claim.parts.answered.p ranking_p=0.claim.parts.ranking.p"),
                *columns(float, "answered_low=0.claim.parts.answered_harm.low"),
                *columns(float, "answered_margin=0.claim.parts.answered_harm.margin"),
                *columns(float, "ranking_low=0.claim.parts.ranking_harm.low"),
                *columns(float, "ranking_margin=0.claim.parts.ranking_harm.margin"),
                Column("only_over", int, "0.claim.outcomes.only_a"),
                Column("only_run", int, "0.claim.outcomes.only_b"),
                Column("both", int, "0.claim.outcomes.both"),
                *columns(str, "challenged=0.holder highest_score=0.leader"),
                Column("tags", str, lambda row: ", ".join(row[0].tags)),
                Column("shows", str, lambda row: in_short(row[0].claim) if row[0].claim else None),
            ),
        ),
    )
    MADE_FROM = (
        "n_queries=len(matrix.query_ids) n_submissions=len(submissions) measure matrix_digest=matrix.digest",
        "rule=policy.rule alpha=policy.alpha",
        Fact("gamma", lambda found: spell_gamma(found.policy.gamma)),
        "answered_margin=policy.margins.answered ranking_margin=policy.margins.ranking",
        Fact("interval", lambda _: f"BCa bootstrap, {RESAMPLES:,} samples"),
        "seed",
    )

    matrix: FirstRanks | ScoreTable
    submissions: tuple[DatedRun, ...]
    policy: ClaimPolicy
    state: OnlineTest
    """Where the sequence of claims stands: what the next one would be held to."""
    seed: int
    score_decimals: int = 4
    """What a score is written with; fewer where it was rounded before."""
    shown_effects: Mapping[str, Effect] | None = None
    """The differences, where they were rounded before."""

    @property
    def claims(self) -> tuple[TestedClaim, ...]:
        return tuple(each.claim for each in self.submissions if each.claim is not None)

    @property
    def last_proved(self) -> DatedRun | None:
        """Whose claim passed last; None where none has, or none was tested."""
        passed = [each for each in self.submissions if each.has_passed]
        return passed[-1] if passed and self.policy.is_tested else None

    @property
    def challenged(self) -> DatedRun:
        """Whom the next run would have to beat."""
        return self._submission(self.submissions[-1].holder)

    @property
    def leader(self) -> DatedRun:
        """Who has the highest score."""
        return self._submission(self.submissions[-1].leader)

    @property
    def holders(self) -> tuple[Reign, ...]:
        """Who was challenged, in order: the first to come, and each whose claim passed."""
        return self._reigns([each.holder for each in self.submissions])

    @property
    def leaders(self) -> tuple[Reign, ...]:
        """Who had the highest score, in order."""
        return self._reigns([each.leader for each in self.submissions])

    def _reigns(self, tops: list[str]) -> tuple[Reign, ...]:
        starts = [self._submission(top) for top in dict.fromkeys(tops)]  # nobody takes the top twice
        ends = [*(each.date for each in starts[1:]), None]
        return tuple(
            Reign(run=start.run, since=start.date, until=end, score=start.score)
            for start, end in zip(starts, ends, strict=True)
        )

    def _submission(self, run: str) -> DatedRun:
        return next(each for each in self.submissions if each.run == run)

    @property
    def claims_at_hand(self) -> tuple[TestedClaim, ...]:
        """Those over runs of the matrix: of a claim on record that run may have gone since."""
        return tuple(claim for claim in self.claims if claim.holder in self.matrix.runs)

    @cached_property
    def effects(self) -> dict[str, Effect]:
        """For each claim the difference of means to the run it challenged, with its bootstrap interval."""
        if self.shown_effects is not None or not self.claims_at_hand:
            return dict(self.shown_effects or {})
        scores = to_scores(self.matrix)
        differences = [scores.column(claim.run) - scores.column(claim.holder) for claim in self.claims_at_hand]
        intervals = mean_intervals(np.column_stack(differences), rng=self.seed)
        return {claim.run: interval for claim, interval in zip(self.claims_at_hand, intervals, strict=True)}

    @property
    def measure(self) -> str:
        return self.matrix.measure

    @property
    def has_dates(self) -> bool:
        return any(each.date is not None for each in self.submissions)

    @property
    def sentence(self) -> str:
        return say_timeline(self)

    @property
    def table(self) -> Table:
        return timeline_table(self)

    def paper_tables(self) -> tuple[Table, ...]:
        return (paper_table(self),)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.matrix.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_timeline(self)

    @property
    def _with_effects(self) -> list[tuple[DatedRun, Effect | None]]:
        return [(each, self.effects.get(each.run)) for each in self.submissions]

    def __repr__(self) -> str:
        return f"Timeline({len(self.submissions)} submissions, {len(self.claims)} claims)"


def timeline(
    matrix: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    dates: Mapping[str, date] | None = None,
    rule: Rule | str | None = None,
    alpha: float = 0.05,
    gamma: Gamma = DEFAULT_GAMMA,
    margins: Margins = USUAL_MARGINS,
    baselines: Collection[str] = (),
    tags: Mapping[str, Sequence[str]] | None = None,
    seed: int = 0,
) -> Timeline:
    """Which submissions proved an improvement when they came, and who had the highest score?

    Parameters
    ----------
    matrix
        First relevant ranks, queries × runs, whose score is mean RR up to their cutoff; or the scores of any measure,
        what ``evaluate`` gave, or labels.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    dates
        When each run was submitted; runs of one date in the order of the mapping. Without it the runs count as
        submitted in the order of the matrix.
    rule
        What a claim must show: "measure", "no_harm", "both", or "score": nothing but a higher score. Unless given
        "no_harm" for first ranks and "measure" for scores.
    alpha, gamma
        The chance of any false claim passing, and how it is shared out; see ``toprung.stats.sequences.online``.
    margins
        The harm that is small enough to bear under "no_harm"; that of so many queries unless given.
    baselines
        Runs that make no claim. Without a date they are there from the start, and the best of them is challenged first;
        with one they come then, and take the place of a worse baseline alone.
    tags
        What kind of run each is, in words of your own; figures set tagged runs apart. No claim depends on them.
    seed
        For the bootstrap intervals of the differences.

    Examples
    --------
    >>> ranks = FirstRanks(query_ids=tuple("abcdefghijkl"), runs=("old", "new"), cutoff=10,
    ...                    values=np.array([[0, 1]] * 12, dtype=np.int32))
    >>> print(timeline(ranks, rule="measure").sentence)
    In the order given, new proved an improvement when it came; by score alone the top changed hands once.

    """
    matrix = to_matrix(matrix, runs, measure)
    has_ranks = isinstance(matrix, FirstRanks)
    chosen = default_rule(None, has_ranks=has_ranks)
    policy = ClaimPolicy(rule=chosen if rule is None else read_rule(rule), alpha=alpha, gamma=gamma, margins=margins)
    policy.check(matrix.measure, has_ranks=has_ranks)
    scores = mean_scores(matrix)
    check_names(matrix.runs, baselines=baselines, dates=dates or (), tags=tags or ())
    walk = Walk(matrix=matrix, policy=policy, state=policy.start())
    submissions = tuple(
        DatedRun(
            run=step.run,
            date=(dates or {}).get(step.run),
            score=scores[step.run],
            is_baseline=step.is_baseline,
            claim=walk.heard.get(step.run),
            holder=step.holder,
            leader=step.leader,
            tags=tuple((tags or {}).get(step.run, ())),
        )
        for step in walk.through(in_order(scores, dates, baselines, measure=matrix.measure))
    )
    return Timeline(matrix=matrix, submissions=submissions, policy=policy, state=walk.state, seed=seed)
