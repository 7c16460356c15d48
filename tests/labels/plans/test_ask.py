"""Which pair of a query is asked next, or why is none?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from toprung.data.judgments import Pair
from toprung.labels.doubt.posterior import posterior_of
from toprung.labels.doubt.prior import StrengthPrior
from toprung.labels.plans.ask import Finish, QueryState, next_pair, why_finished
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome

AB, AC, BC = Pair("q", "A", "B"), Pair("q", "A", "C"), Pair("q", "B", "C")


def won(pair: Pair, wins_a: int, wins_b: int) -> dict[Pair, PairOutcome]:
    return {pair: PairOutcome(pair=pair, wins_a=wins_a, wins_b=wins_b, ties=0, n=wins_a + wins_b)}


def state(
    items: str, outcomes: Mapping[Pair, PairOutcome] | None = None, pending: Mapping[Pair, int] | None = None
) -> QueryState:
    pool, known = Pool(query_id="q", items=tuple(items)), outcomes or {}
    posterior = posterior_of(pool, list(known.values()), prior=StrengthPrior(penalty=0.4))
    return QueryState(pool=pool, outcomes=known, pending=pending or {}, posterior=posterior)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_a_pool_of_one_asks_nothing() -> None:
    alone = QueryState(pool=Pool(query_id="q", items=("A",)))
    assert why_finished(AdaptivePlan(), alone) is Finish.SETTLED
    assert next_pair(AdaptivePlan(), alone, rng=rng()) is Finish.SETTLED


def test_a_query_that_is_sure_asks_no_more() -> None:
    known = state("AB", won(AB, 3, 0))  # P(A is best) = 0.96 at λ = 0.4
    assert why_finished(AdaptivePlan(target=0.9), known) is Finish.SURE
    assert next_pair(AdaptivePlan(target=0.99), known, rng=rng()) == AB


def test_a_query_with_its_most_votes_asks_no_more_open_offers_counted() -> None:
    known = won(AB, 3, 3)
    assert why_finished(AdaptivePlan(most_votes=6), state("AB", known)) is Finish.SPENT
    assert why_finished(AdaptivePlan(most_votes=8), state("AB", known, {AB: 2})) is Finish.SPENT
    assert why_finished(AdaptivePlan(most_votes=40), state("AB", known, {AB: 2})) is None


def test_votes_that_were_asked_for_are_wanted_though_a_query_is_sure_or_has_its_most() -> None:
    sure, even = state("AB", won(AB, 3, 0)), won(AB, 3, 3)
    assert why_finished(AdaptivePlan(target=0.9, asked_for={"q": 4}), sure) is None
    assert next_pair(AdaptivePlan(target=0.9, asked_for={"q": 4}), sure, rng=rng()) == AB
    assert why_finished(AdaptivePlan(target=0.9, asked_for={"q": 3, "other": 9}), sure) is Finish.SURE
    asked = AdaptivePlan(most_votes=6, asked_for={"q": 8})
    assert why_finished(asked, state("AB", even)) is None
    assert why_finished(asked, state("AB", even, {AB: 2})) is Finish.SPENT, "open offers are votes that will come"


def test_answers_that_are_equal_by_many_votes_are_given_up() -> None:
    known = won(AB, 100, 100)
    assert why_finished(AdaptivePlan(most_votes=210), state("AB", known)) is Finish.HOPELESS
    assert why_finished(AdaptivePlan(most_votes=1_000), state("AB", known)) is None


def test_who_lost_is_hardly_asked_again() -> None:
    known = state("ABC", won(AC, 5, 0) | won(BC, 5, 0))
    asked = Counter(next_pair(AdaptivePlan(), known, rng=np.random.default_rng(i)) for i in range(100))
    assert asked[AB] > 80


def test_twenty_people_at_one_query_are_not_given_one_pair() -> None:
    known = state("ABCDE")
    pending: Counter[Pair] = Counter()
    random = rng()
    for _ in range(20):
        found = next_pair(
            AdaptivePlan(), QueryState(pool=known.pool, pending=pending, posterior=known.posterior), rng=random
        )
        assert isinstance(found, Pair)
        pending[found] += 1
    assert len(pending) == 10
    assert max(pending.values()) <= 4


def test_an_open_offer_sends_the_next_person_elsewhere() -> None:
    known = won(AC, 3, 0) | won(BC, 3, 0)  # A or B: which of them is asked again and again
    without = Counter(next_pair(AdaptivePlan(), state("ABC", known), rng=np.random.default_rng(i)) for i in range(200))
    waiting = state("ABC", known, {AB: 10})
    with_offers = Counter(next_pair(AdaptivePlan(), waiting, rng=np.random.default_rng(i)) for i in range(200))
    assert with_offers[AB] < without[AB]


def test_nobody_is_shown_a_pair_twice() -> None:
    plan = AdaptivePlan()
    assert next_pair(plan, state("ABC"), rng=rng(), fits=lambda pair: pair not in {AB, AC}) == BC
    assert next_pair(plan, state("ABC"), rng=rng(), fits=lambda _: False) is Finish.NOTHING_FITS
