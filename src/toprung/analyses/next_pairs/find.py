"""What should be judged next? The pairs whose judgment helps most to know the best answers, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from toprung.data.judgments import Pair
from toprung.labels.doubt.prior import estimate_prior
from toprung.labels.plans.agenda import Agenda
from toprung.labels.plans.ask import Finish
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, merge_same_texts
from toprung.result import Cell, Column, Explanation, Result, Rows, columns
from toprung.words.assumptions import CAREFUL_VOTES
from toprung.words.wording import say_count, say_queries


@dataclass(frozen=True, kw_only=True)
class NextPair:
    """A pair to judge, and why: how probably the likeliest answer of its query is the best."""

    pair: Pair
    confidence: float


def report_next_pairs(
    pools: Iterable[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    n: int,
    *,
    plan: AdaptivePlan | None = None,
    ties: bool = False,
    seed: int = 0,
) -> NextPairs:
    """The ``n`` pairs that an adaptive plan would ask next, one of a query at most.

    ``ties`` may have a rate of their own.
    """
    several = [pool for pool in pools if pool.n_pairs]
    wanted = plan or AdaptivePlan()
    agenda = Agenda(wanted, several, outcomes, prior=estimate_prior(outcomes, ties=ties), seed=seed)
    finished = agenda.finished()
    dealt = agenda.choose(n, rng=np.random.default_rng([seed, 2]))
    merged = merge_same_texts(outcomes, several)
    rows = [NextPair(pair=pair, confidence=agenda.confidence(pair.query_id)) for pair in dealt]
    return NextPairs(
        rows=tuple(sorted(rows, key=lambda each: (each.confidence, each.pair))),
        votes={pair: merged[pair].n for pair in dealt if pair in merged},
        n_unsure=len(several) - finished[Finish.SURE],
        n_given_up=finished[Finish.SPENT] + finished[Finish.HOPELESS],
        n_pools=len(several),
        target=wanted.target,
        seed=seed,
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
        "n_unsure n_given_up",
    )
    MADE_FROM = ("target n_pools seed",)

    rows: tuple[NextPair, ...]
    votes: Mapping[Pair, int]
    """On the pairs of ``rows`` so far."""
    n_unsure: int
    n_given_up: int
    """Of these: they had their most votes, or more would not help."""
    n_pools: int
    target: float
    seed: int

    @property
    def sentence(self) -> str:
        target = f"{100 * self.target:g}%"
        if not self.n_unsure:
            every = f"{self.n_pools:,} of {say_queries(self.n_pools)}"
            return f"Nothing to ask: in {every} the best answer is {target} sure or more."
        unsure = f"{self.n_unsure:,} of {say_queries(self.n_pools)}"
        if not self.rows:
            return f"Nothing to ask: in {unsure} the best answer is less than {target} sure; votes would not help."
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
            "The queries with the fewest votes beside their answers; a pair holds two that may both be the best. "
            "P(best) is how probable the likeliest answer is.",
            "By Bradley–Terry strengths of the answers in each pool, from all votes so far.",
            *([f"Given up, for votes would not help: {say_queries(self.n_given_up)}."] if self.n_given_up else []),
        )

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                "Strengths of the answers in each pool are fitted to all votes so far (Bradley and Terry 1952), which "
                "gives how probable each is to be the best. Strengths are drawn by that until two answers have come "
                "out best: these are asked for (top-two sampling, Russo 2020), until the best is "
                f"{100 * self.target:g}% sure."
            ),
            assumptions=(CAREFUL_VOTES, "One strength for each answer says it all: preferences do not go in circles."),
        )
