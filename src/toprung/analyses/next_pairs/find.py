"""What should be judged next? The pairs whose judgment helps most to know the best answers, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toprung.data.judgments import Pair
from toprung.labels.best.active import TARGET, NextPair, next_pairs
from toprung.labels.doubt.prior import estimate_prior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, merge_same_texts
from toprung.result import Cell, Column, Explanation, Result, Rows, columns
from toprung.words.assumptions import CAREFUL_VOTES
from toprung.words.wording import say_count, say_queries

if TYPE_CHECKING:
    pass


def report_next_pairs(
    pools: Iterable[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    n: int,
    *,
    target: float = TARGET,
    ties: bool = False,
) -> NextPairs:
    """The ``n`` pairs to judge next, one of a query at most: `next_pairs`. ``ties`` may have a rate of their own."""
    several = [pool for pool in pools if pool.n_pairs]
    asked = next_pairs(several, outcomes, target=target, prior=estimate_prior(outcomes, ties=ties))
    merged = merge_same_texts(outcomes, several)
    return NextPairs(
        rows=tuple(asked[:n]),
        votes={each.pair: merged[each.pair].n for each in asked[:n] if each.pair in merged},
        n_unsure=len(asked),
        n_pools=len(several),
        target=target,
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class NextPairs(Result):
    """Pairs to judge, those of the least sure queries first."""

    FIGURES = (
        Rows(
            "pairs",
            of="_with_votes",
            columns=(
                *columns(str, "query_id=0.pair.query_id a=0.pair.a b=0.pair.b"),
                Column("votes", int, "1"),
                Column("p_best", float, "0.confidence"),
            ),
        ),
        "n_unsure",
    )
    MADE_FROM = ("target n_pools",)

    rows: tuple[NextPair, ...]
    votes: Mapping[Pair, int]
    """On the pairs of ``rows`` so far."""
    n_unsure: int
    n_pools: int
    target: float

    @property
    def sentence(self) -> str:
        target = f"{100 * self.target:g}%"
        if not self.n_unsure:
            every = f"{self.n_pools:,} of {say_queries(self.n_pools)}"
            return f"Nothing to ask: in {every} the best answer is {target} sure or more."
        unsure = f"{self.n_unsure:,} of {say_queries(self.n_pools)}"
        asked = say_count(len(self.rows), "pair")
        return f"{asked} to judge next: in {unsure} the best answer is less than {target} sure."

    @property
    def _with_votes(self) -> list[tuple[NextPair, int]]:
        return [(each, self.votes.get(each.pair, 0)) for each in self.rows]

    def cells(self) -> Sequence[Cell]:
        return (
            Cell("query", lambda row: row[0].pair.query_id),
            Cell("one", lambda row: row[0].pair.a),
            Cell("other", lambda row: row[0].pair.b),
            Cell("votes", lambda row: str(row[1]), is_number=True),
            Cell("P(best)", lambda row: f"{row[0].confidence:.2f}", is_number=True),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        return (
            "A pair holds the likeliest best answer of its query and its likeliest rival; P(best) is how probable the "
            "likeliest is.",
            "By Bradley–Terry strengths of the answers in each pool, from all votes so far.",
        )

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                "Strengths of the answers in each pool are fitted to all votes so far (Bradley and Terry 1952), which "
                "gives how probable each is to be the best. For the least sure queries the likeliest answer and its "
                f"likeliest rival are asked for, until the best is {100 * self.target:g}% sure."
            ),
            assumptions=(CAREFUL_VOTES, "One strength for each answer says it all: preferences do not go in circles."),
        )
