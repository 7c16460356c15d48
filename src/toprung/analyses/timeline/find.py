"""Who held the top, by score and by evidence? Submissions in the order they came.

By score the top goes to whoever has the highest mean so far. By evidence the first run, or the best baseline, holds it;
every later run that scores above the holder makes a claim, which is tested at the level online fallback gives, and
takes the top rung if the claim is supported (`toprung.boards.succession`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

import numpy as np

from toprung.analyses.timeline.words import (
    BASELINE,
    NO_CLAIM,
    NOT_SUPPORTED,
    TOOK_IT,
    explain_timeline,
    say_notes,
    say_timeline,
)
from toprung.boards.claims import ClaimPolicy, TestedClaim, TopRule, decide_claim
from toprung.boards.lin2021.breakdown import FacetName, FacetTest
from toprung.boards.lin2021.verdict import LinRule
from toprung.boards.succession import Entrant, succeed
from toprung.data.matrices import FirstRanks
from toprung.errors import InputError
from toprung.result import Column, Explanation, Fact, Result, Rows, Table, columns
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.intervals.bootstrap import RESAMPLES, Effect, mean_intervals
from toprung.stats.sequences.online import DEFAULT_GAMMA, Gamma, OnlineTest, spell_gamma
from toprung.words.wording import (
    list_names,
    show_interval,
    show_level,
    show_number,
    show_p,
)

DIFFERENCE = "difference (95%)"


@dataclass(frozen=True, kw_only=True)
class DatedRun:
    """A run as it came: its score, the claim it made if any, and who stood where afterwards."""

    run: str
    date: date | None
    score: float
    is_baseline: bool
    claim: TestedClaim | None
    holder: str
    """Who holds the top rung once this is decided."""
    leader: str
    """Who has the highest score by then; the earlier of equals."""
    tags: tuple[str, ...] = ()

    @property
    def takes_the_rung(self) -> bool:
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
    """Who held the top over time, by score and by evidence, and every claim to it."""

    FIGURES = (
        "holder=holder.run leader=leader.run",
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
                Column("challenged", str, "0.claim.holder"),
                *columns(float, "difference=1.estimate difference_low=1.low difference_high=1.high"),
                Column("n", int, "1.n"),
                *columns(float, "p=0.claim.p level=0.claim.level"),
                Column("is_supported", bool, "0.claim.is_supported"),
                *columns(str, "verdict=0.claim.verdict grade=0.claim.grade"),
                Column("only_holder", int, "0.claim.evidence.outcomes.only_a"),
                Column("only_run", int, "0.claim.evidence.outcomes.only_b"),
                Column("both", int, "0.claim.evidence.outcomes.both"),
                *columns(float, "answered_p=0.claim.evidence.answered_p mean_holder=0.claim.evidence.mean_holder"),
                *columns(float, "mean_run=0.claim.evidence.mean_run ranking_p=0.claim.evidence.ranking_p"),
                *columns(str, "top_rung=0.holder highest_score=0.leader"),
                Column("tags", str, lambda row: ", ".join(row[0].tags)),
                Column("reason", str, "0.claim.reason"),
            ),
        ),
    )
    MADE_FROM = (
        "n_queries=len(ranks.query_ids) n_submissions=len(submissions) measure ranks_digest=ranks.digest",
        "rule=policy.rule facet=policy.facet facet_test=policy.facet_test alpha=policy.alpha",
        Fact("gamma", lambda found: spell_gamma(found.policy.gamma)),
        Fact("interval", lambda _: f"BCa bootstrap, {RESAMPLES:,} samples"),
        "seed",
    )

    ranks: FirstRanks
    submissions: tuple[DatedRun, ...]
    policy: ClaimPolicy
    state: OnlineTest
    """Where the sequence of claims stands: what the next one would be held to."""
    seed: int
    score_decimals: int = 4
    """What a score is written with; fewer where it was rounded before."""

    @property
    def claims(self) -> tuple[TestedClaim, ...]:
        return tuple(each.claim for each in self.submissions if each.claim is not None)

    @property
    def holder(self) -> DatedRun:
        """Who holds the top rung now."""
        return self._submission(self.submissions[-1].holder)

    @property
    def leader(self) -> DatedRun:
        """Who has the highest score."""
        return self._submission(self.submissions[-1].leader)

    @property
    def holders(self) -> tuple[Reign, ...]:
        """Who held the top rung, in order."""
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

    @cached_property
    def effects(self) -> dict[str, Effect]:
        """For each claim the difference of mean RR against the holder, with its bootstrap interval."""
        if not self.claims:
            return {}
        scores = self.ranks.reciprocal()
        differences = [scores.column(claim.run) - scores.column(claim.holder) for claim in self.claims]
        intervals = mean_intervals(np.column_stack(differences), rng=self.seed)
        return {claim.run: interval for claim, interval in zip(self.claims, intervals, strict=True)}

    @property
    def measure(self) -> str:
        return self.ranks.measure

    @property
    def has_dates(self) -> bool:
        return any(each.date is not None for each in self.submissions)

    @property
    def sentence(self) -> str:
        return say_timeline(self)

    @property
    def table(self) -> Table:
        return self._table([f"{self._mark(each)} {each.run}" for each in self.submissions], name="  run")

    def paper_tables(self) -> tuple[Table, ...]:
        """The same with words in the place of marks, which a typesetter may not have."""
        words = {TOOK_IT: "top rung", NOT_SUPPORTED: "claim not supported", BASELINE: "baseline", NO_CLAIM: "no claim"}
        outcomes = [words[self._mark(each)] for each in self.submissions]
        return (self._table([each.run for each in self.submissions], name="run").with_column("outcome", outcomes),)

    def _table(self, names: list[str], *, name: str) -> Table:
        header = ["date", name, self.measure, "over", DIFFERENCE, "p", "level", "what it shows"]
        rows = [self._row(each, shown) for each, shown in zip(self.submissions, names, strict=True)]
        hidden = {*(() if self.has_dates else ("date",)), *(() if self.policy.is_tested else ("p", "level"))}
        shown = [i for i, column in enumerate(header) if column not in hidden]
        numeric = {self.measure, DIFFERENCE, "p", "level"}
        return Table(
            header=tuple(header[i] for i in shown),
            rows=tuple(tuple(row[i] for i in shown) for row in rows),
            numeric=frozenset(place for place, i in enumerate(shown) if header[i] in numeric),
        )

    def _row(self, each: DatedRun, name: str) -> tuple[str, ...]:
        when, score = "" if each.date is None else f"{each.date:%Y-%m-%d}", show_number(each.score, self.score_decimals)
        claim = each.claim
        if claim is None:
            return when, name, score, "", "", "", "", self._say_no_claim(each)
        effect = self.effects[each.run]
        difference = show_number(effect.estimate, 4, signed=True)
        return (
            when,
            name,
            score,
            claim.holder,
            f"{difference} ({show_interval(effect.low, effect.high, 4)})",
            "" if claim.p is None else show_p(claim.p),
            "" if claim.level is None else show_level(claim.level),
            claim.shows,
        )

    def _mark(self, each: DatedRun) -> str:
        if each.is_baseline:
            return BASELINE
        if each.takes_the_rung:
            return TOOK_IT
        return NO_CLAIM if each.claim is None else NOT_SUPPORTED

    def _say_no_claim(self, each: DatedRun) -> str:
        if each.is_baseline and each.takes_the_rung:
            return "baseline, holds first" if each.run == self.holders[0].run else "baseline, takes it unclaimed"
        if each.is_baseline:
            return "baseline"
        return "first submission" if each.takes_the_rung else "no claim"

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.ranks.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_timeline(self)

    @property
    def _with_effects(self) -> list[tuple[DatedRun, Effect | None]]:
        return [(each, self.effects.get(each.run)) for each in self.submissions]

    def __repr__(self) -> str:
        return f"Timeline({len(self.submissions)} submissions, {len(self.claims)} claims)"


def timeline(
    ranks: FirstRanks,
    dates: Mapping[str, date] | None = None,
    *,
    rule: TopRule = LinRule.NO_HARM,
    facet: FacetName = "esl",
    facet_test: FacetTest = "t",
    alpha: float = 0.05,
    gamma: Gamma = DEFAULT_GAMMA,
    baselines: Collection[str] = (),
    tags: Mapping[str, Sequence[str]] | None = None,
    scores: Mapping[str, float] | None = None,
    seed: int = 0,
) -> Timeline:
    """Who held the top, by score and by evidence?

    Parameters
    ----------
    ranks
        First relevant ranks, queries × runs; the score is mean RR up to their cutoff.
    dates
        When each run was submitted; runs of one date in the order of the mapping. Without it the runs count as
        submitted in the order of the matrix.
    rule
        What a claim must show: "no_harm", "significant", or "score": nothing but a higher score.
    facet, facet_test
        What the ranking is judged by where both runs answer: "esl" or "rr", by "t" or "wsr".
    alpha, gamma
        The chance of any false claim being supported, and how it is shared out; see ``toprung.stats.sequences.online``.
    baselines
        Runs that make no claim. Without a date they are there from the start, and the best of them holds first; with
        one they come then, and take the top from a worse baseline alone.
    tags
        What kind of run each is, in words of your own; figures set tagged runs apart. No claim depends on them.
    scores
        The score of each run, higher is better, where it is not mean RR that says who is above whom.
    seed
        For the bootstrap intervals of the differences.

    >>> ranks = FirstRanks(query_ids=tuple("abcdefgh"), runs=("old", "new"), cutoff=10,
    ...                    values=np.array([[0, 1]] * 8, dtype=np.int32))
    >>> print(timeline(ranks).sentence)
    new holds the top rung; the one claim, new's, was supported; by score alone the top changed hands once.

    """
    policy = ClaimPolicy(rule=rule, facet=facet, facet_test=facet_test, alpha=alpha, gamma=gamma)
    if scores is None:
        scores = dict(zip(ranks.runs, _mean_scores(ranks), strict=True))
    _check_names(ranks, baselines=baselines, dates=dates or (), tags=tags or ())
    entrants = _in_order(ranks, dates, baselines, scores)
    claims = _ClaimsInTurn(ranks=ranks, policy=policy, state=policy.start())
    holder = leader = entrants[0]
    submissions = []
    for entrant in entrants:
        holder = succeed(holder, entrant, is_supported=claims.is_supported)
        leader = entrant if entrant.is_above(leader) else leader
        submissions.append(
            DatedRun(
                run=entrant.run,
                date=(dates or {}).get(entrant.run),
                score=scores[entrant.run],
                is_baseline=entrant.is_baseline,
                claim=claims.heard.get(entrant.run),
                holder=holder.run,
                leader=leader.run,
                tags=tuple((tags or {}).get(entrant.run, ())),
            )
        )
    return Timeline(ranks=ranks, submissions=tuple(submissions), policy=policy, state=claims.state, seed=seed)


@dataclass(kw_only=True)
class _ClaimsInTurn:
    """Claims are tested one after another, each at the level that those before it leave."""

    ranks: FirstRanks
    policy: ClaimPolicy
    state: OnlineTest
    heard: dict[str, TestedClaim] = field(default_factory=dict)

    def is_supported(self, entrant: Entrant[str], holder: Entrant[str]) -> bool:
        claim, self.state = decide_claim(
            self.ranks, run=entrant.run, holder=holder.run, state=self.state, policy=self.policy
        )
        self.heard[entrant.run] = claim
        return claim.is_supported


def _mean_scores(ranks: FirstRanks) -> list[float]:
    if not ranks.query_ids or not ranks.runs:
        raise InputError(
            f"Found {len(ranks.query_ids)} queries and {len(ranks.runs)} runs; expected at least one of each."
        )
    means: list[float] = ranks.reciprocal().values.mean(axis=0).round(MEAN_DIGITS).tolist()
    return means


def _check_names(ranks: FirstRanks, **named: Iterable[str]) -> None:
    for name, runs in named.items():
        unknown = [run for run in runs if run not in ranks.runs]
        if unknown:
            raise InputError(f"{name}: found run '{unknown[0]}'; expected one of {', '.join(ranks.runs)}.")


def _in_order(
    ranks: FirstRanks, dates: Mapping[str, date] | None, baselines: Collection[str], scores: Mapping[str, float]
) -> list[Entrant[str]]:
    """Baselines without a date were there before all others, the best first."""
    entrants = {run: Entrant(run=run, score=scores[run], is_baseline=run in baselines) for run in ranks.runs}
    if dates is None:
        later = [run for run in ranks.runs if run not in baselines]
    else:
        undated = [run for run in ranks.runs if run not in dates and run not in baselines]
        if undated:
            raise InputError(f"dates: found none for {list_names(undated)}; expected one for every run but baselines.")
        later = sorted(dates, key=lambda run: dates[run])
    there = sorted({*baselines} - {*later}, key=lambda run: (-entrants[run].score, run))
    return [entrants[run] for run in (*there, *later)]
