"""Who won a pair? Votes become outcomes: by majority, or weighted by how often each assessor seems to be right.

An even split is a tie and asks for one more vote. A pair without votes has no outcome: it is missing.
"""

from __future__ import annotations

from collections.abc import Collection, ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments, Pair
from toprung.errors import check_choice
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.voted_pairs import EVEN, VotedPairs

if TYPE_CHECKING:
    import polars as pl

OFFICIAL_KINDS = (AssessorKind.HUMAN, AssessorKind.IMPORT)


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


class OutcomesOfPairs(Mapping[Pair, PairOutcome]):
    """The outcomes of all pairs that have a vote, in order: as columns, and by pair where one is asked for."""

    def __init__(self, columns: VotedPairs) -> None:
        self.columns = columns

    @cached_property
    def _by_pair(self) -> dict[Pair, PairOutcome]:
        of = self.columns
        queries, items = map(of.query_ids.__getitem__, of.query.tolist()), of.items
        counts = zip(*(each.tolist() for each in (of.a, of.b, of.wins_a, of.wins_b, of.ties, of.n)), strict=True)
        pairs = (
            (Pair._make((query_id, items[a], items[b])), *votes)
            for query_id, (a, b, *votes) in zip(queries, counts, strict=True)
        )
        return {
            pair: PairOutcome(pair=pair, wins_a=wins_a, wins_b=wins_b, ties=ties, n=n)
            for pair, wins_a, wins_b, ties, n in pairs
        }

    def __getitem__(self, pair: Pair) -> PairOutcome:
        return self._by_pair[pair]

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._by_pair)

    def __len__(self) -> int:
        return len(self.columns.n)

    def __contains__(self, pair: object) -> bool:
        return pair in self._by_pair

    def items(self) -> ItemsView[Pair, PairOutcome]:
        return self._by_pair.items()

    def values(self) -> ValuesView[PairOutcome]:
        return self._by_pair.values()


def columns_of(outcomes: Mapping[Pair, PairOutcome]) -> VotedPairs:
    """The outcomes as columns."""
    if isinstance(outcomes, OutcomesOfPairs):
        return outcomes.columns
    ordered = sorted(outcomes.values(), key=lambda each: each.pair)
    items: dict[str, set[str]] = {}
    for each in ordered:
        items.setdefault(each.pair[0], set()).update(each.pair[1:])
    starts = np.cumsum([0, *map(len, items.values())])
    cells = [(query_id, item) for query_id, judged in items.items() for item in sorted(judged)]
    place_of = {cell: place for place, cell in enumerate(cells)}
    query_at = {query_id: place for place, query_id in enumerate(items)}
    return VotedPairs(
        query_ids=list(items),
        items=[item for _, item in cells],
        starts=starts,
        query=np.array([query_at[each.pair[0]] for each in ordered], dtype=np.intp),
        a=np.array([place_of[each.pair[0], each.pair[1]] for each in ordered], dtype=np.intp),
        b=np.array([place_of[each.pair[0], each.pair[2]] for each in ordered], dtype=np.intp),
        wins_a=np.array([each.wins_a for each in ordered], dtype=np.float64),
        wins_b=np.array([each.wins_b for each in ordered], dtype=np.float64),
        ties=np.array([each.ties for each in ordered], dtype=np.int64),
        n=np.array([each.n for each in ordered], dtype=np.int64),
    )


type Outcomes = Mapping[Pair, PairOutcome]


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
    if _to_policy(policy) is VotePolicy.MAJORITY:
        return OutcomesOfPairs(VotedPairs.count(vote_columns(judgments, kinds=kinds), {}))
    from toprung.labels.votes.assessor_weights import estimate_accuracies, to_weights

    weights = to_weights(estimate_accuracies(list(votes_of(judgments, kinds=kinds))))
    return OutcomesOfPairs(VotedPairs.count(vote_columns(judgments, kinds=kinds), weights))


def vote_columns(judgments: Judgments, *, kinds: Collection[str] = OFFICIAL_KINDS) -> pl.DataFrame:
    """The columns of the current judgments that count as votes."""
    from toprung.extras.frames import pl

    is_counted = pl.col("kind").is_in([str(kind) for kind in kinds])
    return judgments.current_columns.filter(is_counted, pl.col("choice") != Choice.SKIP, ~pl.col("is_gold"))


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
    if not stands_for:  # a dict may grow behind the back of whoever asked
        return outcomes if isinstance(outcomes, OutcomesOfPairs) else dict(outcomes)
    merged = {pair: outcome for pair, outcome in outcomes.items() if pair.query_id not in stands_for}
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
    check_choice(policy, VotePolicy, name="policy")
    return VotePolicy(policy)
