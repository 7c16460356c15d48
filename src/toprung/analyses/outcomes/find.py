"""What do the votes say so far? How many pairs are decided, how many split evenly, how many nobody has judged."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from toprung.data.judgments import Judgments, Pair
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import (
    OFFICIAL_KINDS,
    Outcomes,
    PairOutcome,
    VotePolicy,
    merge_same_texts,
    resolve_pairs,
    votes_of,
)
from toprung.labels.votes.totals import VoteTotals
from toprung.result import Column, Explanation, Result, Rows, Table, columns
from toprung.words.assumptions import CAREFUL_VOTES
from toprung.words.wording import say_count, show_share


@dataclass(frozen=True, kw_only=True)
class VoteCount:
    """The pairs with so many votes."""

    votes: int
    n_pairs: int
    n_decided: int
    n_unanimous: int

    @property
    def n_even(self) -> int:
        return self.n_pairs - self.n_decided


@dataclass(frozen=True, kw_only=True)
class LeftOutJudgments:
    """Judgments that are no votes, and why."""

    superseded: int
    skips: int
    golds: int
    other_kinds: int
    same_text: int


def report_outcomes(
    judgments: Judgments,
    *,
    pairs: Iterable[Pair] = (),
    pools: Iterable[Pool] = (),
    policy: str = VotePolicy.MAJORITY,
    kinds: Collection[str] = OFFICIAL_KINDS,
) -> OutcomeReport:
    """The outcome of every pair that was judged, and which of the ``pairs`` to judge nobody has.

    Where pools know of items with the same text, votes on either are votes on the one that stands for it.
    """
    pools = list(pools)
    same_texts = [pool for pool in pools if pool.same_text]
    as_voted = resolve_pairs(judgments, policy=policy, kinds=kinds)
    outcomes = dict(sorted(merge_same_texts(as_voted, same_texts).items()))
    unweighted: Outcomes = outcomes
    accuracies: dict[str, float] = {}
    if policy == VotePolicy.DAWID_SKENE:
        from toprung.labels.votes.assessor_weights import estimate_accuracies

        accuracies = estimate_accuracies(list(votes_of(judgments, kinds=kinds)))
        unweighted = merge_same_texts(resolve_pairs(judgments, kinds=kinds), same_texts)
    no_votes = [each for each in judgments.current if not each.is_vote and each.supersedes is None]
    return OutcomeReport(
        outcomes=outcomes,
        totals=VoteTotals.of(outcomes, pools),
        unanimous=frozenset(
            pair for pair, each in unweighted.items() if not each.ties and 0 in (each.wins_a, each.wins_b)
        ),
        missing=tuple(pair for pair in pairs if pair not in outcomes and pair not in as_voted),
        left_out=LeftOutJudgments(
            superseded=len(judgments) - len(judgments.current),
            skips=sum(not each.is_gold for each in no_votes),
            golds=sum(each.is_gold for each in no_votes),
            other_kinds=sum(each.is_vote and each.kind not in kinds for each in judgments.current),
            same_text=sum(each.n for each in as_voted.values()) - sum(each.n for each in outcomes.values()),
        ),
        policy=str(policy),
        accuracies=accuracies,
        judgments_digest=judgments.digest,
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class OutcomeReport(Result):
    """Every pair with its votes and its winner."""

    FIGURES = (
        "n_votes=totals.n_votes n_outside=totals.n_outside n_decided n_even n_missing=len(missing)",
        Rows(
            "pairs",
            of="resolved",
            columns=(
                *columns(str, "query_id=pair.query_id a=pair.a b=pair.b"),
                *columns(float, "wins_a wins_b"),
                *columns(int, "ties votes=n"),
                Column("winner", str),
            ),
            keeps_nan=True,
        ),
        "accuracies",
    )
    MADE_FROM = ("judgments=judgments_digest policy n_votes=totals.n_votes n_pairs=totals.n_pairs",)

    outcomes: Mapping[Pair, PairOutcome]
    totals: VoteTotals
    unanimous: frozenset[Pair]
    missing: tuple[Pair, ...]
    left_out: LeftOutJudgments
    policy: str
    accuracies: Mapping[str, float]
    """How often each assessor seems to be right; empty unless votes are weighted by it."""
    judgments_digest: str

    @property
    def resolved(self) -> list[PairOutcome]:
        """Of every pair, of those without a vote too."""
        return [
            *self.outcomes.values(),
            *(PairOutcome(pair=pair, wins_a=0, wins_b=0, ties=0, n=0) for pair in self.missing),
        ]

    @cached_property
    def counts(self) -> tuple[VoteCount, ...]:
        by_votes: dict[int, list[PairOutcome]] = {}
        for outcome in self.outcomes.values():
            by_votes.setdefault(outcome.n, []).append(outcome)
        return tuple(
            VoteCount(
                votes=votes,
                n_pairs=len(by_votes[votes]),
                n_decided=sum(each.is_decided for each in by_votes[votes]),
                n_unanimous=sum(each.pair in self.unanimous for each in by_votes[votes]),
            )
            for votes in sorted(by_votes)
        )

    @property
    def n_decided(self) -> int:
        return sum(count.n_decided for count in self.counts)

    @property
    def n_even(self) -> int:
        return len(self.outcomes) - self.n_decided

    @property
    def sentence(self) -> str:
        if not self.outcomes:
            return f"No votes yet; {say_count(len(self.missing), 'pair')} to judge."
        said = [f"{self.n_decided:,} decided"]
        if self.n_even:
            said.append(f"{self.n_even:,} split evenly, which ask for one more vote")
        if self.missing:
            said.append(f"{len(self.missing):,} more without a vote")
        return f"{self.totals.say()}: {'; '.join(said)}."

    @property
    def table(self) -> Table:
        rows = [
            (
                str(count.votes),
                f"{count.n_pairs:,}",
                f"{count.n_decided:,}",
                f"{count.n_even:,}",
                show_share(count.n_unanimous / count.n_pairs),
            )
            for count in self.counts
        ]
        if self.missing:
            rows.insert(0, ("0", f"{len(self.missing):,}", "0", "0", "–"))
        header = ("votes", "pairs", "decided", "even", "unanimous")
        return Table(header=header, rows=tuple(rows), numeric=frozenset(range(5)))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        if self.policy == VotePolicy.DAWID_SKENE:
            yield "Votes are weighted by how often their assessor seems to be right (one-coin Dawid–Skene)."
            worst = min(self.accuracies.values(), default=1.0)
            best = max(self.accuracies.values(), default=1.0)
            assessors = say_count(len(self.accuracies), "assessor")
            yield f"{assessors}, right in {show_share(worst)} to {show_share(best)} of their votes by that estimate."
        else:
            yield "The majority wins; a vote for neither counts for neither."
        left_out = self.left_out
        for n, noun, why in (
            (left_out.superseded, "judgment", "taken back"),
            (left_out.skips, "skip", "no vote"),
            (left_out.golds, "test question", "no vote"),
            (left_out.other_kinds, "judgment", "of a kind that does not count here, such as a language model's"),
            (left_out.same_text, "vote", "between two items with the same text"),
        ):
            if n:
                yield f"Left out: {say_count(n, noun)}, {why}."

    @property
    def explanation(self) -> Explanation:
        counted = (
            "weighted by how often its assessor seems to be right (one-coin Dawid and Skene 1979)"
            if self.policy == VotePolicy.DAWID_SKENE
            else "counted alike"
        )
        return Explanation(
            how=(
                f"Each vote on a pair of answers is {counted}, and the answer with more wins the pair. An even split "
                "decides nothing and asks for one more vote; skips and test questions are no votes."
            ),
            assumptions=(CAREFUL_VOTES, "Votes on one pair are independent of each other."),
        )
