"""Who won a pair? Votes become outcomes: by majority, or weighted by how often each assessor seems to be right.

An even split is a tie and asks for one more vote. A pair without votes has no outcome: it is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments, Pair
from toprung.errors import InputError
from toprung.labels.pools.pool import Pool
from toprung.words.wording import say_count, say_queries

EVEN = 1e-9
"""Weighted votes that differ by less are an even split."""
OFFICIAL_KINDS = (AssessorKind.HUMAN, AssessorKind.IMPORT)


WINS_A, WINS_B, TIES, N = range(4)


class VotePolicy(StrEnum):
    """How the votes on a pair are counted."""

    MAJORITY = "majority"
    DAWID_SKENE = "dawid-skene"


@dataclass(frozen=True, kw_only=True, slots=True)
class PairOutcome:
    """What the votes on one pair say. ``n`` counts all votes; a vote for neither is in ``ties`` only.

    With weighted votes, ``wins_a`` and ``wins_b`` are sums of weights.
    """

    pair: Pair
    wins_a: float
    wins_b: float
    ties: int
    n: int

    @property
    def winner(self) -> str | None:
        """The answer with more votes; None on an even split."""
        if abs(self.wins_a - self.wins_b) <= EVEN:
            return None
        return self.pair.a if self.wins_a > self.wins_b else self.pair.b

    @property
    def loser(self) -> str | None:
        winner = self.winner
        if winner is None:
            return None
        return self.pair.b if winner == self.pair.a else self.pair.a

    @property
    def is_decided(self) -> bool:
        return self.winner is not None


type Outcomes = dict[Pair, PairOutcome]


@dataclass(frozen=True, kw_only=True)
class VoteTotals:
    """How many votes there are, on how many pairs of how many queries, in the pools or not."""

    n_votes: int
    n_pairs: int
    n_queries: int
    n_outside: int
    """Votes on pairs of which an answer is in no pool; 0 where nothing was pooled."""

    @classmethod
    def of(cls, outcomes: Mapping[Pair, PairOutcome], pools: Iterable[Pool] = ()) -> Self:
        """Of the outcomes of items that stand for their texts."""
        pooled = {pool.query_id: frozenset(pool.items) for pool in pools}
        outside = (
            each.n
            for pair, each in outcomes.items()
            if pooled and not {pair.a, pair.b} <= pooled.get(pair.query_id, frozenset())
        )
        return cls(
            n_votes=sum(each.n for each in outcomes.values()),
            n_pairs=len(outcomes),
            n_queries=len({pair.query_id for pair in outcomes}),
            n_outside=sum(outside),
        )

    def say(self) -> str:
        """``8 votes on 8 pairs of 6 queries``."""
        said = (
            f"{say_count(self.n_votes, 'vote')} on {say_count(self.n_pairs, 'pair')} of {say_queries(self.n_queries)}"
        )
        return f"{said}, {self.n_outside:,} of them on answers outside the pools" if self.n_outside else said


def resolve_pairs(
    judgments: Judgments,
    *,
    policy: str | VotePolicy = VotePolicy.MAJORITY,
    kinds: Collection[str] = OFFICIAL_KINDS,
) -> Outcomes:
    """The outcome of every pair that has a vote.

    Parameters
    ----------
    judgments
        All judgments; superseded ones, skips and golds are no votes.
    policy
        ``"majority"``, or ``"dawid-skene"``: votes weighted by the accuracy of their assessors.
    kinds
        Whose votes count. Language models are a stream of their own and left out unless asked for.

    Examples
    --------
    >>> votes = [Judgment(judgment_id=str(i), query_id="q", left="d1", right="d2", choice=choice)
    ...          for i, choice in enumerate([Choice.LEFT, Choice.RIGHT, Choice.LEFT])]
    >>> [outcome] = resolve_pairs(Judgments.of(votes)).values()
    >>> outcome.winner, outcome.n
    ('d1', 3)

    """
    votes = list(votes_of(judgments, kinds=kinds))
    if _to_policy(policy) is VotePolicy.MAJORITY:
        return _count(votes, {})
    from toprung.labels.votes.assessor_weights import estimate_accuracies, to_weights

    return _count(votes, to_weights(estimate_accuracies(votes)))


def votes_of(judgments: Judgments, *, kinds: Collection[str] = OFFICIAL_KINDS) -> Iterable[Judgment]:
    """The current judgments that count as votes."""
    counted = frozenset(kinds)
    return (
        each
        for each in judgments.current
        if each.kind in counted and each.choice is not Choice.SKIP and not each.is_gold
    )


def merge_same_texts(outcomes: Mapping[Pair, PairOutcome], pools: Iterable[Pool]) -> Outcomes:
    """The same outcomes, with votes on an item counted for the one that stands for its text."""
    stands_for = {pool.query_id: pool.same_text for pool in pools if pool.same_text}
    merged = {pair: outcome for pair, outcome in outcomes.items() if pair.query_id not in stands_for}
    if len(merged) == len(outcomes):
        return merged
    for pair, outcome in outcomes.items():
        same = stands_for.get(pair.query_id)
        if same is None:
            continue
        a, b = same.get(pair.a, pair.a), same.get(pair.b, pair.b)
        if a != b:  # the same text on both sides says nothing
            into = Pair.of(pair.query_id, a, b)
            merged[into] = _add(merged.get(into), outcome, into, is_turned=a != into.a)
    return merged


def _add(before: PairOutcome | None, outcome: PairOutcome, pair: Pair, *, is_turned: bool) -> PairOutcome:
    wins_a, wins_b = (outcome.wins_b, outcome.wins_a) if is_turned else (outcome.wins_a, outcome.wins_b)
    if before is None:
        return PairOutcome(pair=pair, wins_a=wins_a, wins_b=wins_b, ties=outcome.ties, n=outcome.n)
    return PairOutcome(
        pair=pair,
        wins_a=before.wins_a + wins_a,
        wins_b=before.wins_b + wins_b,
        ties=before.ties + outcome.ties,
        n=before.n + outcome.n,
    )


def _to_policy(policy: str | VotePolicy) -> VotePolicy:
    try:
        return VotePolicy(policy)
    except ValueError:
        raise InputError(f"policy: found '{policy}'; expected one of {', '.join(VotePolicy)}.") from None


def _count(votes: Iterable[Judgment], weights: dict[str, float]) -> Outcomes:
    """Votes of assessors without a weight count one."""
    counts: dict[tuple[str, str, str], list[float]] = {}
    for vote in votes:
        is_turned = vote.right < vote.left
        key = (vote.query_id, vote.right, vote.left) if is_turned else (vote.query_id, vote.left, vote.right)
        count = counts.setdefault(key, [0, 0, 0, 0])
        count[N] += 1
        if vote.choice is Choice.TIE:
            count[TIES] += 1
        else:
            is_a = (vote.choice is Choice.LEFT) != is_turned
            count[WINS_A if is_a else WINS_B] += weights.get(vote.assessor, 1)
    return dict(_to_outcomes(counts))


def _to_outcomes(counts: Mapping[tuple[str, str, str], list[float]]) -> Iterable[tuple[Pair, PairOutcome]]:
    for key, (wins_a, wins_b, ties, n) in sorted(counts.items()):
        pair = Pair._make(key)  # in order already
        yield pair, PairOutcome(pair=pair, wins_a=wins_a, wins_b=wins_b, ties=int(ties), n=int(n))
