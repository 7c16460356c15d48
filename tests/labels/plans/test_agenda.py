"""Which queries are asked next?"""

from __future__ import annotations

from collections import Counter

import numpy as np

from toprung.data.judgments import Pair
from toprung.labels.doubt.posterior import posterior_of
from toprung.labels.doubt.prior import StrengthPrior
from toprung.labels.plans.agenda import Agenda
from toprung.labels.plans.ask import Finish
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome

PRIOR = StrengthPrior()


def pools(n: int, items: str = "ABC") -> list[Pool]:
    return [Pool(query_id=f"q{i:04d}", items=tuple(items)) for i in range(n)]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def deal(agenda: Agenda, n: int, random: np.random.Generator, known: dict[str, Counter[Pair]]) -> list[Pair]:
    """Choose and offer."""
    chosen = agenda.choose(n, rng=random)
    for pair in chosen:
        known.setdefault(pair.query_id, Counter())[pair] += 1
        agenda.update({pair.query_id: {}}, known)
    return chosen


def test_every_query_gets_its_turn_before_one_gets_two() -> None:
    agenda = Agenda(AdaptivePlan(), pools(7), {}, prior=PRIOR)
    random, known = rng(), dict[str, Counter[Pair]]()
    first = [pair.query_id for _ in range(7) for pair in deal(agenda, 1, random, known)]
    assert len(set(first)) == 7
    assert len({pair.query_id for pair in agenda.choose(7, rng=random)}) == 7


def test_a_deal_has_one_pair_of_a_query_even_if_few_are_left() -> None:
    agenda = Agenda(AdaptivePlan(), pools(3), {}, prior=PRIOR)
    dealt = agenda.choose(10, rng=rng())
    assert sorted(pair.query_id for pair in dealt) == ["q0000", "q0001", "q0002"]


def test_twenty_people_are_spread_over_queries_and_pairs() -> None:
    agenda = Agenda(AdaptivePlan(), pools(5, "ABCDE"), {}, prior=PRIOR)
    random, known = rng(), dict[str, Counter[Pair]]()
    dealt = Counter(pair for _ in range(20) for pair in deal(agenda, 1, random, known))
    assert Counter(pair.query_id for pair in dealt.elements()) == {f"q000{i}": 4 for i in range(5)}
    assert max(dealt.values()) <= 2


def test_larger_pools_get_more_votes() -> None:
    given = [Pool(query_id="small", items=("A", "B")), Pool(query_id="large", items=tuple("ABCDEF"))]
    agenda = Agenda(AdaptivePlan(), given, {}, prior=PRIOR)
    random, known = rng(), dict[str, Counter[Pair]]()
    asked = Counter(pair.query_id for _ in range(16) for pair in deal(agenda, 1, random, known))
    assert asked == {"large": 12, "small": 4}


def test_a_vote_is_worked_in_and_a_sure_query_is_done() -> None:
    agenda = Agenda(AdaptivePlan(), pools(2, "AB"), {}, prior=PRIOR)
    [one, other] = agenda.choose(2, rng=rng())
    clear = PairOutcome(pair=one, wins_a=9, wins_b=0, ties=0, n=9)
    agenda.update({one.query_id: {one: clear}}, {})
    pool = Pool(query_id=one.query_id, items=("A", "B"))
    assert agenda.confidence(one.query_id) == posterior_of(pool, [clear], prior=PRIOR).confidence
    assert agenda.finished() == {Finish.SURE: 1, None: 1}
    assert {pair.query_id for pair in agenda.choose(5, rng=rng())} == {other.query_id}


def test_votes_that_are_taken_back_open_a_query_again() -> None:
    agenda = Agenda(AdaptivePlan(), pools(1, "AB"), {}, prior=PRIOR)
    pair = Pair("q0000", "A", "B")
    agenda.update({"q0000": {pair: PairOutcome(pair=pair, wins_a=9, wins_b=0, ties=0, n=9)}}, {})
    assert agenda.choose(1, rng=rng()) == []
    agenda.update({"q0000": {}}, {})
    assert agenda.choose(1, rng=rng()) == [pair]


def test_who_has_seen_all_of_a_query_is_asked_another_and_the_query_waits_for_others() -> None:
    agenda = Agenda(AdaptivePlan(), pools(2, "AB"), {}, prior=PRIOR)
    seen = {Pair("q0000", "A", "B")}
    assert agenda.choose(2, rng=rng(), fits=lambda pair: pair not in seen) == [Pair("q0001", "A", "B")]
    assert Pair("q0000", "A", "B") in agenda.choose(2, rng=rng())


def test_open_offers_of_before_count() -> None:
    pair = Pair("q0000", "A", "B")
    agenda = Agenda(AdaptivePlan(most_votes=2), pools(1, "AB"), {}, pending={pair: 2}, prior=PRIOR)
    assert agenda.finished() == {Finish.SPENT: 1}
    agenda.update({"q0000": {}}, {"q0000": {pair: 1}})
    assert agenda.choose(1, rng=rng()) == [pair]


def test_votes_on_another_answer_with_the_same_text_count() -> None:
    twins = Pool(query_id="q", items=("A", "B"), same_text={"C": "A"})
    vote = PairOutcome(pair=Pair("q", "B", "C"), wins_a=0, wins_b=9, ties=0, n=9)
    agenda = Agenda(AdaptivePlan(), [twins], {vote.pair: vote}, prior=PRIOR)
    assert agenda.finished() == {Finish.SURE: 1}
    agenda.update({"q": {vote.pair: vote}}, {"q": dict.fromkeys(twins.pairs(), 0)})
    assert agenda.finished() == {Finish.SURE: 1}


def test_the_same_seed_deals_the_same_pairs() -> None:
    one, other = (Agenda(AdaptivePlan(), pools(9), {}, prior=PRIOR, seed=4).choose(5, rng=rng(4)) for _ in range(2))
    assert one == other
